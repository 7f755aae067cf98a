package dev.muster.hal.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Checks the analytic model of a card against one that steps cycle by cycle. */
final class CardStateProperties {
  /** Holds a phase: where, when at the earliest, what kind and how much. */
  record Job(int region, int start, CardState.Phase phase, int work, int demand) {}

  @Provide
  Arbitrary<List<Job>> jobs() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, 60),
            Arbitraries.of(CardState.Phase.class),
            Arbitraries.integers().between(0, 80),
            Arbitraries.integers().between(0, 40))
        .as(Job::new)
        .list()
        .ofMaxSize(4);
  }

  @Property
  void endsPhasesWithinACycleOfSteppingEachCycle(
      @ForAll("jobs") List<Job> raw, @ForAll @IntRange(min = 1, max = 4) int banks) {
    List<Job> jobs = onePerRegion(raw);
    DeviceModel model = model(banks);
    long[] fast = analytic(model, jobs);
    long[] slow = stepped(jobs, banks);
    for (int i = 0; i < jobs.size(); i++) {
      assertThat(fast[i])
          .as("end of %s among %s", jobs.get(i), jobs)
          .isBetween(slow[i] - 1, slow[i] + 1);
    }
  }

  @Property
  void neverEndsEarlierThanAlone(@ForAll("jobs") List<Job> raw) {
    List<Job> jobs = onePerRegion(raw);
    long[] together = analytic(model(2), jobs);
    for (int i = 0; i < jobs.size(); i++) {
      long alone = analytic(model(2), List.of(jobs.get(i)))[0];
      assertThat(together[i]).isGreaterThanOrEqualTo(alone);
    }
  }

  private static List<Job> onePerRegion(List<Job> raw) {
    return raw.stream()
        .filter(
            job ->
                raw.stream()
                    .filter(o -> o.region() == job.region())
                    .findFirst()
                    .orElseThrow()
                    .equals(job))
        .distinct()
        .sorted(java.util.Comparator.comparingInt(Job::start))
        .toList();
  }

  /** Makes a card whose link is shared by both directions; a bank moves 20 bytes/ns. */
  private static DeviceModel model(int banks) {
    return new DeviceModel(
        "t",
        1_000_000,
        0,
        1_000,
        false,
        banks,
        20_000,
        0,
        1,
        0,
        true,
        0,
        0,
        0,
        0,
        0,
        dev.muster.api.Footprint.NONE);
  }

  private static long[] analytic(DeviceModel model, List<Job> jobs) {
    CardState card = CardState.of(model, 4);
    long[] ends = new long[jobs.size()];
    int next = 0;
    while (next < jobs.size() || card.nextRegion() >= 0) {
      if (next < jobs.size() && jobs.get(next).start() <= card.nextNanos()) {
        Job job = jobs.get(next++);
        card.begin(job.start(), job.region(), job.phase(), job.work(), job.demand());
      } else {
        int region = card.nextRegion();
        long now = card.nextNanos();
        for (int i = 0; i < next; i++) {
          ends[i] = jobs.get(i).region() == region ? now : ends[i];
        }
        card.end(now, region);
      }
    }
    return ends;
  }

  /** Steps a nanosecond at a time; shares memory by raising everyone's grant little by little. */
  private static long[] stepped(List<Job> jobs, int banks) {
    double[] left = jobs.stream().mapToDouble(Job::work).toArray();
    long[] ends = new long[jobs.size()];
    java.util.Arrays.fill(ends, -1);
    for (int now = 0; now < 10_000; now++) {
      for (int i = 0; i < left.length; i++) {
        if (ends[i] < 0 && jobs.get(i).start() <= now && left[i] <= 1e-6) {
          ends[i] = now;
        }
      }
      double[] rates = rates(jobs, ends, now, banks);
      for (int i = 0; i < left.length; i++) {
        left[i] -= rates[i];
      }
    }
    return ends;
  }

  private static double[] rates(List<Job> jobs, long[] ends, int now, int banks) {
    double[] rates = new double[jobs.size()];
    int pools = Math.min(4, banks);
    double capacity = 20.0 * banks / pools;
    for (int i = 0; i < rates.length; i++) {
      Job job = jobs.get(i);
      if (ends[i] >= 0 || job.start() > now) {
        continue;
      }
      if (job.phase() == CardState.Phase.FIXED) {
        rates[i] = 1;
      } else if (job.phase() != CardState.Phase.COMPUTE) {
        int link = 0;
        for (int k = 0; k < rates.length; k++) {
          CardState.Phase phase = jobs.get(k).phase();
          boolean moves = phase == CardState.Phase.TO_CARD || phase == CardState.Phase.FROM_CARD;
          link += moves && ends[k] < 0 && jobs.get(k).start() <= now ? 1 : 0;
        }
        rates[i] = 1.0 / link;
      } else {
        rates[i] =
            job.demand() == 0
                ? 1
                : Math.min(1, level(jobs, ends, now, pools, i, capacity) / job.demand());
      }
    }
    return rates;
  }

  /** Finds by bisection the water level at which the grants of a pool fill its capacity. */
  private static double level(
      List<Job> jobs, long[] ends, int now, int pools, int of, double capacity) {
    double low = 0;
    double high = 1_000;
    for (int step = 0; step < 60; step++) {
      double level = (low + high) / 2;
      double given = 0;
      for (int k = 0; k < jobs.size(); k++) {
        Job job = jobs.get(k);
        if (job.phase() == CardState.Phase.COMPUTE
            && ends[k] < 0
            && job.start() <= now
            && job.region() % pools == jobs.get(of).region() % pools) {
          given += Math.min(level, job.demand());
        }
      }
      if (given > capacity) {
        high = level;
      } else {
        low = level;
      }
    }
    return low;
  }
}
