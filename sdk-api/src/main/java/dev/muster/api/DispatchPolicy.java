package dev.muster.api;

import org.jspecify.annotations.Nullable;

/** Chooses the worker for a task among those allocated. */
@FunctionalInterface
public interface DispatchPolicy {
  /**
   * Chooses a worker.
   *
   * @return the worker, or {@code null} when none allocated will do and the composition's overflow
   *     rule should decide
   */
  @Nullable Worker select(Task task, SchedulingContext context);

  /** Learns that a worker was provisioned. */
  default void onWorkerProvisioned(Worker worker) {}

  /** Learns that a worker was released or lost. */
  default void onWorkerGone(Worker worker) {}
}
