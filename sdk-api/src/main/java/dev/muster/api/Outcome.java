package dev.muster.api;

import org.jspecify.annotations.Nullable;

/**
 * Tells how a task ended; every accepted task ends in exactly one of these.
 *
 * <p>A result is reachable only from {@link Completed}: a run that failed, timed out or was
 * cancelled has no output.
 */
public sealed interface Outcome {
  /** Returns the id of the task. */
  long taskId();

  /**
   * Reports a finished run.
   *
   * @param taskId the task
   * @param workerId the worker that ran it
   * @param variant the variant that ran
   * @param arrivalNanos when it was submitted
   * @param startNanos when the run started
   * @param finishNanos when the run finished
   * @param deadlineNanos its deadline, or {@link Task#NO_DEADLINE}
   * @param energy energy of the run, with its source
   * @param result what the variant returned, if anything
   */
  record Completed(
      long taskId,
      long workerId,
      Variant variant,
      long arrivalNanos,
      long startNanos,
      long finishNanos,
      long deadlineNanos,
      EnergyReading energy,
      @Nullable Object result)
      implements Outcome {
    /** Tells whether the task finished after its deadline. */
    public boolean missedDeadline() {
      return finishNanos > deadlineNanos;
    }
  }

  /**
   * Reports a task that was accepted but never run.
   *
   * @param taskId the task
   * @param reason why
   */
  record Rejected(long taskId, RejectReason reason) implements Outcome {}

  /**
   * Reports a task whose run failed and that will not be tried again.
   *
   * @param taskId the task
   * @param cause what went wrong in the last attempt
   * @param attempts how often it was given to a worker
   */
  record Failed(long taskId, Throwable cause, int attempts) implements Outcome {}

  /**
   * Reports a task that the host withdrew, or that was open when the scheduler closed.
   *
   * @param taskId the task
   */
  record Cancelled(long taskId) implements Outcome {}
}
