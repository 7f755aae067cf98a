package dev.muster.api;

/**
 * Says what is to be expected of a task's deadline, from the tasks known when it was submitted.
 *
 * <p>A policy tells it with {@link SchedulingContext#foresee}; it is a forecast, not a promise:
 * tasks that are submitted later can be more urgent.
 */
public enum Outlook {
  /** With the tasks known now, it will be met. */
  ON_TIME,
  /** With the tasks known now, it is likely to be missed, though an idle fleet could meet it. */
  LATE,
  /** Not even an idle fleet could meet it. */
  HOPELESS,
  /** The policy does not say. */
  UNKNOWN
}
