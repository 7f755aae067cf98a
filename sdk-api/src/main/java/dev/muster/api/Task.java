package dev.muster.api;

import org.jspecify.annotations.Nullable;

/**
 * Views one unit of work as policies, HALs and observers see it.
 *
 * <p>The engine owns the object and may reuse it once the task's outcome is terminal: do not keep a
 * reference beyond that. Times are nanoseconds on the clock of the run, which starts at 0.
 */
public interface Task {
  /** Stands for "no deadline". */
  long NO_DEADLINE = Long.MAX_VALUE;

  /** Bounds the size of a task, about 104 days, so that service times cannot overflow. */
  long MAX_SIZE_NANOS = 1L << 53;

  /** Stands for a size that the scheduler's {@link RuntimePredictor} has to predict. */
  long UNKNOWN_SIZE = Long.MIN_VALUE;

  /** Returns the id: 0, 1, 2, ... in the order of submission. */
  long id();

  /** Returns the application whose variants can run the task. */
  Application application();

  /** Returns when the task was submitted. */
  long arrivalNanos();

  /** Returns the latest finish that still counts as on time, or {@link #NO_DEADLINE}. */
  long deadlineNanos();

  /** Returns the service time on the reference worker, known or predicted. */
  long sizeNanos();

  /** Returns the weight, at least 1; meaningful to policies that optimise weighted completion. */
  int weight();

  /** Returns the object the host attached for its variants to work on, if any. */
  @Nullable Object payload();

  /** Returns how often a load or run was started for the task so far. */
  int attempts();
}
