package dev.muster.examples;

import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlanGantt;
import dev.muster.examples.dpfair.PlanRun;
import java.util.List;

/** Places three periodic tasks on two cards and carries the plan out on simulated ones. */
final class PeriodicPlan {
  private PeriodicPlan() {}

  public static void main(String[] args) {
    // Each variant: compute units, microseconds for a batch, microwatts.
    PeriodicTask filter =
        PeriodicTask.of(
            "filter",
            100_000,
            1_000,
            List.of(
                new HardwareVariant(1, 70_000, 5_000_000),
                new HardwareVariant(2, 36_000, 6_500_000)));
    PeriodicTask compress =
        PeriodicTask.of(
            "compress",
            200_000,
            2_000,
            List.of(
                new HardwareVariant(1, 120_000, 6_000_000),
                new HardwareVariant(3, 44_000, 9_000_000)));
    PeriodicTask detect =
        PeriodicTask.of("detect", 100_000, 500, List.of(new HardwareVariant(1, 40_000, 7_000_000)));
    List<Card> cards = List.of(Card.of("card-a", 8_000), Card.of("card-b", 8_000));

    PlacementProblem problem =
        PlacementProblem.of(List.of(filter, compress, detect), cards, 100_000).withMirrored(true);
    PlacementPlan plan = ExactPlacer.create().place(problem).plan().orElseThrow();
    System.out.println(plan.powerMicrowatts() / 1e6 + " W (modelled)");
    System.out.print(PlanGantt.of(plan, 0, 60));
    System.out.print(PlanRun.text(plan, 1_000));
  }
}
