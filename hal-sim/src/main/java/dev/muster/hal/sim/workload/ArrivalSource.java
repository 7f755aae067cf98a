package dev.muster.hal.sim.workload;

import org.jspecify.annotations.Nullable;

/**
 * Pulls the arrivals of a workload one by one, without allocation.
 *
 * <p>Arrivals come ordered by arrival time, then deadline, then index. The accessors describe the
 * arrival that the last {@link #advance()} moved to.
 */
public interface ArrivalSource {
  /** Moves to the next arrival; returns false at the end. */
  boolean advance();

  /** Returns when the task arrives, in nanoseconds since the start. */
  long arrivalNanos();

  /** Returns the service time on the reference worker, in nanoseconds. */
  long sizeNanos();

  /** Returns the latest finish that is on time, in nanoseconds since the start. */
  long deadlineNanos();

  /** Returns the index of the application in {@link Workload#applications()}. */
  default int application() {
    return 0;
  }

  /** Returns what is known about the task beyond its application, e.g. for a predictor. */
  default @Nullable Object payload() {
    return null;
  }

  /** Returns the weight, at least 1. */
  default int weight() {
    return 1;
  }
}
