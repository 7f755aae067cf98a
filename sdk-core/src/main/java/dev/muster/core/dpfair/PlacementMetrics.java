package dev.muster.core.dpfair;

/** Computes the paper's measures of a problem with identical cards (equations 8 to 10). */
public final class PlacementMetrics {
  private PlacementMetrics() {}

  /** Returns the share of all variant combinations that are not accepted (equation 8), 0 to 1. */
  public static double rejectionRatio(PaperPlacer.Report report) {
    return 1 - (double) report.accepted() / report.combinations();
  }

  /**
   * Returns the share of the tiles' time that the chosen variants' shares take (equation 9), 0 and
   * more.
   */
  public static double workload(PlacementPlan plan) {
    PlacementProblem problem = plan.problem();
    long sum = 0;
    for (int k = 0; k < problem.tasks().size(); k++) {
      sum += problem.tasks().get(k).shareMicros(plan.variant(k), problem.sliceMicros());
    }
    return (double) sum / (problem.sliceMicros() * problem.tiles());
  }

  /** Returns the mean of e / p over the tasks of a plan (equation 10). */
  public static double averageWeight(PlacementPlan plan) {
    PlacementProblem problem = plan.problem();
    double sum = 0;
    for (int k = 0; k < problem.tasks().size(); k++) {
      sum += (double) plan.hardwareVariant(k).execMicros() / problem.tasks().get(k).periodMicros();
    }
    return sum / problem.tasks().size();
  }

  /** Returns the workload above which a combination cannot pass the filter (Fig. 6). */
  public static double workloadThreshold(PlacementProblem problem, PaperFilter filter) {
    return (double) limit(problem, filter) / (problem.sliceMicros() * problem.tiles());
  }

  /** Returns the average weight above which a combination cannot pass the filter (Fig. 7). */
  public static double averageWeightThreshold(PlacementProblem problem, PaperFilter filter) {
    return (double) limit(problem, filter) / (problem.sliceMicros() * problem.tasks().size());
  }

  private static long limit(PlacementProblem problem, PaperFilter filter) {
    return filter.limitMicros(
        problem.tiles(),
        problem.sliceMicros(),
        problem.tasks().size(),
        problem.cards().get(0).reconfigureMicros());
  }
}
