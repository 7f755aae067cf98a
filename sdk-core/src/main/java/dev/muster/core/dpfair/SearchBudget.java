package dev.muster.core.dpfair;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds a search by steps, and by time on a clock that the host hands in.
 *
 * <p>A bound in steps gives the same result on every machine; a bound in time does not.
 *
 * @param maxOperations steps after which the search stops
 * @param maxTime time after which it stops, looked at every few thousand steps
 * @param clock nanoseconds from any origin, e.g. {@code System::nanoTime}
 */
public record SearchBudget(long maxOperations, Duration maxTime, LongSupplier clock) {
  /** Creates a budget. */
  public SearchBudget {
    Limits.require("search budget (operations)", maxOperations, 0, Long.MAX_VALUE);
    Limits.require("search budget (s)", maxTime.toSeconds(), 0, Integer.MAX_VALUE);
  }

  /** Bounds nothing. */
  public static SearchBudget unlimited() {
    return ofOperations(Long.MAX_VALUE);
  }

  /** Bounds the steps. */
  public static SearchBudget ofOperations(long maxOperations) {
    return new SearchBudget(maxOperations, Duration.ofSeconds(Integer.MAX_VALUE), () -> 0);
  }

  /** Bounds the time. */
  public static SearchBudget ofTime(Duration maxTime, LongSupplier clock) {
    return new SearchBudget(Long.MAX_VALUE, maxTime, clock);
  }

  long deadlineNanos() {
    return clock.getAsLong() + maxTime.toNanos();
  }
}
