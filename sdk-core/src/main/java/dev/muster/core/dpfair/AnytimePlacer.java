package dev.muster.core.dpfair;

/**
 * Returns the best plan that a budget allows: the large search first, then the exact one.
 *
 * <p>The exact search starts from the plan of the large one and drops what cannot beat it. If the
 * budget ends first, the result is that plan with the status {@link
 * PlacementResult.Status#FEASIBLE} and a gap to the bound that the exact search had reached; else
 * it is optimal. Problems too large for the exact search get the large one's result.
 */
public final class AnytimePlacer implements Placer {
  private final SearchBudget budget;

  private AnytimePlacer(SearchBudget budget) {
    this.budget = budget;
  }

  /** Creates a placer with a budget. */
  public static AnytimePlacer of(SearchBudget budget) {
    return new AnytimePlacer(budget);
  }

  @Override
  public PlacementResult place(PlacementProblem problem) {
    Effort effort = new Effort(budget);
    SliceModel model = SliceModel.of(problem);
    PlacementResult quick = LargePlacer.place(model, effort);
    boolean settled =
        quick.status() == PlacementResult.Status.INFEASIBLE
            || quick.status() == PlacementResult.Status.OPTIMAL;
    if (settled || !ExactPlacer.isSmall(problem)) {
      return quick;
    }
    long cost = quick.planOrNull() == null ? Long.MAX_VALUE : quick.cost();
    return new ExactPlacer.Search(model, effort, quick.planOrNull(), cost).run();
  }
}
