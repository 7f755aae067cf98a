package dev.muster.api;

import java.util.Set;

/**
 * Decides which worker runs each task, with which variant, and when workers come and go.
 *
 * <p>The engine drives a policy through the life cycle below. All callbacks come from one thread,
 * one at a time; the policy acts only through the {@link SchedulingContext} it is handed, and the
 * context is valid only during the callback.
 *
 * <table>
 * <caption>Life cycle of a task</caption>
 * <tr><th>step</th><th>what happens</th><th>callback</th></tr>
 * <tr><td>submitted</td><td>the engine accepted the task and owns it</td>
 *     <td>{@link #onSubmit}</td></tr>
 * <tr><td>decided</td><td>the policy assigns it, provisions a worker and assigns it, rejects it, or
 *     returns without a command and thereby holds it</td><td>commands of the context</td></tr>
 * <tr><td>started</td><td>it reached the head of its worker's FIFO; the worker is ready and has the
 *     image loaded</td><td>none</td></tr>
 * <tr><td>finished or failed</td><td>completed, failed for good, cancelled or rejected: terminal
 *     </td><td>{@link #onTaskDone}</td></tr>
 * <tr><td>reclaimed</td><td>its worker was lost, or its run or load failed and attempts are left
 *     </td><td>{@link #onWorkerGone}, then {@link #onSubmit} again</td></tr>
 * </table>
 *
 * <p>Contract rules, checked for every policy by the test kit's {@code PolicyContract}: POL-1 never
 * assigns to a worker that cannot run the task. POL-2 same events, same decisions. POL-3 every task
 * reaches a terminal outcome. POL-4 a worker never holds two running tasks. POL-5 capacity,
 * footprint and count limits hold at every instant. POL-6 work per event is bounded as documented.
 * POL-7 survives lost workers, failed loads, late and duplicate completions.
 *
 * <p>A policy never reads a clock, starts a thread, sleeps, or uses randomness other than from a
 * seed it was given; ties are broken by id.
 */
public interface SchedulingPolicy {
  /** Returns a short stable name for reports, e.g. {@code "SporkE"}. */
  String name();

  /** Returns what the workload and hardware must offer; checked before a run starts. */
  default Set<Capability> requirements() {
    return Set.of();
  }

  /** Returns the rule behind {@link SchedulingContext#variant}; read once, before the run. */
  default VariantPolicy variantPolicy() {
    return VariantPolicy.fastest();
  }

  /** Starts a run at time 0, before the first task; the place to size and provision a fleet. */
  default void onStart(SchedulingContext context) {}

  /** Decides a task that was submitted, or given back by a lost worker or failed run. */
  void onSubmit(Task task, SchedulingContext context);

  /** Learns that a worker became ready, after spinning up or loading. */
  default void onWorkerReady(Worker worker, SchedulingContext context) {}

  /**
   * Learns that a task left the system, in whatever way.
   *
   * @param task the task; not to be kept beyond this call
   * @param worker the worker that held it, or {@code null} if none did
   */
  default void onTaskDone(
      Task task, @org.jspecify.annotations.Nullable Worker worker, SchedulingContext context) {}

  /** Learns that a worker was released or lost; {@link Worker#state()} tells which. */
  default void onWorkerGone(Worker worker, SchedulingContext context) {}

  /** Runs at the time asked for with {@link SchedulingContext#wakeAt}. */
  default void onTick(SchedulingContext context) {}

  /**
   * Runs at the end of an instant when {@link SchedulingContext#wakeAtInstantEnd} asked for it, for
   * policies that decide once about all that arrived and finished at one time. What the commands
   * given here cause at the same time belongs to a new instant.
   */
  default void onInstantEnd(SchedulingContext context) {}

  /** Learns that no further task will come: stop provisioning, let idle workers go. */
  default void onDrain(SchedulingContext context) {}
}
