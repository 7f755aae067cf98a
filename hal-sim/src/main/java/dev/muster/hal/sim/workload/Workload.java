package dev.muster.hal.sim.workload;

import java.util.List;

/**
 * Describes a stream of tasks that can be replayed; every {@link #open()} yields the same arrivals.
 */
public interface Workload {
  /** Returns a short name for reports. */
  String name();

  /** Returns the names of the applications whose tasks arrive. */
  List<String> applications();

  /** Returns the time before which all tasks arrive, in nanoseconds. */
  long horizonNanos();

  /** Opens a cursor before the first arrival. */
  ArrivalSource open();

  /**
   * Sums the workload up; one streaming pass unless the sums are known already.
   *
   * @throws dev.muster.api.InvalidInputException if the total work overflows
   */
  default WorkloadSummary summary() {
    return WorkloadSummary.of(this);
  }
}
