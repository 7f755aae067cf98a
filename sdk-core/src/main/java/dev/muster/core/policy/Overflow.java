package dev.muster.core.policy;

import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds a worker for a task when no allocated worker meets its deadline. */
@FunctionalInterface
public interface Overflow {
  /**
   * Finds or provisions a worker.
   *
   * @return the worker, or {@code null} to hold the task
   */
  @Nullable Worker place(Task task, SchedulingContext context);

  /** Holds the task until a worker becomes ready or free. */
  static Overflow hold() {
    return (task, context) -> null;
  }

  /**
   * Provisions a worker of the type with the least spin-up time that can run the task (Spork,
   * Algorithm 3 lines 16-17); the task goes there even if it will be late. Where no type has
   * headroom, falls back to {@link #earliestCompletion}.
   *
   * @param types the names of the types that may be provisioned; empty for all
   */
  static Overflow burst(String... types) {
    Set<String> allowed = Set.of(types);
    Overflow fallback = earliestCompletion();
    return (task, context) -> {
      WorkerPool best = null;
      for (WorkerPool pool : context.pools()) {
        if ((allowed.isEmpty() || allowed.contains(pool.type().name()))
            && pool.headroom() > 0
            && (best == null || pool.type().spinUpNanos() < best.type().spinUpNanos())
            && context.variant(task, pool) != null) {
          best = pool;
        }
      }
      Worker worker = best == null ? null : context.provision(best);
      return worker == null ? fallback.place(task, context) : worker;
    };
  }

  /**
   * Takes the allocated worker that would complete the task first; ties go to the pool declared
   * first and, within it, to ready workers.
   */
  static Overflow earliestCompletion() {
    return (task, context) -> {
      Worker best = null;
      long bestFinish = Long.MAX_VALUE;
      for (WorkerPool pool : context.pools()) {
        Variant variant = context.variant(task, pool);
        if (variant == null) {
          continue;
        }
        long service = variant.serviceNanos(task.sizeNanos());
        Worker ready = pool.earliestAvailable();
        if (ready != null) {
          long finish = Math.max(ready.availableAtNanos(), context.nowNanos()) + service;
          if (finish < bestFinish) {
            best = ready;
            bestFinish = finish;
          }
        }
        Worker starting = pool.earliestSpinningUp();
        if (starting != null && starting.availableAtNanos() + service < bestFinish) {
          best = starting;
          bestFinish = starting.availableAtNanos() + service;
        }
      }
      return best;
    };
  }
}
