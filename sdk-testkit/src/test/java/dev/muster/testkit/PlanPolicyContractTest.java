package dev.muster.testkit;

import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlanFleet;
import dev.muster.core.dpfair.PlanPolicy;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Holds the plan policy to the policies' contract, on aperiodic tasks between its segments. */
final class PlanPolicyContractTest {
  private static final PlacementPlan PLAN =
      ExactPlacer.create()
          .place(
              PlacementProblem.of(
                  List.of(
                      PeriodicTask.of("T", 50, 0, List.of(new HardwareVariant(1, 10, 1_000_000)))),
                  List.of(Card.of("F1", 1), Card.of("F2", 1), Card.of("F3", 1)),
                  50))
          .plan()
          .orElseThrow();

  /** Runs on the fleet of the plan. */
  interface OnItsFleet extends PolicyContract {
    @Override
    default List<WorkerType> fleet() {
      return PlanFleet.of(PLAN.problem()).types();
    }
  }

  @Nested
  class ReplacingWorkers implements OnItsFleet {
    @Override
    public SchedulingPolicy policy() {
      return PlanPolicy.of(PLAN);
    }
  }

  @Nested
  class Replanning implements OnItsFleet {
    @Override
    public SchedulingPolicy policy() {
      return PlanPolicy.replanning(PLAN, ExactPlacer.create());
    }
  }
}
