package dev.muster.core.baseline;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.WorkerPool;
import java.util.List;

/** Allocates the same number of workers of one type for the whole run, ready from the start. */
public final class FixedAllocation implements AllocationPolicy {
  private static final long NEVER_AGAIN_NANOS = Long.MAX_VALUE / 4;

  private final String type;
  private final int workers;
  private int pool = -1;

  private FixedAllocation(String type, int workers) {
    this.type = type;
    this.workers = workers;
  }

  /**
   * Creates an allocation.
   *
   * @param type the worker type
   * @param workers how many, at least 0
   */
  public static FixedAllocation of(String type, int workers) {
    if (workers < 0) {
      throw InvalidInputException.of(
          "fixed allocation of " + type, workers, "must be >= 0", "give the number of workers");
    }
    return new FixedAllocation(type, workers);
  }

  @Override
  public void onStart(List<WorkerPool> pools) {
    pool = named(pools, type).index();
  }

  /** Returns the pool of a named type. */
  static WorkerPool named(List<WorkerPool> pools, String type) {
    for (WorkerPool candidate : pools) {
      if (candidate.type().name().equals(type)) {
        return candidate;
      }
    }
    throw InvalidInputException.of(
        "worker type",
        '"' + type + '"',
        "must be one of " + pools.stream().map(p -> p.type().name()).toList(),
        "name a type of the fleet");
  }

  @Override
  public long intervalNanos() {
    return NEVER_AGAIN_NANOS;
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    targets[pool] = workers;
  }
}
