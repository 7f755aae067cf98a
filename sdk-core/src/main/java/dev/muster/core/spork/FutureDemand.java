package dev.muster.core.spork;

/** Tells how much work each interval of a run will bring; only a simulation can know. */
@FunctionalInterface
public interface FutureDemand {
  /**
   * Returns the work that arrives in an interval, in nanoseconds of reference service time.
   *
   * @param interval 0 is the first; an interval beyond the end brings 0
   */
  long referenceNanos(long interval);
}
