package dev.muster.examples;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.Objective;
import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.spork.Spork;
import dev.muster.core.spork.SporkAllocator;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.SyntheticWorkload;
import dev.muster.hal.sim.workload.Workload;
import org.jspecify.annotations.Nullable;

/** Writes a dispatcher of its own and compares it with Spork's on the same load. */
final class OwnDispatcher implements DispatchPolicy {
  /** Takes the ready worker that would finish the task first, if that is in time. */
  @Override
  public @Nullable Worker select(Task task, SchedulingContext context) {
    Worker best = null;
    long bestFinish = task.deadlineNanos();
    for (WorkerPool pool : context.pools()) {
      Variant variant = context.variant(task, pool);
      Worker worker = pool.earliestAvailable();
      if (variant != null && worker != null) {
        long start = Math.max(worker.availableAtNanos(), context.nowNanos());
        long finish = start + variant.serviceNanos(task.sizeNanos());
        if (finish <= bestFinish) {
          best = worker;
          bestFinish = finish;
        }
      }
    }
    return best;
  }

  public static void main(String[] args) {
    Workload load = SyntheticWorkload.builder().minutes(20).meanWorkers(20).build();
    ComposedPolicy own =
        ComposedPolicy.builder("first to finish")
            .allocation(SporkAllocator.of(Objective.ENERGY))
            .dispatch(new OwnDispatcher())
            .build();
    for (ComposedPolicy policy : new ComposedPolicy[] {own, Spork.energy()}) {
      SimulationResult result = Simulation.builder(policy, load).build().run();
      System.out.printf(
          "%-16s %8.0f J %7.3f $ %d late%n",
          policy.name(),
          result.usage().energyJoules(),
          result.usage().costDollars(),
          result.tally().missed());
    }
  }
}
