package dev.muster.core.spork;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.Objective;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the allocator by the accelerator's spin-up time.
 *
 * <p>Up to {@value #LONGEST_ROLLING_SECONDS} s the {@link RollingAllocator} with energy and cost
 * weighed 1:2 uses less energy and costs less than SporkE. Beyond, a forecast over the spin-up time
 * is worth little: rolling saves energy but costs more, so the published {@link SporkAllocator} for
 * energy is used.
 */
final class AdaptiveAllocator implements AllocationPolicy {
  static final long LONGEST_ROLLING_SECONDS = 30;

  private @Nullable AllocationPolicy chosen;

  @Override
  public void onStart(List<WorkerPool> pools) {
    WorkerPool accelerator = HybridPair.choose(pools, null, null).accelerator();
    AllocationPolicy policy =
        accelerator.type().spinUpNanos() <= LONGEST_ROLLING_SECONDS * 1_000_000_000L
            ? RollingAllocator.of(new Objective(1, 2))
            : SporkAllocator.of(Objective.ENERGY);
    policy.onStart(pools);
    chosen = policy;
  }

  @Override
  public long intervalNanos() {
    return chosen().intervalNanos();
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    chosen().allocate(interval, targets);
  }

  @Override
  public long idleTimeoutNanos(WorkerPool pool) {
    return chosen().idleTimeoutNanos(pool);
  }

  @Override
  public void onWorkerGone(Worker worker, long nowNanos) {
    chosen().onWorkerGone(worker, nowNanos);
  }

  private AllocationPolicy chosen() {
    AllocationPolicy policy = chosen;
    if (policy == null) {
      throw new IllegalStateException("the allocator was not started");
    }
    return policy;
  }
}
