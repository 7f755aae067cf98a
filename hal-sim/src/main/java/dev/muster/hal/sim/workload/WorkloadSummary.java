package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;

/**
 * Sums up a workload.
 *
 * @param tasks how many tasks arrive
 * @param workNanos sum of their service times on the reference worker, in nanoseconds
 * @param horizonNanos time before which all of them arrive, in nanoseconds
 */
public record WorkloadSummary(long tasks, long workNanos, long horizonNanos) {
  /** Creates a summary. */
  public WorkloadSummary {
    if (tasks < 0 || workNanos < 0 || horizonNanos < 1) {
      throw InvalidInputException.of(
          "workload summary (tasks/work/horizon)",
          tasks + "/" + workNanos + "/" + horizonNanos,
          "must be at least 0/0/1",
          "correct the sums");
    }
  }

  /** Counts by one pass over a workload: time O(tasks), memory O(1). */
  static WorkloadSummary of(Workload workload) {
    long tasks = 0;
    long work = 0;
    for (ArrivalSource source = workload.open(); source.advance(); ) {
      tasks++;
      work = plus(workload.name(), work, source.sizeNanos());
    }
    return new WorkloadSummary(tasks, work, workload.horizonNanos());
  }

  /** Adds work, refusing what does not fit a long. */
  static long plus(String workload, long workNanos, long moreNanos) {
    long sum = workNanos + moreNanos;
    if (sum < 0) {
      throw InvalidInputException.of(
          "workload " + workload + " total work (ns)",
          workNanos + " + " + moreNanos,
          "must be at most " + Long.MAX_VALUE,
          "split the workload");
    }
    return sum;
  }

  /** Returns how many reference workers the work keeps busy on average until the horizon. */
  public double meanWorkers() {
    return (double) workNanos / horizonNanos;
  }
}
