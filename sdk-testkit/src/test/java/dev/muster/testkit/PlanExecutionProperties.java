package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.EnergyReading;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlanFleet;
import dev.muster.core.dpfair.PlanLedger;
import dev.muster.core.dpfair.PlanPolicy;
import dev.muster.core.dpfair.SelfParallel;
import dev.muster.core.engine.EngineObserver;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.workload.PlanArrivals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Checks that plans run on simulated cards as they were made. */
class PlanExecutionProperties {
  private static final int SLICES = 24;

  @Property(tries = 1000)
  void strictPlansRunAsPlanned(@ForAll long seed) {
    PlacementProblem problem =
        PlacementProblems.small(seed)
            .withAccounting(Accounting.STRICT)
            .withSelfParallel(SelfParallel.FORBID);
    run(problem);
  }

  @Property(tries = 1000)
  void strictPlansRunAsPlannedOnMixedCards(@ForAll long seed) {
    PlacementProblem problem =
        PlacementProblems.mixed(seed)
            .withAccounting(Accounting.STRICT)
            .withSelfParallel(SelfParallel.FORBID);
    run(problem);
  }

  private static void run(PlacementProblem problem) {
    Optional<PlacementPlan> found = ExactPlacer.create().place(problem).plan();
    if (found.isEmpty()) {
      return;
    }
    PlacementPlan plan = found.get();
    PlanPolicy policy = PlanPolicy.of(plan);
    Watch watch = new Watch(PlanLedger.of(problem, SLICES));
    List<String> ids = problem.tasks().stream().map(PeriodicTask::id).toList();
    Simulation.builder(policy, PlanArrivals.of(policy, ids, SLICES))
        .workerTypes(PlanFleet.of(problem).types())
        .applications(PlanFleet.of(problem).applications())
        .observer(watch)
        .build()
        .run();
    assertThat(watch.ledger.missed()).isZero();
    assertThat(watch.ledger.maxStartDelayNanos()).isZero();
    assertThat(watch.ledger.maxEndDelayNanos()).isZero();
    assertThat(watch.overlaps).isZero();
  }

  /** Passes on to the ledger, and counts tasks that run beside themselves. */
  private static final class Watch implements EngineObserver {
    private final PlanLedger ledger;
    private final Map<String, Long> runningUntil = new HashMap<>();
    private int overlaps;

    Watch(PlanLedger ledger) {
      this.ledger = ledger;
    }

    @Override
    public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
      ledger.onStarted(task, worker, variant, nowNanos);
      long end = nowNanos + variant.serviceNanos(task.sizeNanos());
      Long before = runningUntil.put(task.application().name(), end);
      overlaps += before != null && before > nowNanos ? 1 : 0;
    }

    @Override
    public void onCompleted(
        Task task,
        Worker worker,
        Variant variant,
        long startNanos,
        long finishNanos,
        @Nullable Object result,
        @Nullable EnergyReading energy) {
      ledger.onCompleted(task, worker, variant, startNanos, finishNanos, result, energy);
    }
  }
}
