package dev.muster.core.baseline;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.WorkerPool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the utilisation of one type near a goal, looking back at the last interval only.
 *
 * <p>Reactive scaling in the manner of INFaaS (Table 4 of Spork): as many workers as would have run
 * the interval's work at the goal, the work that overflowed to other types included. Nothing is
 * predicted and no objective is weighed.
 */
public final class UtilisationAllocation implements AllocationPolicy {
  private final String type;
  private final long intervalNanos;
  private final int goalPercent;
  private @Nullable WorkerPool pool;

  private UtilisationAllocation(String type, long intervalNanos, int goalPercent) {
    this.type = type;
    this.intervalNanos = intervalNanos;
    this.goalPercent = goalPercent;
  }

  /**
   * Creates an allocation.
   *
   * @param type the worker type to scale
   * @param intervalNanos length of the interval, at least 1
   * @param goalPercent utilisation to aim at, 1 to 100
   */
  public static UtilisationAllocation of(String type, long intervalNanos, int goalPercent) {
    if (intervalNanos < 1 || goalPercent < 1 || goalPercent > 100) {
      throw InvalidInputException.of(
          "utilisation allocation interval (ns) and goal (%)",
          intervalNanos + ", " + goalPercent,
          "must be >= 1 and in 1..100",
          "use the worker type's spin-up time and 70");
    }
    return new UtilisationAllocation(type, intervalNanos, goalPercent);
  }

  @Override
  public void onStart(List<WorkerPool> pools) {
    pool = FixedAllocation.named(pools, type);
  }

  @Override
  public long intervalNanos() {
    return intervalNanos;
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    if (pool == null) {
      throw new IllegalStateException("the allocation was not started");
    }
    double work = 0;
    double speed = speed(pool);
    for (WorkerPool other : interval.pools()) {
      work += interval.assignedNanos(other) * speed(other) / speed;
    }
    targets[pool.index()] = (int) Math.ceil(work * 100 / goalPercent / intervalNanos);
  }

  private static double speed(WorkerPool pool) {
    return (double) pool.type().speedupNumerator() / pool.type().speedupDenominator();
  }
}
