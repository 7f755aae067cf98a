package dev.muster.testkit;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.SelfParallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Solves small placement problems on identical cards by brute force: every combination of variants
 * in the order of power, every order of the tasks, every card in turn.
 */
final class WrapOracle {
  private final PlacementProblem problem;
  private final int cards;
  private final long window;
  private final long reconfigure;

  WrapOracle(PlacementProblem problem) {
    this.problem = problem;
    cards = problem.cards().size();
    reconfigure = problem.cards().get(0).reconfigureMicros();
    window = problem.sliceMicros() + (problem.mirrored() ? reconfigure : 0);
  }

  /** Returns the first feasible row of the enumeration sorted by power, or {@code null}. */
  int @Nullable [] optimum() {
    List<int[]> rows = rows();
    rows.sort(Comparator.comparingLong(this::power));
    for (int[] row : rows) {
      if (isFeasible(row)) {
        return row;
      }
    }
    return null;
  }

  /** Returns all rows, lexicographic. */
  List<int[]> rows() {
    List<int[]> rows = new ArrayList<>();
    rows.add(new int[0]);
    for (PeriodicTask task : problem.tasks()) {
      List<int[]> longer = new ArrayList<>();
      for (int[] row : rows) {
        for (int v = 0; v < task.variants().size(); v++) {
          int[] next = Arrays.copyOf(row, row.length + 1);
          next[row.length] = v;
          longer.add(next);
        }
      }
      rows = longer;
    }
    return rows;
  }

  long power(int[] row) {
    long sum = 0;
    for (int k = 0; k < row.length; k++) {
      sum += problem.tasks().get(k).variants().get(row[k]).powerMicrowatts();
    }
    return sum;
  }

  boolean isFeasible(int[] row) {
    long total = 0;
    for (int k = 0; k < row.length; k++) {
      long run = run(k, row);
      long needs = reconfigure + fill(k) + run;
      total += needs;
      boolean mayOverlap = problem.selfParallel() == SelfParallel.ALLOW;
      if (run <= 0 || (!mayOverlap && needs > window)) {
        return false;
      }
    }
    return total <= cards * window && fits(row, 0, 0, 0);
  }

  /** Tries every task that is left as the next one. */
  private boolean fits(int[] row, int placed, int card, long used) {
    if (placed == (1 << row.length) - 1) {
      return true;
    }
    for (int k = 0; k < row.length; k++) {
      if ((placed >> k & 1) == 0 && fitsWith(row, placed, k, card, used)) {
        return true;
      }
    }
    return false;
  }

  private boolean fitsWith(int[] row, int placed, int k, int card, long used) {
    boolean allow = problem.selfParallel() == SelfParallel.ALLOW;
    long left = run(k, row);
    boolean dividable = allow || reconfigure + 2 * fill(k) + left <= window;
    int at = card;
    long from = used;
    while (at < cards) {
      long room = window - from - reconfigure - fill(k);
      if (left <= room) {
        long end = from + reconfigure + fill(k) + left;
        return fits(row, placed | 1 << k, at, end);
      }
      if (room > 0 && dividable) {
        left -= room;
      }
      at++;
      from = 0;
    }
    return false;
  }

  private long run(int k, int[] row) {
    long run = PlanRules.neededMicros(problem, k, row[k]);
    return problem.accounting() == Accounting.INCLUDED && run <= 0 ? 0 : run;
  }

  private long fill(int k) {
    return problem.tasks().get(k).fillMicros();
  }
}
