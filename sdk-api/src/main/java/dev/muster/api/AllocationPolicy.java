package dev.muster.api;

import java.util.List;

/**
 * Decides how many workers of each type the next interval should have.
 *
 * <p>The composition that hosts it provisions what is missing and {@linkplain
 * SchedulingContext#keep keeps} that many; it never releases a worker, idle reclamation does.
 */
public interface AllocationPolicy {
  /**
   * Learns the fleet it allocates for; called once, before any other method.
   *
   * @throws InvalidInputException if the fleet lacks a type that the policy needs
   */
  default void onStart(List<WorkerPool> pools) {}

  /** Returns the length of the decision interval in nanoseconds, at least 1. */
  long intervalNanos();

  /**
   * Sets the targets at the start of an interval.
   *
   * @param interval what is known now
   * @param targets one entry per pool, initially 0; an entry of 0 leaves the pool to the dispatcher
   */
  void allocate(Interval interval, int[] targets);

  /** Returns how long workers of a pool may idle before they are reclaimed; read once, at start. */
  default long idleTimeoutNanos(WorkerPool pool) {
    return pool.type().idleTimeoutNanos();
  }

  /** Learns that a worker was released or lost. */
  default void onWorkerGone(Worker worker, long nowNanos) {}

  /** Views the interval that just ended. */
  interface Interval {
    /** Returns the number of intervals that ended so far; 0 at the start of a run. */
    long index();

    /** Returns the time of the decision. */
    long nowNanos();

    /** Returns the pools. */
    List<WorkerPool> pools();

    /** Returns the service time of the tasks assigned to a pool during the interval. */
    long assignedNanos(WorkerPool pool);

    /**
     * Returns the mean time between arrival and deadline of the tasks assigned during the interval
     * that have a deadline; 0 if there were none.
     */
    long meanSlackNanos();
  }
}
