package dev.muster.core.dpfair;

/**
 * Says how much productive time (run) a task gets in every slice, beside the fill of its segment.
 *
 * <p>Take a task with period 90 ms and 48 ms of work, in slices of 60 ms. Its share is 32 ms. The
 * window from 0 to 90 ms holds one complete slice, so at the deadline the task has had 32 of its 48
 * ms for sure, and the rest only if its segment happens to lie in the first half of the second
 * slice. {@link #INCLUDED} and {@link #ADDED} keep the average, as DP-Fair's fluid schedule does at
 * slice boundaries only; they meet every deadline when the slice divides every period. {@link
 * #STRICT} gives the task 48 ms in each slice here and holds for every slice length.
 */
public enum Accounting {
  /** Takes the fill out of the share: run = share - II. The paper's reading. */
  INCLUDED,
  /** Pays the fill on top of the share: run = share, since e = td / th holds no fill. */
  ADDED,
  /**
   * Delivers a batch in the complete slices of its own period: run = e / q rounded up, where q is
   * the least number of complete slices in any period. The default: every deadline is met.
   */
  STRICT;

  /** Returned for a variant that cannot work with the slice. */
  static final long UNUSABLE = -1;

  /**
   * Returns the run time per slice, or {@link #UNUSABLE}.
   *
   * @param stages tasks in the task's chain; the batch passes one stage a slice, so that {@code
   *     stages - 1} slices of each period are lost to every stage (STRICT only)
   */
  long runMicros(PeriodicTask task, int variant, long sliceMicros, int stages) {
    long share = task.shareMicros(variant, sliceMicros);
    return switch (this) {
      case INCLUDED -> share > task.fillMicros() ? share - task.fillMicros() : UNUSABLE;
      case ADDED -> share;
      case STRICT -> {
        long slices = completeSlices(task.periodMicros(), sliceMicros) - (stages - 1);
        yield slices <= 0
            ? UNUSABLE
            : Limits.ceilDiv(task.variants().get(variant).execMicros(), slices);
      }
    };
  }

  /**
   * Returns the least number of complete slices in any window [kp, (k+1)p). O(log p).
   *
   * <p>A window starts f = kp mod L after a slice boundary, and f takes every multiple of gcd(p, L)
   * below L. It holds floor((f + p) / L) boundaries after its start's, and unless f = 0 the first
   * of these slices is not complete; the least f above 0 is the worst of the others.
   */
  static long completeSlices(long periodMicros, long sliceMicros) {
    long aligned = periodMicros / sliceMicros;
    long step = gcd(periodMicros, sliceMicros);
    return step == sliceMicros
        ? aligned
        : Math.min(aligned, (periodMicros + step) / sliceMicros - 1);
  }

  static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
