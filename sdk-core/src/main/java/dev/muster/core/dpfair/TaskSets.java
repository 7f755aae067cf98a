package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Enumerates the task sets of a problem: PADPS-FR, Algorithm 1, and line 1 of Algorithm 2.
 *
 * <p>A task set (a row of TSS) names one variant for each task. Rows come in lexicographic order,
 * the first task most significant. Those that meet the workability condition (TFS) are sorted by
 * summed power; equal powers keep their order. O(c log c) for c combinations.
 */
final class TaskSets {
  /** Bounds the enumeration; beyond, use the exact or the large search. */
  static final int MAX_COMBINATIONS = 1 << 20;

  private TaskSets() {}

  /** Holds one row. */
  static final class TaskSet {
    private final int[] variants;
    private final long[] sharesMicros;
    private final long powerMicrowatts;

    TaskSet(int[] variants, long[] sharesMicros, long powerMicrowatts) {
      this.variants = variants;
      this.sharesMicros = sharesMicros;
      this.powerMicrowatts = powerMicrowatts;
    }

    /** Returns the position of each task's variant, from 0. */
    int[] variants() {
      return variants;
    }

    /** Returns each task's share of the slice. */
    long[] sharesMicros() {
      return sharesMicros;
    }

    long powerMicrowatts() {
      return powerMicrowatts;
    }

    long sumMicros() {
      long sum = 0;
      for (long share : sharesMicros) {
        sum += share;
      }
      return sum;
    }
  }

  /**
   * Counts all combinations.
   *
   * @throws InvalidInputException if they are more than {@link #MAX_COMBINATIONS}
   */
  static int count(PlacementProblem problem) {
    long count = 1;
    for (PeriodicTask task : problem.tasks()) {
      count *= task.variants().size();
      if (count > MAX_COMBINATIONS) {
        throw InvalidInputException.of(
            "number of variant combinations",
            "more than " + MAX_COMBINATIONS,
            "is too large for the paper's enumeration",
            "use the exact or the large search");
      }
    }
    return (int) count;
  }

  /** Returns the rows with shares up to a limit, by power (TFS, sorted). */
  static List<TaskSet> fitting(PlacementProblem problem, long limitMicros) {
    List<TaskSet> rows = new ArrayList<>();
    int count = count(problem);
    for (int row = 0; row < count; row++) {
      TaskSet set = row(problem, row);
      if (set.sumMicros() <= limitMicros) {
        rows.add(set);
      }
    }
    rows.sort(Comparator.comparingLong(TaskSet::powerMicrowatts));
    return rows;
  }

  private static TaskSet row(PlacementProblem problem, int number) {
    int n = problem.tasks().size();
    int[] variants = new int[n];
    long[] shares = new long[n];
    long power = 0;
    int rest = number;
    for (int i = n - 1; i >= 0; i--) {
      PeriodicTask task = problem.tasks().get(i);
      variants[i] = rest % task.variants().size();
      rest /= task.variants().size();
      shares[i] = task.shareMicros(variants[i], problem.sliceMicros());
      power += task.variants().get(variants[i]).powerMicrowatts();
    }
    return new TaskSet(variants, shares, power);
  }
}
