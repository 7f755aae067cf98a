package dev.muster.core.engine;

import dev.muster.api.EnergyReading;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import org.jspecify.annotations.Nullable;

/**
 * Watches what an engine does: for recorders, outcome delivery, invariant checkers and traces.
 *
 * <p>Callbacks come on the engine's thread, in the order things happen. Every submitted task gets
 * exactly one of {@link #onCompleted}, {@link #onRejected}, {@link #onFailed} and {@link
 * #onCancelled}. Task objects are not to be kept beyond that call.
 */
public interface EngineObserver {
  /** Watches nothing. */
  EngineObserver NONE = new EngineObserver() {};

  /** Reports that a task was accepted. */
  default void onSubmitted(Task task, long nowNanos) {}

  /** Reports what the policy expects of a task's deadline. */
  default void onForeseen(Task task, Outlook outlook, long nowNanos) {}

  /** Reports that a task joined the FIFO of a worker. */
  default void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {}

  /** Reports that a run started. */
  default void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {}

  /** Reports that a task was taken back from a worker and goes to the policy again. */
  default void onReclaimed(Task task, Worker worker, long nowNanos) {}

  /** Reports that a task completed; {@code energy} is null where only the model knows. */
  default void onCompleted(
      Task task,
      Worker worker,
      Variant variant,
      long startNanos,
      long finishNanos,
      @Nullable Object result,
      @Nullable EnergyReading energy) {}

  /** Reports that a task was rejected. */
  default void onRejected(Task task, RejectReason reason, long nowNanos) {}

  /** Reports that a task failed for good. */
  default void onFailed(Task task, Throwable cause, long nowNanos) {}

  /** Reports that a task was cancelled. */
  default void onCancelled(Task task, long nowNanos) {}

  /** Reports that a worker was provisioned. */
  default void onProvisioned(Worker worker, long nowNanos) {}

  /** Reports that a worker finished spinning up. */
  default void onReady(Worker worker, long nowNanos) {}

  /** Reports that a worker started to load an image. */
  default void onLoading(Worker worker, Variant variant, long nowNanos) {}

  /**
   * Reports that a worker was released or lost.
   *
   * @param busyNanos the time it spent running tasks
   */
  default void onGone(Worker worker, long busyNanos, long nowNanos) {}
}
