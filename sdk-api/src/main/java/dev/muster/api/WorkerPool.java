package dev.muster.api;

import org.jspecify.annotations.Nullable;

/**
 * Views all workers of one type, indexed by the time they become available.
 *
 * <p>Iteration goes by increasing worker id. The two look-ups are what an efficient-first
 * dispatcher needs: together they answer "busiest first" in O(log n) without a scan.
 */
public interface WorkerPool extends Iterable<Worker> {
  /** Returns the position in {@link SchedulingContext#pools()}. */
  int index();

  /** Returns the type of the workers. */
  WorkerType type();

  /** Returns the number of workers allocated, those spinning up included. */
  int allocated();

  /** Returns the number of workers that are spinning up. */
  int spinningUp();

  /** Returns the number of workers that idle reclamation leaves alone (see {@code keep}). */
  int kept();

  /** Returns the number of workers that can still be provisioned. */
  int headroom();

  /**
   * Returns the ready worker with the largest {@link Worker#availableAtNanos()} that is at most the
   * given time; ties go to the lowest id; {@code null} if there is none. O(log n).
   *
   * <p>With {@code latestStart = deadline - service} this is the first worker of "busy by
   * decreasing load, then idle by increasing idle time" that meets the deadline (Spork, Algorithm 3
   * lines 3-13).
   */
  @Nullable Worker latestAvailable(long latestStartNanos);

  /**
   * Returns the worker that is spinning up, has most work queued, and becomes available at or
   * before the given time; ties go to the lowest id; {@code null} if there is none. O(g log n) for
   * g distinct times at which spinning-up workers become ready.
   */
  @Nullable Worker mostLoadedSpinningUp(long latestStartNanos);

  /** Returns the ready worker that becomes available first; ties go to the highest id. O(1). */
  @Nullable Worker earliestAvailable();

  /** Returns the spinning-up worker that becomes available first, or {@code null}. O(g). */
  @Nullable Worker earliestSpinningUp();
}
