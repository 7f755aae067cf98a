package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedWorkloadTest {
  private static RecordedWorkload.Builder builder() {
    return RecordedWorkload.builder("x", List.of("a", "b"), 100);
  }

  @Test
  void sortsByArrivalThenDeadlineThenTheOrderAdded() {
    RecordedWorkload workload =
        builder()
            .add(7, 1, 9, 1, 5)
            .add(3, 2, 9)
            .add(3, 3, 8)
            .add(3, 4, 8, 1, 2)
            .add(3, 5, Task.NO_DEADLINE)
            .build();
    assertThat(SeenTask.of(workload))
        .containsExactly(
            new SeenTask(3, 3, 8, "a", 1),
            new SeenTask(3, 4, 8, "b", 2),
            new SeenTask(3, 2, 9, "a", 1),
            new SeenTask(3, 5, Task.NO_DEADLINE, "a", 1),
            new SeenTask(7, 1, 9, "b", 5));
    assertThat(workload.summary()).isEqualTo(new WorkloadSummary(5, 15, 100));
    assertThat(workload.arrivalNanos(4)).isEqualTo(7);
    assertThat(workload.sizeNanos(4)).isEqualTo(1);
    assertThat(workload.deadlineNanos(3)).isEqualTo(Task.NO_DEADLINE);
    assertThat(workload.application(1)).isEqualTo(1);
    assertThat(workload.weight(4)).isEqualTo(5);
    assertThatThrownBy(() -> workload.sizeNanos(5)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void mayBeEmptyAndStaysAtTheEnd() {
    RecordedWorkload empty = builder().build();
    ArrivalSource source = empty.open();
    assertThat(source.advance()).isFalse();
    assertThat(source.advance()).isFalse();
    assertThat(empty.summary()).isEqualTo(new WorkloadSummary(0, 0, 100));
  }

  @Test
  void recordsARecordAsItself() {
    RecordedWorkload workload = builder().add(1, 1, 1).build();
    assertThat(RecordedWorkload.of(workload)).isSameAs(workload);
  }

  @Test
  void refusesTasksOutOfRangeNamingThem() {
    assertRefused(-1, 1, 5, 0, 1, "task 1 arrival");
    assertRefused(100, 1, 500, 0, 1, "task 1 arrival");
    assertRefused(5, -1, 5, 0, 1, "task 1 size");
    assertRefused(5, (1L << 53) + 1, 5, 0, 1, "task 1 size");
    assertRefused(5, 1, 4, 0, 1, "task 1 deadline");
    assertRefused(5, 1, 5, 2, 1, "task 1 application");
    assertRefused(5, 1, 5, -1, 1, "task 1 application");
    assertRefused(5, 1, 5, 0, 0, "task 1 weight");
  }

  private static void assertRefused(
      long arrival, long size, long deadline, int application, int weight, String thing) {
    RecordedWorkload.Builder builder = builder().add(1, 1, 1);
    assertThatThrownBy(() -> builder.add(arrival, size, deadline, application, weight))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("workload x " + thing);
  }

  @Test
  void refusesWorkThatOverflows() {
    RecordedWorkload.Builder builder = builder();
    for (int i = 0; i < 1_023; i++) {
      builder.add(1, 1L << 53, 1);
    }
    assertThatThrownBy(() -> builder.add(1, 1L << 53, 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("total work");
  }

  @Test
  void refusesHorizonsAndApplicationsOutOfRange() {
    for (long horizon : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> RecordedWorkload.builder("x", List.of("a"), horizon))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("horizon");
    }
    for (List<String> applications : List.of(List.<String>of(), List.of("a", "a"))) {
      assertThatThrownBy(() -> RecordedWorkload.builder("x", applications, 1))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("applications");
    }
  }
}
