package dev.muster.core.dpfair;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports what a placer found and what it can certify about it.
 *
 * @param status how good the plan is, or why there is none
 * @param planOrNull the plan, if there is one
 * @param cost the objective of the plan; 0 without one
 * @param lowerBound no plan of the problem costs less than this
 * @param operations steps of the search: nodes expanded, states of the packing visited
 * @param packings variant combinations that were tried to be packed
 * @param reason why there is no plan, in a sentence; empty if there is one
 */
public record PlacementResult(
    Status status,
    @Nullable PlacementPlan planOrNull,
    long cost,
    long lowerBound,
    long operations,
    long packings,
    String reason) {
  /** Tells plans apart by what is proved about them. */
  public enum Status {
    /** No plan costs less; of those that cost as much it is the first in enumeration order. */
    OPTIMAL,
    /** A plan that meets all rules; {@link PlacementResult#gap} bounds what could be saved. */
    FEASIBLE,
    /** There is no plan. */
    INFEASIBLE,
    /** No plan was found, and none was ruled out. */
    UNKNOWN
  }

  /** Returns the plan, if there is one. */
  public Optional<PlacementPlan> plan() {
    return Optional.ofNullable(planOrNull);
  }

  /** Returns by what fraction of the lower bound the plan may be too dear; 0 when optimal. */
  public double gap() {
    return status == Status.OPTIMAL || lowerBound <= 0
        ? 0
        : (double) (cost - lowerBound) / lowerBound;
  }

  static PlacementResult optimal(PlacementPlan plan, long cost, Effort effort) {
    return new PlacementResult(
        Status.OPTIMAL, plan, cost, cost, effort.operations(), effort.packings(), "");
  }

  static PlacementResult feasible(PlacementPlan plan, long cost, long lowerBound, Effort effort) {
    return new PlacementResult(
        cost == lowerBound ? Status.OPTIMAL : Status.FEASIBLE,
        plan,
        cost,
        lowerBound,
        effort.operations(),
        effort.packings(),
        "");
  }

  static PlacementResult infeasible(String reason, Effort effort) {
    return new PlacementResult(
        Status.INFEASIBLE, null, 0, 0, effort.operations(), effort.packings(), reason);
  }

  static PlacementResult unknown(long lowerBound, String reason, Effort effort) {
    return new PlacementResult(
        Status.UNKNOWN, null, 0, lowerBound, effort.operations(), effort.packings(), reason);
  }
}
