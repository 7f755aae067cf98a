package dev.muster.core.library;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Reduces designs to those worth building ("Linking High-Level Synthesis with FPGA Runtime
 * Orchestration", section 3.1): the Pareto frontier over time and resources, and its three
 * representatives.
 */
public final class Pareto {
  private Pareto() {}

  /**
   * Returns the variants that no other one beats in time and in every resource, fastest first.
   * Exact duplicates keep the lowest id. O(n^2).
   */
  public static List<LibraryVariant> frontier(List<LibraryVariant> variants) {
    List<LibraryVariant> sorted = new ArrayList<>(variants);
    sorted.sort(LibraryVariant.FASTEST_FIRST);
    List<LibraryVariant> frontier = new ArrayList<>();
    for (LibraryVariant candidate : sorted) {
      // Sorted by time first, so only earlier ones can beat or equal this one.
      if (frontier.stream().noneMatch(f -> f.dominates(candidate) || isSame(f, candidate))) {
        frontier.add(candidate);
      }
    }
    return frontier;
  }

  /**
   * Picks the latency-optimised, the balanced and the resource-optimised variant of a frontier.
   *
   * <p>LE is the first. RE has the least score, the sum of the shares of LUT, FF, BRAM and DSP. MID
   * is nearest to the ideal point after time and score are scaled to 0..1. Ties: time, then id.
   *
   * @throws InvalidInputException if the frontier is empty
   */
  public static Representatives representatives(
      List<LibraryVariant> frontier, LibraryDevice device) {
    if (frontier.isEmpty()) {
      throw InvalidInputException.of(
          "Pareto frontier", frontier, "must not be empty", "add designs");
    }
    double[] scores = frontier.stream().mapToDouble(v -> score(v, device)).toArray();
    double leastScore = Arrays.stream(scores).min().getAsDouble();
    double scoreRange = Arrays.stream(scores).max().getAsDouble() - leastScore;
    long leastTime = frontier.stream().mapToLong(LibraryVariant::execMillis).min().getAsLong();
    long timeRange =
        frontier.stream().mapToLong(LibraryVariant::execMillis).max().getAsLong() - leastTime;
    double[] distances = new double[scores.length];
    for (int i = 0; i < scores.length; i++) {
      double a =
          timeRange == 0 ? 0 : (double) (frontier.get(i).execMillis() - leastTime) / timeRange;
      double b = scoreRange == 0 ? 0 : (scores[i] - leastScore) / scoreRange;
      distances[i] = a * a + b * b;
    }
    return new Representatives(
        frontier.get(0), least(frontier, distances), least(frontier, scores));
  }

  /**
   * Returns what a user without a frontier would build (the paper's manager M1): 30 % slower and 24
   * % larger than MID, both rounded up, within the device.
   */
  public static LibraryVariant naiveChoice(List<LibraryVariant> frontier, LibraryDevice device) {
    LibraryVariant mid = representatives(frontier, device).mid();
    Footprint total = device.total();
    Footprint f = mid.footprint();
    return new LibraryVariant(
        mid.id() + "#M1",
        mid.xclbin(),
        mid.kernel(),
        mid.units(),
        mid.freqMhz(),
        (mid.execMillis() * 13 + 9) / 10,
        new Footprint(
            enlarged(f.lut(), total.lut()),
            enlarged(f.ff(), total.ff()),
            enlarged(f.bram(), total.bram()),
            enlarged(f.dsp(), total.dsp()),
            enlarged(f.uram(), total.uram())),
        mid.powerMilliwatts(),
        mid.origin());
  }

  private static long enlarged(long count, long total) {
    return Math.min(total, (count * 124 + 99) / 100);
  }

  /** Returns the sum of the shares of LUT, FF, BRAM and DSP that a variant occupies. */
  public static double score(LibraryVariant variant, LibraryDevice device) {
    Footprint f = variant.footprint();
    Footprint total = device.total();
    return share(f.lut(), total.lut())
        + share(f.ff(), total.ff())
        + share(f.bram(), total.bram())
        + share(f.dsp(), total.dsp());
  }

  /**
   * Returns the first quartile of the execution times, the deadline the paper's workloads use:
   * linear interpolation, rounded half up, in milliseconds.
   *
   * @throws InvalidInputException if there is no variant
   */
  public static long firstQuartileMillis(List<LibraryVariant> variants) {
    if (variants.isEmpty()) {
      throw InvalidInputException.of("variants", variants, "must not be empty", "add designs");
    }
    long[] x = variants.stream().mapToLong(LibraryVariant::execMillis).sorted().toArray();
    int n = x.length - 1;
    int i = n / 4;
    int f = n % 4;
    return (4 * x[i] + f * (x[Math.min(i + 1, n)] - x[i]) + 2) / 4;
  }

  private static double share(long count, long total) {
    return total == 0 ? 0 : (double) count / total;
  }

  private static LibraryVariant least(List<LibraryVariant> frontier, double[] keys) {
    return frontier.get(
        java.util.stream.IntStream.range(0, keys.length)
            .boxed()
            .min(
                Comparator.comparingDouble((Integer i) -> keys[i])
                    .thenComparingLong(i -> frontier.get(i).execMillis())
                    .thenComparing(i -> frontier.get(i).id()))
            .orElseThrow());
  }

  private static boolean isSame(LibraryVariant a, LibraryVariant b) {
    return a.execMillis() == b.execMillis() && a.footprint().equals(b.footprint());
  }

  /**
   * Names the three designs of a frontier that the paper builds first.
   *
   * @param le the latency-optimised one
   * @param mid the balanced one
   * @param re the resource-optimised one
   */
  public record Representatives(LibraryVariant le, LibraryVariant mid, LibraryVariant re) {}
}
