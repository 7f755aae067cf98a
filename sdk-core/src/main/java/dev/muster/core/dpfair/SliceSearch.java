package dev.muster.core.dpfair;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the slice length at which the plan is cheapest.
 *
 * <p>A longer slice loads fewer images per second; a shorter one fits more complete slices into a
 * period, so that strict accounting rounds up less. Each candidate is placed on its own and the
 * cheapest plan wins: by summed power, or by energy per time. Ties go to the longer slice. A lower
 * bound of the result holds for its slice only.
 */
public final class SliceSearch implements Placer {
  private static final int DIVISORS = 12;
  private static final int MAX_CANDIDATES = 256;

  private final Placer placer;
  private final List<Long> slicesMicros;

  private SliceSearch(Placer placer, List<Long> slicesMicros) {
    this.placer = placer;
    this.slicesMicros = slicesMicros;
  }

  /** Creates a search over the {@link #candidates} of each problem. */
  public static SliceSearch of(Placer placer) {
    return new SliceSearch(placer, List.of());
  }

  /** Creates a search over given slices, in microseconds. */
  public static SliceSearch over(Placer placer, List<Long> slicesMicros) {
    Limits.require("number of slices to try", slicesMicros.size(), 1, MAX_CANDIDATES);
    return new SliceSearch(placer, List.copyOf(slicesMicros));
  }

  /**
   * Returns the slices worth trying, longest first: the periods, their common divisors by pairs,
   * and whole fractions of both down to a twelfth, if longer than a reconfiguration.
   */
  public static List<Long> candidates(PlacementProblem problem) {
    long shortest = Long.MAX_VALUE;
    for (Card card : problem.cards()) {
      shortest = Math.min(shortest, card.reconfigureMicros());
    }
    TreeSet<Long> periods = new TreeSet<>();
    problem.tasks().forEach(t -> periods.add(t.periodMicros()));
    TreeSet<Long> bases = new TreeSet<>(periods);
    for (long a : periods) {
      for (long b : periods) {
        bases.add(Accounting.gcd(a, b));
      }
    }
    TreeSet<Long> found = new TreeSet<>();
    for (long base : bases) {
      for (int k = 1; k <= DIVISORS; k++) {
        if (base % k == 0 && base / k > shortest) {
          found.add(base / k);
        }
      }
    }
    return found.descendingSet().stream().limit(MAX_CANDIDATES).toList();
  }

  @Override
  public PlacementResult place(PlacementProblem problem) {
    List<Long> slices = slicesMicros.isEmpty() ? candidates(problem) : slicesMicros;
    List<PlacementResult> results = new ArrayList<>();
    PlacementResult best = null;
    PlacementProblem bestProblem = problem;
    for (long slice : slices) {
      PlacementProblem candidate = problem.withSliceMicros(slice);
      PlacementResult result = placer.place(candidate);
      results.add(result);
      if (isCheaper(result, candidate, best, bestProblem)) {
        best = result;
        bestProblem = candidate;
      }
    }
    if (best != null) {
      return best;
    }
    boolean open = results.stream().anyMatch(r -> r.status() == PlacementResult.Status.UNKNOWN);
    Effort none = new Effort(SearchBudget.unlimited());
    String reason = "none of the slices " + slices + " us has a plan";
    return open
        ? PlacementResult.unknown(0, reason, none)
        : PlacementResult.infeasible(reason, none);
  }

  private static boolean isCheaper(
      PlacementResult result,
      PlacementProblem problem,
      @Nullable PlacementResult best,
      PlacementProblem bestProblem) {
    if (result.planOrNull() == null || best == null) {
      return result.planOrNull() != null;
    }
    if (problem.objective() == PlacementObjective.SUM_POWER) {
      return result.cost() < best.cost();
    }
    BigInteger mine = product(result.cost(), bestProblem.sliceMicros());
    return mine.compareTo(product(best.cost(), problem.sliceMicros())) < 0;
  }

  private static BigInteger product(long a, long b) {
    return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
  }
}
