package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
  private static Workload one(String application, long arrival, long deadline, long horizon) {
    return Workloads.of(
        application,
        application,
        new long[] {arrival},
        new long[] {deadline},
        new long[] {deadline},
        horizon);
  }

  @Test
  void refusesExplicitTasksWithADeadlineBeforeTheirArrival() {
    assertThatThrownBy(() -> Workloads.of("x", new long[] {5}, new long[] {1}, new long[] {4}, 10))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("task 0 deadline");
  }

  @Test
  void refusesColumnsOfDifferentLengths() {
    assertThatThrownBy(() -> Workloads.of("x", new long[2], new long[1], new long[2], 10))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("2/1/2");
  }

  @Test
  void mergesByArrivalThenDeadlineThenPosition() {
    Workload merged =
        Workloads.merge(
            "m",
            List.of(one("c", 5, 9, 10), one("b", 5, 8, 20), one("a", 5, 8, 6), one("b", 1, 30, 6)));
    assertThat(merged.name()).isEqualTo("m");
    assertThat(merged.applications()).containsExactly("c", "b", "a");
    assertThat(merged.horizonNanos()).isEqualTo(20);
    assertThat(SeenTask.of(merged))
        .containsExactly(
            new SeenTask(1, 30, 30, "b", 1),
            new SeenTask(5, 8, 8, "b", 1),
            new SeenTask(5, 8, 8, "a", 1),
            new SeenTask(5, 9, 9, "c", 1));
    assertThat(merged.summary()).isEqualTo(new WorkloadSummary(4, 55, 20));
  }

  @Test
  void aMergedSourceStaysAtTheEnd() {
    ArrivalSource source = Workloads.merge("m", List.of(one("a", 1, 2, 3))).open();
    assertThat(source.advance()).isTrue();
    assertThat(source.advance()).isFalse();
    assertThat(source.advance()).isFalse();
  }

  @Test
  void refusesToMergeNothing() {
    assertThatThrownBy(() -> Workloads.merge("m", List.of()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("sources");
  }
}
