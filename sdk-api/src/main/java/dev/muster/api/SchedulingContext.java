package dev.muster.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Offers a policy the time, a view of the fleet, and the commands; valid during one callback.
 *
 * <p>Commands take effect at once and are visible in the views when they return. A command that
 * breaks the contract (see {@link SchedulingPolicy}) throws {@link IllegalStateException} naming
 * the policy, the task and the worker.
 */
public interface SchedulingContext {
  /** Returns the time of the event being handled, in nanoseconds since the start of the run. */
  long nowNanos();

  /** Returns one pool per worker type, in the order the fleet was declared. */
  List<WorkerPool> pools();

  /** Returns the variants of the task's application that can run in a pool, as declared. */
  List<Variant> variants(Task task, WorkerPool pool);

  /**
   * Returns the variant to run the task with in a pool: the choice of the composition's {@link
   * VariantPolicy}, the fastest by default; {@code null} if none can run there.
   */
  @Nullable Variant variant(Task task, WorkerPool pool);

  /**
   * Returns the distribution of a task's service time on the reference worker: the predictor's if
   * the size is unknown, else the size itself.
   */
  RuntimePredictor.Prediction prediction(Task task);

  /**
   * Appends a task to the FIFO of a worker, with {@link #variant} as its variant. O(log n).
   *
   * @return the expected service time in nanoseconds
   * @throws IllegalStateException if the worker cannot run the task, is gone, or the task is
   *     already assigned
   */
  long assign(Task task, Worker worker);

  /**
   * Appends a task to the FIFO of a worker. O(log n).
   *
   * @return the expected service time in nanoseconds
   * @throws IllegalStateException if the variant cannot run on the worker, the worker is gone, or
   *     the task is already assigned
   */
  long assign(Task task, Worker worker, Variant variant);

  /**
   * Tells the host what to expect of a held task's deadline; the last word counts.
   *
   * @throws IllegalStateException if the task is not held
   */
  void foresee(Task task, Outlook outlook);

  /** Ends a held task as {@link Outcome.Rejected}. */
  void reject(Task task, RejectReason reason);

  /**
   * Provisions a worker, which starts to spin up and can be given tasks at once.
   *
   * <p>Workers provisioned in {@link SchedulingPolicy#onStart} are the initial fleet: they spun up
   * before the run, so a simulated one is ready at time 0; its spin-up is charged all the same.
   *
   * @return the worker, or {@code null} if the pool has no headroom
   */
  @Nullable Worker provision(WorkerPool pool);

  /**
   * Releases a worker that has nothing to do; most policies leave this to idle reclamation.
   *
   * @throws IllegalStateException if tasks are assigned to the worker
   */
  void release(Worker worker);

  /**
   * Sets how many workers of a pool idle reclamation leaves alone.
   *
   * <p>While more are allocated, a worker that has idled for the {@linkplain #idleTimeout idle
   * timeout} is released, longest idle first (ties: highest id), but never before the last call of
   * this method (the allocation decision it was kept for). Initially 0.
   */
  void keep(WorkerPool pool, int workers);

  /**
   * Sets how long workers of a pool may idle before they are reclaimed; initially {@link
   * WorkerType#idleTimeoutNanos()}.
   *
   * @param nanos at least 0
   */
  void idleTimeout(WorkerPool pool, long nanos);

  /**
   * Asks for {@link SchedulingPolicy#onTick} at a time, now or later. One request is pending at
   * most; a new one replaces it.
   */
  void wakeAt(long nanos);

  /**
   * Asks for {@link SchedulingPolicy#onInstantEnd} once everything else that happens at this time
   * was handled: events, timers and submissions. Idempotent within an instant.
   */
  void wakeAtInstantEnd();

  /**
   * Takes back the task that runs on a worker: the run is cancelled, and the task comes to {@link
   * SchedulingPolicy#onSubmit} again unless it completes first. The attempt does not count.
   *
   * @return whether there was a run to take back; false while the worker loads or idles
   */
  boolean recall(Worker worker);
}
