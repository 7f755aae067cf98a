package dev.muster.examples.dpfair;

import static dev.muster.examples.dpfair.PlacementReport.line;

import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlanFleet;
import dev.muster.core.dpfair.PlanLedger;
import dev.muster.core.dpfair.PlanPolicy;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.PlanArrivals;
import java.util.List;

/** Carries out a plan on simulated cards and sets what happened beside what was planned. */
public final class PlanRun {
  private PlanRun() {}

  /** Runs a plan for a number of slices and returns the outcome as text of at most 80 columns. */
  public static String text(PlacementPlan plan, int slices) {
    PlanLedger ledger = PlanLedger.of(plan.problem(), slices);
    PlanPolicy policy = PlanPolicy.of(plan);
    PlanFleet fleet = PlanFleet.of(plan.problem());
    List<String> tasks = plan.problem().tasks().stream().map(PeriodicTask::id).toList();
    SimulationResult result =
        Simulation.builder(policy, PlanArrivals.of(policy, tasks, slices))
            .workerTypes(fleet.types())
            .applications(fleet.applications())
            .observer(ledger)
            .build()
            .run();
    StringBuilder text = new StringBuilder();
    line(text, "%ncarried out on simulated cards for %d slices", slices);
    line(
        text,
        "  latest start %.3f ms, latest end %.3f ms after the plan (simulated)",
        ledger.maxStartDelayNanos() / 1e6,
        ledger.maxEndDelayNanos() / 1e6);
    line(
        text,
        "  %d runs completed, %d rejected, %d failed",
        result.tally().completed(),
        result.tally().rejected(),
        result.tally().failed());
    line(text, "  %-16s %10s %10s %14s", "task", "batches", "missed", "undone ms");
    for (PlanLedger.Line l : ledger.lines()) {
      line(
          text,
          "  %-16s %10d %10d %14.3f",
          PlacementReport.cut(l.id(), 16),
          l.batches(),
          l.missed(),
          l.undoneMicros() / 1e3);
    }
    return text.toString();
  }
}
