package dev.muster.core.baseline;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Variant;
import dev.muster.api.WorkerPool;
import dev.muster.core.spork.FutureDemand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the load of the last interval with a fixed headroom above it.
 *
 * <p>FPGA-dynamic of the Spork evaluation (section 5.1): {@code ceil((load + headroom) / (S T_s))}
 * workers of one type, at least one. The first interval is provisioned for its own load, ready at
 * the start. The paper chooses the least headroom, in multiples of the largest change of load
 * between intervals, that misses no deadline.
 */
public final class HeadroomAllocation implements AllocationPolicy {
  private final String type;
  private final FutureDemand load;
  private final long intervalNanos;
  private final long headroomNanos;
  private @Nullable WorkerPool pool;
  private @Nullable Variant speed;

  private HeadroomAllocation(
      String type, FutureDemand load, long intervalNanos, long headroomNanos) {
    this.type = type;
    this.load = load;
    this.intervalNanos = intervalNanos;
    this.headroomNanos = headroomNanos;
  }

  /**
   * Creates an allocation.
   *
   * @param type the worker type
   * @param load work by interval; only past intervals are asked for, but for the first
   * @param intervalNanos length of the interval, at least 1
   * @param headroomNanos reference service time per interval to provision on top, at least 0
   */
  public static HeadroomAllocation of(
      String type, FutureDemand load, long intervalNanos, long headroomNanos) {
    if (intervalNanos < 1 || headroomNanos < 0) {
      throw InvalidInputException.of(
          "headroom allocation interval and headroom (ns)",
          intervalNanos + ", " + headroomNanos,
          "must be >= 1 and >= 0",
          "use the worker type's spin-up time and 0");
    }
    return new HeadroomAllocation(type, load, intervalNanos, headroomNanos);
  }

  @Override
  public void onStart(List<WorkerPool> pools) {
    pool = FixedAllocation.named(pools, type);
    speed = Variant.of("work", type).resolvedFor(pool.type());
  }

  @Override
  public long intervalNanos() {
    return intervalNanos;
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    if (pool == null || speed == null) {
      throw new IllegalStateException("the allocation was not started");
    }
    long work = load.referenceNanos(Math.max(0, interval.index() - 1)) + headroomNanos;
    targets[pool.index()] =
        Math.max(1, Math.toIntExact(Math.ceilDiv(speed.serviceNanos(work), intervalNanos)));
  }
}
