package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Holds the laws of explicit, recorded and merged workloads. */
class WorkloadsProperties {
  /** Holds a task as it is given. */
  record Given(long arrival, long size, long slack, int application, int weight) {}

  @Provide
  Arbitrary<List<Given>> tasks() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 20),
            Arbitraries.longs().between(0, 3),
            Arbitraries.longs().between(0, 3),
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(1, 3))
        .as(Given::new)
        .list()
        .ofMaxSize(40);
  }

  private static RecordedWorkload record(String name, List<Given> given) {
    // The first and last application are shared by all, the middle one is its own.
    RecordedWorkload.Builder builder =
        RecordedWorkload.builder(name, List.of("first", name, "last"), 21);
    for (Given task : given) {
      builder.add(
          task.arrival, task.size, task.arrival + task.slack, task.application, task.weight);
    }
    return builder.build();
  }

  @Property
  void explicitTasksAreSortedStablyAndNoneIsLost(@ForAll("tasks") List<Given> given) {
    List<SeenTask> expected =
        given.stream()
            .map(
                task ->
                    new SeenTask(
                        task.arrival,
                        task.size,
                        task.arrival + task.slack,
                        List.of("first", "x", "last").get(task.application),
                        task.weight))
            .sorted(
                Comparator.comparingLong(SeenTask::arrival).thenComparingLong(SeenTask::deadline))
            .toList();
    RecordedWorkload workload = record("x", given);
    assertThat(SeenTask.of(workload)).isEqualTo(expected);
    assertThat(workload.summary()).isEqualTo(WorkloadSummary.of(workload));
  }

  @Property
  void aMergeKeepsEveryTaskInTheContractsOrder(
      @ForAll @Size(min = 1, max = 9) List<@From("tasks") List<Given>> sources) {
    List<Workload> workloads = new ArrayList<>();
    List<SeenTask> all = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      workloads.add(record("w" + i, sources.get(i)));
      all.addAll(SeenTask.of(workloads.get(i)));
    }
    // A stable sort of the sources laid end to end breaks ties by source, then by index.
    all.sort(Comparator.comparingLong(SeenTask::arrival).thenComparingLong(SeenTask::deadline));
    Workload merged = Workloads.merge("m", workloads);
    assertThat(SeenTask.of(merged)).isEqualTo(all);
    assertThat(SeenTask.of(merged)).isEqualTo(all);
    assertThat(merged.summary()).isEqualTo(WorkloadSummary.of(merged));
    assertThat(merged.applications()).hasSize(2 + sources.size()).doesNotHaveDuplicates();
  }

  @Property(tries = 50)
  void aRecordReplaysItsSource(@ForAll long seed, @ForAll boolean perTask) {
    SyntheticWorkload.Builder builder =
        SyntheticWorkload.builder().meanWorkers(0.5).minutes(3).seed(seed);
    Workload workload = perTask ? builder.sizePerTask().build() : builder.build();
    RecordedWorkload recorded = RecordedWorkload.of(workload);
    assertThat(SeenTask.of(recorded)).isEqualTo(SeenTask.of(workload));
    assertThat(recorded.summary()).isEqualTo(workload.summary());
    assertThat(recorded.tasks()).isEqualTo((int) workload.summary().tasks());
  }

  @Property(tries = 50)
  void mergedGeneratedWorkloadsComeInOrder(@ForAll long seed) {
    List<Workload> workloads = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      workloads.add(
          SyntheticWorkload.builder().name(name).meanWorkers(0.5).minutes(2).seed(seed).build());
    }
    List<SeenTask> tasks = SeenTask.of(Workloads.merge("m", workloads));
    for (int i = 1; i < tasks.size(); i++) {
      assertThat(tasks.get(i - 1).mayPrecede(tasks.get(i))).isTrue();
    }
  }
}
