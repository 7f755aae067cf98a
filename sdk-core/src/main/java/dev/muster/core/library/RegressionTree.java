package dev.muster.core.library;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Splits designs by one feature at a time so that the squared error falls most (CART). Ties go to
 * the lower feature, then the lower threshold. O(depth * features * n log n).
 */
final class RegressionTree implements Predictor {
  private final int feature;
  private final double threshold;
  private final Predictor below;
  private final Predictor above;

  private RegressionTree(int feature, double threshold, Predictor below, Predictor above) {
    this.feature = feature;
    this.threshold = threshold;
    this.below = below;
    this.above = above;
  }

  static Predictor grow(double[][] features, double[] targets, int depth, int leastLeaf) {
    int[] all = IntStream.range(0, targets.length).toArray();
    return grow(features, targets, all, depth, leastLeaf);
  }

  private static Predictor grow(
      double[][] features, double[] targets, int[] rows, int depth, int leastLeaf) {
    double mean = Arrays.stream(rows).mapToDouble(row -> targets[row]).average().orElse(0);
    if (depth == 0 || rows.length < 2 * leastLeaf) {
      return x -> mean;
    }
    Split best = bestSplit(features, targets, rows, leastLeaf);
    if (best == null) {
      return x -> mean;
    }
    int[] below =
        Arrays.stream(rows).filter(r -> features[r][best.feature] <= best.threshold).toArray();
    int[] above =
        Arrays.stream(rows).filter(r -> features[r][best.feature] > best.threshold).toArray();
    return new RegressionTree(
        best.feature,
        best.threshold,
        grow(features, targets, below, depth - 1, leastLeaf),
        grow(features, targets, above, depth - 1, leastLeaf));
  }

  private record Split(int feature, double threshold, double gain) {}

  private static @org.jspecify.annotations.Nullable Split bestSplit(
      double[][] features, double[] targets, int[] rows, int leastLeaf) {
    double total = Arrays.stream(rows).mapToDouble(row -> targets[row]).sum();
    Split best = null;
    for (int feature = 0; feature < features[0].length; feature++) {
      int column = feature;
      int[] sorted =
          Arrays.stream(rows)
              .boxed()
              .sorted(
                  Comparator.comparingDouble((Integer r) -> features[r][column])
                      .thenComparingInt(r -> r))
              .mapToInt(Integer::intValue)
              .toArray();
      double left = 0;
      for (int i = 0; i + 1 < sorted.length; i++) {
        left += targets[sorted[i]];
        double here = features[sorted[i]][feature];
        double next = features[sorted[i + 1]][feature];
        int count = i + 1;
        if (here == next || count < leastLeaf || sorted.length - count < leastLeaf) {
          continue;
        }
        double right = total - left;
        double gain =
            left * left / count
                + right * right / (sorted.length - count)
                - total * total / sorted.length;
        if (gain > 1e-12 && (best == null || gain > best.gain)) {
          best = new Split(feature, (here + next) / 2, gain);
        }
      }
    }
    return best;
  }

  @Override
  public double predict(double[] x) {
    return (x[feature] <= threshold ? below : above).predict(x);
  }
}
