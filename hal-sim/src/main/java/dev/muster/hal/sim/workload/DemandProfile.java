package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import dev.muster.core.spork.FutureDemand;

/**
 * Sums the work of a workload by interval, for policies with perfect knowledge.
 *
 * <p>One streaming pass; memory grows with the number of intervals only.
 */
public final class DemandProfile implements FutureDemand {
  private static final int MAX_INTERVALS = 1 << 24;

  private final long[] work;

  private DemandProfile(long[] work) {
    this.work = work;
  }

  /**
   * Sums a workload.
   *
   * @param intervalNanos length of an interval, at least 1
   * @throws InvalidInputException if the workload has more than 2^24 intervals
   */
  public static DemandProfile of(Workload workload, long intervalNanos) {
    if (intervalNanos < 1 || workload.horizonNanos() / intervalNanos >= MAX_INTERVALS) {
      throw InvalidInputException.of(
          "demand profile interval (ns)",
          intervalNanos,
          "must be >= 1 and cut " + workload.name() + " into fewer than " + MAX_INTERVALS,
          "use the accelerator's spin-up time");
    }
    long[] work = new long[Math.toIntExact(Math.ceilDiv(workload.horizonNanos(), intervalNanos))];
    for (ArrivalSource tasks = workload.open(); tasks.advance(); ) {
      work[(int) (tasks.arrivalNanos() / intervalNanos)] += tasks.sizeNanos();
    }
    return new DemandProfile(work);
  }

  @Override
  public long referenceNanos(long interval) {
    return interval < work.length ? work[(int) interval] : 0;
  }

  /**
   * Returns the largest change of work between consecutive intervals within the horizon; the last
   * one may be cut short by it.
   */
  public long largestChangeNanos() {
    long largest = 0;
    for (int i = 1; i < work.length; i++) {
      largest = Math.max(largest, Math.abs(work[i] - work[i - 1]));
    }
    return largest;
  }
}
