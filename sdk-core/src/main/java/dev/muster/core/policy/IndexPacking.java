package dev.muster.core.policy;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches to the busiest worker of any type that meets the deadline.
 *
 * <p>AutoScale's index packing (Table 9 of Spork): like {@link EfficientFirst} it packs work to let
 * other workers idle, but it does not ask how efficient a worker's type is. Ready workers come
 * before those that are spinning up; ties between pools go to the one declared last, so that an
 * accelerator declared after the base type is preferred.
 *
 * <p>O(t log n) for t types of n workers; allocates nothing.
 */
public final class IndexPacking implements DispatchPolicy {
  private IndexPacking() {}

  /** Creates the dispatcher. */
  public static IndexPacking create() {
    return new IndexPacking();
  }

  @Override
  public @Nullable Worker select(Task task, SchedulingContext context) {
    Worker busiest = null;
    for (int i = context.pools().size() - 1; i >= 0; i--) {
      WorkerPool pool = context.pools().get(i);
      Variant variant = pool.allocated() == 0 ? null : context.variant(task, pool);
      if (variant != null) {
        Worker ready =
            pool.latestAvailable(task.deadlineNanos() - variant.serviceNanos(task.sizeNanos()));
        if (ready != null
            && (busiest == null || ready.availableAtNanos() > busiest.availableAtNanos())) {
          busiest = ready;
        }
      }
    }
    return busiest != null ? busiest : mostLoadedSpinningUp(task, context);
  }

  private static @Nullable Worker mostLoadedSpinningUp(Task task, SchedulingContext context) {
    Worker best = null;
    long bestWork = -1;
    for (int i = context.pools().size() - 1; i >= 0; i--) {
      WorkerPool pool = context.pools().get(i);
      Variant variant = pool.spinningUp() == 0 ? null : context.variant(task, pool);
      if (variant != null) {
        Worker starting =
            pool.mostLoadedSpinningUp(
                task.deadlineNanos() - variant.serviceNanos(task.sizeNanos()));
        if (starting != null && starting.availableAtNanos() - starting.readyNanos() > bestWork) {
          best = starting;
          bestWork = starting.availableAtNanos() - starting.readyNanos();
        }
      }
    }
    return best;
  }
}
