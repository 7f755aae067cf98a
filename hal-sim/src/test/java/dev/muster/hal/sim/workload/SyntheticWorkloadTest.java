package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticWorkloadTest {
  private static final long MINUTE = 60_000_000_000L;

  @Test
  void arrivalsHaveTheMeanThatWasAskedFor() {
    for (RateShape shape : RateShape.values()) {
      WorkloadSummary summary =
          SyntheticWorkload.builder()
              .meanWorkers(20)
              .minutes(60)
              .seed(3)
              .rateShape(shape)
              .build()
              .summary();
      // Five standard errors: the relative error of a Poisson count is 1 / sqrt(count).
      assertThat(summary.meanWorkers())
          .as("%s", shape)
          .isCloseTo(20, within(20 * 5 / Math.sqrt((double) summary.tasks())));
    }
  }

  @Test
  void tasksNeverChangeSilently() {
    Workload workload = SyntheticWorkload.builder().meanWorkers(5).minutes(10).build();
    assertThat(SeenTask.fingerprint(workload)).isEqualTo(-3913452275953185499L);
    Workload drawn = SyntheticWorkload.builder().meanWorkers(5).minutes(10).sizePerTask().build();
    assertThat(SeenTask.fingerprint(drawn)).isEqualTo(-8161320323408594533L);
  }

  @Test
  void theDefaultIsThePaperSetting() {
    Workload workload = SyntheticWorkload.builder().build();
    assertThat(workload.horizonNanos()).isEqualTo(120 * MINUTE);
    ArrivalSource task = workload.open();
    assertThat(task.advance()).isTrue();
    assertThat(task.sizeNanos()).isBetween(10_000_000L, 100_000_000L);
    assertThat(task.deadlineNanos()).isEqualTo(task.arrivalNanos() + 10 * task.sizeNanos());
    assertThat(task.weight()).isEqualTo(1);
    assertThat(task.application()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void oneSizeIsDrawnFromTheBucketAnEvenNumberOfMicroseconds(SizeBucket bucket) {
    Set<Long> sizes = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      ArrivalSource task =
          SyntheticWorkload.builder().size(bucket).minutes(2).seed(seed).build().open();
      assertThat(task.advance()).isTrue();
      assertThat(task.sizeNanos()).isBetween(bucket.leastNanos(), bucket.mostNanos());
      assertThat(task.sizeNanos() % 2_000).isZero();
      sizes.add(task.sizeNanos());
    }
    assertThat(sizes).hasSizeGreaterThan(45);
  }

  @Test
  void sizesPerTaskCoverTheRangeAndKeepTheMeanLoad() {
    Workload workload =
        SyntheticWorkload.builder()
            .size(10_000_000, 100_000_000)
            .sizePerTask()
            .meanWorkers(50)
            .minutes(30)
            .build();
    long least = Long.MAX_VALUE;
    long most = 0;
    for (ArrivalSource task = workload.open(); task.advance(); ) {
      least = Math.min(least, task.sizeNanos());
      most = Math.max(most, task.sizeNanos());
      assertThat(task.sizeNanos() % 2_000).isZero();
      assertThat(task.deadlineNanos()).isEqualTo(task.arrivalNanos() + 10 * task.sizeNanos());
    }
    assertThat(least).isBetween(10_000_000L, 10_100_000L);
    assertThat(most).isBetween(99_900_000L, 100_000_000L);
    WorkloadSummary summary = workload.summary();
    assertThat(summary.meanWorkers())
        .isCloseTo(50, within(50 * 6 / Math.sqrt((double) summary.tasks())));
  }

  @Test
  void aNameGivesArrivalsOfItsOwn() {
    SyntheticWorkload.Builder builder = SyntheticWorkload.builder().minutes(1).meanWorkers(1);
    Workload one = builder.name("one").build();
    Workload two = builder.name("two").build();
    assertThat(one.applications()).containsExactly("one");
    assertThat(SeenTask.fingerprint(one)).isNotEqualTo(SeenTask.fingerprint(two));
  }

  @Test
  void aTinyRangeStaysInRange() {
    for (long[] range : new long[][] {{1, 500}, {1_999, 2_001}, {2_001, 3_999}, {7, 7}}) {
      ArrivalSource task =
          SyntheticWorkload.builder()
              .size(range[0], range[1])
              .meanWorkers(1e-6)
              .minutes(1)
              .build()
              .open();
      while (task.advance()) {
        assertThat(task.sizeNanos()).isBetween(range[0], range[1]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.49, 1, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesABiasOutOfRange(double bias) {
    assertRefused(SyntheticWorkload.builder().bias(bias), "[0.5, 1)");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1.1e6})
  void refusesAMeanLoadOutOfRange(double workers) {
    assertRefused(SyntheticWorkload.builder().meanWorkers(workers), "mean workers");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, Double.NaN, 1e9})
  void refusesDeadlinesBeforeTheTaskCouldFinish(double factor) {
    assertRefused(SyntheticWorkload.builder().deadlineFactor(factor), "deadline factor");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
  void refusesALengthOutOfRange(int minutes) {
    assertRefused(SyntheticWorkload.builder().minutes(minutes), "b-model slots");
  }

  @Test
  void refusesWhatWouldOverflow() {
    assertRefused(
        SyntheticWorkload.builder().size(1, 1).meanWorkers(1e6).minutes(1), "tasks per second");
    assertRefused(
        SyntheticWorkload.builder().size(1L << 53, 1L << 53).deadlineFactor(1e6),
        "time to the deadline");
    assertRefused(
        SyntheticWorkload.builder().size(SizeBucket.LONG).meanWorkers(1e6).minutes(1 << 20),
        "expected work");
  }

  @Test
  void refusesSizesOutOfRange() {
    for (long[] range : new long[][] {{0, 1}, {-5, 5}, {6, 5}, {1, (1L << 53) + 1}}) {
      assertThatThrownBy(() -> SyntheticWorkload.builder().size(range[0], range[1]))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("request sizes");
    }
  }

  private static void assertRefused(SyntheticWorkload.Builder builder, String thing) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(thing);
  }
}
