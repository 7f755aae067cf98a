package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import dev.muster.core.sos.SosEngine;
import dev.muster.core.sos.SosListener;
import dev.muster.core.sos.SosParameters;
import dev.muster.core.sos.SosParameters.Structure;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Holds the SOS engine to its laws on random instances. */
class SosProperties {
  /** 1,000 instances of 100 jobs: 100,000 decisions. */
  @Property(tries = 1_000)
  void fastAndNaiveDecideTheSame(@ForAll long seed) {
    SosInstance instance = SosInstance.random(seed, 100);
    List<Object> expected = NaiveSos.run(instance).all();
    assertThat(instance.run(Structure.SUFFIX_SUMS).all()).isEqualTo(expected);
    assertThat(instance.run(Structure.SCAN).all()).isEqualTo(expected);
  }

  /** Fills schedules with thousands of jobs, so that blocks split, empty and grow. */
  @Property(tries = 40)
  void deepSchedulesDecideTheSame(@ForAll long seed, @ForAll @IntRange(max = 2) int churn) {
    assertThat(deepRun(seed, churn, Structure.SUFFIX_SUMS))
        .isEqualTo(deepRun(seed, churn, Structure.SCAN));
  }

  private static List<Object> deepRun(long seed, int churn, Structure structure) {
    SplittableRandom random = new SplittableRandom(seed);
    int jobs = 4_000;
    SosInstance.Outcome outcome = new SosInstance.Outcome(jobs);
    SosEngine engine =
        SosEngine.create(SosParameters.builder(2).structure(structure).build(), outcome);
    List<Object> seen = new ArrayList<>();
    for (int j = 0; j < jobs; j++) {
      engine.advanceTo(engine.nowTick() + random.nextInt(1 + churn * 300));
      long[] ept = {1 + random.nextInt(1_000), 1 + random.nextInt(1_000)};
      engine.submit(j, 1 + random.nextInt(255), ept);
      if (random.nextInt(3) == 0) {
        seen.add(engine.cancel(random.nextInt(j + 1)));
      }
    }
    seen.add(engine.jobs(0));
    seen.add(engine.drain());
    seen.addAll(outcome.all());
    return seen.stream().map(x -> x instanceof long[] array ? List.of(array.length) : x).toList();
  }

  /** Time may jump: where a driver stops in between makes no difference. */
  @Property
  void stopsOfTheDriverDoNotMatter(@ForAll long seed) {
    SosInstance instance = SosInstance.random(seed, 60);
    SosInstance.Outcome outcome = new SosInstance.Outcome(60);
    SosEngine engine = SosEngine.create(instance.parameters(Structure.SUFFIX_SUMS), outcome);
    SplittableRandom random = new SplittableRandom(seed);
    for (int j = 0; j < 60; j++) {
      SosInstance.Job job = instance.jobs().get(j);
      while (engine.nowTick() < job.release()) {
        long left = job.release() - engine.nowTick();
        engine.advanceTo(engine.nowTick() + 1 + random.nextLong(left));
      }
      engine.submit(j, job.weight(), job.ept(), job.alpha());
    }
    while (engine.open() > 0) {
      engine.advanceTo(Math.max(engine.nowTick(), engine.nextEventTick()) + 1);
    }
    assertThat(outcome.all()).isEqualTo(instance.run(Structure.SUFFIX_SUMS).all());
  }

  @Property
  void everyJobIsReleasedOnceAfterItsAlphaAtLeast(@ForAll long seed) {
    SosInstance instance = SosInstance.random(seed, 80);
    SosInstance.Outcome outcome = instance.run(Structure.SUFFIX_SUMS);
    assertThat(outcome.releaseOrder).extracting(row -> row.get(2)).doesNotHaveDuplicates();
    for (int j = 0; j < 80; j++) {
      SosInstance.Job job = instance.jobs().get(j);
      assertThat(outcome.admitTick[j]).isGreaterThanOrEqualTo(job.release());
      assertThat(outcome.releaseTick[j] - outcome.admitTick[j] + 1)
          .isGreaterThanOrEqualTo(job.alpha()[outcome.machine[j]]);
    }
  }

