package dev.muster.core.spork;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Objective;
import dev.muster.api.WorkerPool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocates with perfect knowledge of the next intervals' work.
 *
 * <p>With a look-ahead of 1 this is Spork with perfect predictions (SporkE-ideal, SporkC-ideal): as
 * many accelerators as the next interval needs by {@link BreakEven#workersNeeded}. With 2 and the
 * cost objective it is the allocation of MArk-ideal: the least that any of the next two intervals
 * needs, since MArk plans over several intervals and is costly to over-provision.
 */
public final class IdealAllocator implements AllocationPolicy {
  private final Objective objective;
  private final FutureDemand demand;
  private final long intervalNanos;
  private final int lookAhead;
  private @Nullable HybridPair pair;
  private @Nullable BreakEven rates;

  private IdealAllocator(
      Objective objective, FutureDemand demand, long intervalNanos, int lookAhead) {
    this.objective = objective;
    this.demand = demand;
    this.intervalNanos = intervalNanos;
    this.lookAhead = lookAhead;
  }

  /**
   * Creates an allocator.
   *
   * @param objective what the break-even rule minimises
   * @param demand the future, by intervals of the length given
   * @param intervalNanos length of the interval, at least 1
   * @param lookAhead how many intervals to look ahead, at least 1
   */
  public static IdealAllocator of(
      Objective objective, FutureDemand demand, long intervalNanos, int lookAhead) {
    if (intervalNanos < 1 || lookAhead < 1) {
      throw InvalidInputException.of(
          "ideal allocation interval (ns) and look-ahead",
          intervalNanos + ", " + lookAhead,
          "must be >= 1",
          "use the accelerator's spin-up time and 1");
    }
    return new IdealAllocator(objective, demand, intervalNanos, lookAhead);
  }

  @Override
  public void onStart(List<WorkerPool> pools) {
    HybridPair chosen = HybridPair.choose(pools, null, null);
    pair = chosen;
    rates =
        BreakEven.of(chosen.accelerator().type(), chosen.base().type(), objective, intervalNanos);
  }

  @Override
  public long intervalNanos() {
    return intervalNanos;
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    if (pair == null || rates == null) {
      throw new IllegalStateException("the allocator was not started");
    }
    int least = Integer.MAX_VALUE;
    for (int ahead = 1; ahead <= lookAhead; ahead++) {
      long work = demand.referenceNanos(interval.index() + ahead);
      least = Math.min(least, rates.workersNeeded(0, work));
    }
    targets[pair.accelerator().index()] = least;
  }
}
