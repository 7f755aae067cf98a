package dev.muster.hal.sim.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds one task that a cursor showed, for comparison.
 *
 * @param application its name, not its index
 */
record SeenTask(long arrival, long size, long deadline, String application, int weight) {
  static List<SeenTask> of(Workload workload) {
    List<SeenTask> tasks = new ArrayList<>();
    ArrivalSource source = workload.open();
    while (source.advance()) {
      tasks.add(
          new SeenTask(
              source.arrivalNanos(),
              source.sizeNanos(),
              source.deadlineNanos(),
              workload.applications().get(source.application()),
              source.weight()));
    }
    return tasks;
  }

  /** Says whether a task may come before another one by time. */
  boolean mayPrecede(SeenTask next) {
    return arrival < next.arrival || (arrival == next.arrival && deadline <= next.deadline);
  }

  /** Folds a workload into a number that any change of any task changes. */
  static long fingerprint(Workload workload) {
    long hash = 17;
    for (ArrivalSource task = workload.open(); task.advance(); ) {
      hash = 31 * hash + task.arrivalNanos();
      hash = 31 * hash + task.sizeNanos();
      hash = 31 * hash + task.deadlineNanos();
    }
    return hash;
  }
}