  @Property
  void cancelledAndClosedAreLeftAlone(@ForAll long seed) {
    SosInstance instance = SosInstance.random(seed, 60);
    SplittableRandom random = new SplittableRandom(seed + 1);
    boolean[] gone = new boolean[60];
    boolean[] closed = new boolean[instance.machines()];
    SosInstance.Outcome log = new SosInstance.Outcome(60);
    SosListener listener =
        new SosListener() {
          @Override
          public void onAssigned(long job, int machine, long tick, long cost) {
            assertThat(closed[machine]).isFalse();
            assertThat(gone[(int) job]).isFalse();
          }

          @Override
          public void onReleased(long job, int machine, long tick) {
            assertThat(gone[(int) job]).isFalse();
            log.onReleased(job, machine, tick);
          }
        };
    SosEngine engine = SosEngine.create(instance.parameters(Structure.SUFFIX_SUMS), listener);
    int cancelled = 0;
    for (int j = 0; j < 60; j++) {
      SosInstance.Job job = instance.jobs().get(j);
      engine.advanceTo(Math.max(engine.nowTick(), job.release()));
      engine.submit(j, job.weight(), job.ept(), job.alpha());
      int victim = random.nextInt(j + 1);
      if (random.nextInt(4) == 0 && engine.cancel(victim)) {
        gone[victim] = true;
        cancelled++;
      }
      int machine = random.nextInt(closed.length);
      if (random.nextBoolean()) {
        engine.close(machine);
        closed[machine] = true;
      } else {
        closed[machine] = false;
        engine.open(machine);
      }
    }
    for (int i = 0; i < closed.length; i++) {
      closed[i] = false;
      engine.open(i);
    }
    engine.drain();
    assertThat(engine.open()).isZero();
    assertThat(log.releaseOrder).hasSize(60 - cancelled);
  }

  /** A depth that is accepted keeps the greatest cost within 63 bits; one more would not. */
  @Property
  void acceptedDepthCannotOverflow(
      @ForAll @IntRange(max = 21) int shift,
      @ForAll @LongRange(min = 1, max = 1L << 31) long weight,
      @ForAll @LongRange(min = 1, max = 1L << 31) long ept) {
    BigInteger unit = BigInteger.valueOf(weight).shiftLeft(shift).multiply(BigInteger.valueOf(ept));
    BigInteger most = BigInteger.valueOf(Long.MAX_VALUE).divide(unit).subtract(BigInteger.ONE);
    SosParameters.Builder builder =
        SosParameters.builder(1).shift(shift).maxWeight(weight).maxEptTicks(ept);
    if (most.signum() <= 0) {
      assertThatThrownBy(builder::build).isInstanceOf(InvalidInputException.class);
    } else {
      assertThat(builder.build().depth()).isBetween(1, most.min(BigInteger.TWO.pow(30)).intValue());
      if (most.bitLength() < 31) {
        assertThat(builder.depth(most.intValue()).build().depth()).isLessThanOrEqualTo(1 << 24);
        assertThatThrownBy(builder.depth(most.intValue() + 1)::build)
            .isInstanceOf(InvalidInputException.class);
      }
    }
  }

  @Property
  void refusesWhatIsOutOfRange(@ForAll @LongRange(min = -5, max = 300) long weight) {
    SosEngine engine =
        SosEngine.create(SosParameters.builder(2).maxEptTicks(9).build(), SosListener.NONE);
    if (weight < 1 || weight > 255) {
      assertThatThrownBy(() -> engine.submit(0, weight, new long[] {1, 9}))
          .isInstanceOf(InvalidInputException.class);
    }
    for (long[] ept : new long[][] {{0, 0}, {-1, 3}, {10, 1}}) {
      assertThatThrownBy(() -> engine.submit(0, 1, ept)).isInstanceOf(InvalidInputException.class);
    }
    assertThatThrownBy(() -> engine.submit(0, 1, new long[] {2, 2}, new long[] {1, 3}))
        .isInstanceOf(InvalidInputException.class);
    assertThat(engine.open()).isZero();
    assertThat(engine.submit(0, 1, new long[] {SosEngine.CANNOT_RUN, 9})).isEqualTo(1);
  }
}
