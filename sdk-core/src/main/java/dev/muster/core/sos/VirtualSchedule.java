package dev.muster.core.sos;

/**
 * Holds the jobs assigned to one machine and not released yet, by decreasing ratio of weight to
 * expected processing time (WSPT).
 *
 * <p>The head gets one unit of virtual work a tick, from the tick of its last change on. That
 * progress is held back: only the head changes between two changes of the schedule, so a query
 * corrects for it in one term, and time can jump.
 *
 * <p>A job of ratio T ranks behind the jobs whose ratio exceeds a threshold: T itself where
 * newcomers go first among equals, T - 1 where they go last.
 */
sealed interface VirtualSchedule permits SuffixSumSchedule, ScanSchedule {
  /** Stands for "no head, no release". */
  long NEVER = Long.MAX_VALUE;

  /** Returns the number of jobs. */
  int size();

  /**
   * Returns by how much the weighted completion time of the virtual schedule would grow: {@code W(e
   * + sum of remaining time over HIGH) + e * sum of remaining weight over LOW}.
   *
   * @param weight the newcomer's weight W, shifted
   * @param ept its expected processing time e in ticks
   * @param threshold jobs of a greater ratio are HIGH, the rest LOW
   * @param tick virtual work was done before this tick
   */
  long cost(long weight, long ept, long threshold, long tick);

  /**
   * Inserts a job behind the HIGH and before the LOW ones.
   *
   * @param alpha virtual work after which it is released, from 1 to {@code ept}
   * @param tick the first tick whose work counts for it
   */
  void insert(long job, long ratio, long weight, long ept, long alpha, long threshold, long tick);

  /** Returns the tick in which the head's work reaches its alpha, or {@link #NEVER}. */
  long releaseTick();

  /**
   * Removes the head in its {@link #releaseTick()}; the next head's work starts a tick later.
   *
   * @return the job
   */
  long release();

  /**
   * Removes a job without releasing it. O(size).
   *
   * @param tick virtual work was done before this tick
   * @return whether the job was there
   */
  boolean remove(long job, long tick);

  /** Returns the jobs, head first. */
  long[] jobs();
}
