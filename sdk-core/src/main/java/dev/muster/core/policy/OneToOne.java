package dev.muster.core.policy;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches to an idle worker, never behind another task.
 *
 * <p>One instance per request, as serverless platforms do it (Table 4 of Spork); the instance used
 * last is taken first, so that the others time out. Pools are tried in the order of the fleet. O(t
 * log n) for t types of n workers; allocates nothing.
 */
public final class OneToOne implements DispatchPolicy {
  private OneToOne() {}

  /** Creates the dispatcher. */
  public static OneToOne create() {
    return new OneToOne();
  }

  @Override
  public @Nullable Worker select(Task task, SchedulingContext context) {
    for (WorkerPool pool : context.pools()) {
      if (pool.allocated() > 0 && context.variant(task, pool) != null) {
        Worker worker = pool.latestAvailable(context.nowNanos());
        if (worker != null && worker.load() == 0) {
          return worker;
        }
      }
    }
    return null;
  }
}
