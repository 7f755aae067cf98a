package dev.muster.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks on real hardware in real time, inside a host application.
 *
 * <p>All methods may be called from any thread, virtual ones included. Every submission gets a
 * {@link Handle}, and every handle gets exactly one {@link Outcome}, whatever happens: a refused
 * submission is {@link Outcome.Rejected}, an error of the scheduler itself is {@link
 * Outcome.Failed} with that error, and what is open when the scheduler closes is {@link
 * Outcome.Cancelled}.
 */
public interface Scheduler extends AutoCloseable {
  /**
   * Stands for the task id in the outcome of a submission that never reached the policy: refused,
   * or cancelled while it was still in the inbox.
   */
  long NO_TASK = -1;

  /**
   * Submits a task.
   *
   * <p>When the inbox is full, the task is refused at once or the caller waits, as the scheduler
   * was configured. After {@link #close} every task is refused with {@link RejectReason#CLOSED}.
   *
   * @throws InvalidInputException if the application is not registered
   */
  Handle submit(Submission submission);

  /**
   * Submits a task of weight 1.
   *
   * @param application name of a registered application
   * @param size service time on the reference worker, known or predicted
   * @param deadline time from now until it must have finished
   * @param payload what the variants work on, or {@code null}
   */
  default Handle submit(
      String application, Duration size, Duration deadline, @Nullable Object payload) {
    return submit(Submission.of(application, size, deadline, payload));
  }

  /** Returns what happened so far. */
  Stats stats();

  /** Returns the error that stopped the scheduler, if one did. */
  Optional<Throwable> failure();

  /**
   * Stops accepting tasks, lets the accepted ones finish, cancels those that are still open when
   * the time is up, and closes the hardware. Idempotent: later calls wait for the first one.
   *
   * @param drainTimeout how long open tasks may take to finish; afterwards a running task gets one
   *     more second to notice that it was cancelled
   * @return what was left
   */
  CloseReport close(Duration drainTimeout);

  /** Closes with a drain time of 30 s. */
  @Override
  default void close() {
    close(Duration.ofSeconds(30));
  }

  /**
   * Describes a task to submit.
   *
   * @param application name of a registered application
   * @param sizeNanos service time on the reference worker, 0 to {@link Task#MAX_SIZE_NANOS}, or
   *     {@link Task#UNKNOWN_SIZE} if the scheduler has a {@link RuntimePredictor}
   * @param deadlineNanos time from the submission until it must have finished, at least 0, or
   *     {@link Task#NO_DEADLINE}
   * @param weight at least 1
   * @param payload what the variants work on, if anything
   */
  record Submission(
      String application,
      long sizeNanos,
      long deadlineNanos,
      int weight,
      @Nullable Object payload) {
    private static final Duration LONGEST = Duration.ofNanos(Task.NO_DEADLINE);

    /**
     * Creates a submission.
     *
     * @throws InvalidInputException if the size, deadline or weight is out of range
     */
    public Submission {
      if ((sizeNanos < 0 && sizeNanos != Task.UNKNOWN_SIZE) || sizeNanos > Task.MAX_SIZE_NANOS) {
        throw InvalidInputException.of(
            "task size (ns)",
            sizeNanos,
            "must be between 0 and " + Task.MAX_SIZE_NANOS + ", or Task.UNKNOWN_SIZE",
            "give the service time on the reference worker");
      }
      if (deadlineNanos < 0) {
        throw InvalidInputException.of(
            "task deadline (ns from now)",
            deadlineNanos,
            "must be >= 0",
            "give the time left, or Task.NO_DEADLINE");
      }
      if (weight < 1) {
        throw InvalidInputException.of(
            "task weight", weight, "must be >= 1", "use 1 for equal tasks");
      }
    }

    /** Creates a submission of weight 1. */
    public static Submission of(
        String application, Duration size, Duration deadline, @Nullable Object payload) {
      return new Submission(application, saturated(size), saturated(deadline), 1, payload);
    }

    /** Creates a submission of weight 1 whose size the scheduler's predictor has to predict. */
    public static Submission ofUnknownSize(
        String application, Duration deadline, @Nullable Object payload) {
      return new Submission(application, Task.UNKNOWN_SIZE, saturated(deadline), 1, payload);
    }

    /** Turns a duration that is too long for a long into one that never ends. */
    private static long saturated(Duration duration) {
      return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : Task.NO_DEADLINE;
    }
  }

  /** Follows one task from its submission to its outcome. */
  interface Handle {
    /** Tells whether the outcome is known. */
    boolean isDone();

    /**
     * Returns the stage that completes with the outcome, always normally. Its callbacks run on a
     * thread of the scheduler's that does nothing else; a slow one delays other callbacks, never
     * the scheduling.
     */
    CompletionStage<Outcome> outcome();

    /** Waits for the outcome. */
    Outcome await() throws InterruptedException;

    /** Waits for the outcome; empty if the time is up first. */
    Optional<Outcome> await(Duration timeout) throws InterruptedException;

    /**
     * Returns what the policy expects of the deadline; empty as long as it has not seen the task.
     * {@link Outlook#UNKNOWN} once the task has a worker, or an outcome, and the policy said
     * nothing.
     */
    Optional<Outlook> outlook();

    /** Waits until {@link #outlook} is known: for one decision, not for the run. */
    Outlook awaitOutlook() throws InterruptedException;

    /**
     * Asks for the task to end early. Idempotent; a running body is told and decides how soon it
     * ends, and one that ends normally all the same is {@link Outcome.Completed}.
     *
     * @return false if the outcome was known already
     */
    boolean cancel();
  }

  /**
   * Counts what became of the submissions so far. {@code accepted = completed + rejected + failed +
   * cancelled + open} holds exactly after the scheduler has closed, with nothing open.
   *
   * @param accepted submissions taken in
   * @param refused submissions turned away because the inbox was full or the scheduler closed
   * @param waits submissions that had to wait for room in the inbox
   * @param completed tasks that completed
   * @param rejected tasks that the policy, or a full queue, rejected
   * @param failed tasks that failed for good
   * @param cancelled tasks that were cancelled
   * @param missed completed tasks that finished after their deadline
   * @param open tasks without an outcome yet
   */
  record Stats(
      long accepted,
      long refused,
      long waits,
      long completed,
      long rejected,
      long failed,
      long cancelled,
      long missed,
      long open) {}

  /**
   * Reports how closing went.
   *
   * @param cancelled tasks that did not finish within the drain time and were cancelled
   * @param abandoned tasks among them that still ran when the scheduler stopped waiting for them
   * @param devices stable ids of devices that could not be closed in time
   */
  record CloseReport(long cancelled, long abandoned, List<String> devices) {
    /** Creates a report. */
    public CloseReport {
      devices = List.copyOf(devices);
    }

    /** Tells whether everything finished and closed in time. */
    public boolean isClean() {
      return cancelled == 0 && devices.isEmpty();
    }
  }
}
