package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Holds the laws of synthetic workloads. */
class SyntheticWorkloadProperties {
  @Property(tries = 200)
  void arrivalsAreOrderedAndTheSameWheneverOpened(
      @ForAll @DoubleRange(min = 0.5, max = 0.8) double bias,
      @ForAll @IntRange(min = 1, max = 9) int minutes,
      @ForAll RateShape shape,
      @ForAll long seed) {
    Workload workload =
        SyntheticWorkload.builder()
            .bias(bias)
            .minutes(minutes)
            .meanWorkers(0.5)
            .rateShape(shape)
            .seed(seed)
            .build();
    List<SeenTask> first = SeenTask.of(workload);
    assertThat(SeenTask.of(workload)).isEqualTo(first);
    long before = 0;
    for (SeenTask task : first) {
      assertThat(task.arrival()).isBetween(before, workload.horizonNanos() - 1);
      assertThat(task.deadline()).isEqualTo(task.arrival() + 10 * task.size());
      before = task.arrival();
    }
  }

  @Property(tries = 100)
  void tasksOfOneInstantComeByDeadline(@ForAll long seed) {
    // A task every two nanoseconds: most instants with a task have several within reach.
    Load load = new Load(1e6, 10, RateShape.LINEAR);
    TaskSizes sizes = TaskSizes.between(1_000_000, 3_000_000);
    RateWorkload dense =
        new RateWorkload("dense", new double[] {1, 1}, sizes, load, RandomStreams.of(seed));
    ArrivalSource source = dense.open();
    ArrivalSource again = dense.open();
    long arrival = 0;
    long deadline = 0;
    int ties = 0;
    for (int i = 0; i < 20_000; i++) {
      assertThat(source.advance()).isTrue();
      assertThat(again.advance()).isTrue();
      assertThat(again.sizeNanos()).isEqualTo(source.sizeNanos()).isBetween(1_000_000L, 3_000_000L);
      if (source.arrivalNanos() == arrival) {
        ties++;
        assertThat(source.deadlineNanos()).isGreaterThanOrEqualTo(deadline);
      }
      assertThat(source.arrivalNanos()).isGreaterThanOrEqualTo(arrival);
      arrival = source.arrivalNanos();
      deadline = source.deadlineNanos();
    }
    assertThat(ties).isPositive();
  }
}
