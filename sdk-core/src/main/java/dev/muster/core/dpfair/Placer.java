package dev.muster.core.dpfair;

/** Chooses a variant for each task and a place in the slice for each variant. */
@FunctionalInterface
public interface Placer {
  /**
   * Solves a problem; the same problem gives the same result.
   *
   * @throws dev.muster.api.InvalidInputException if the problem is outside what the placer can take
   */
  PlacementResult place(PlacementProblem problem);
}
