package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Divides a batch of data among the segments of a task in proportion to their run time.
 *
 * <p>By largest remainder: each part gets its proportion rounded down, and the units left over go
 * to the parts that lost most by rounding, the earlier one on a tie. The parts add up exactly. The
 * paper divides by the shares, fill included, which feeds a continuation more than it can process
 * (12 : 12 instead of 10 : 12 in Example 1).
 */
public final class DataSplit {
  private DataSplit() {}

  /**
   * Returns the units of each part. O(n log n).
   *
   * @param units what there is to divide, at least 0
   * @param runMicros run time of each part, at least 0, not all 0
   */
  public static List<Long> of(long units, List<Long> runMicros) {
    Limits.require("data to divide (units)", units, 0, Long.MAX_VALUE);
    long total = 0;
    for (long run : runMicros) {
      Limits.require("run time (us)", run, 0, Limits.MAX_MICROS);
      total += run;
    }
    Limits.require("sum of run times (us)", total, 1, Limits.MAX_MICROS);
    List<Long> parts = new ArrayList<>();
    List<Long> remainders = new ArrayList<>();
    long left = units;
    for (long run : runMicros) {
      // With units = a total + b the part is a run + b run / total; b run fits a long.
      long fraction = units % total * run;
      parts.add(units / total * run + fraction / total);
      remainders.add(fraction % total);
      left -= parts.get(parts.size() - 1);
    }
    List<Integer> byLoss = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      byLoss.add(i);
    }
    byLoss.sort(Comparator.comparingLong(i -> -remainders.get(i)));
    for (int i = 0; left > 0; i++, left--) {
      parts.set(byLoss.get(i), parts.get(byLoss.get(i)) + 1);
    }
    return parts;
  }

  /** Returns how a batch of a task is divided among its segments, in the order of tiles. */
  public static List<Long> of(PlacementPlan plan, int task, long units) {
    return of(units, plan.segmentsOf(task).stream().map(Segment::runMicros).toList());
  }
}
