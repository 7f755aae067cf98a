package dev.muster.core.predict;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Grows one tree at a time from binned features: greedy, depth first, on histograms.
 *
 * <p>A node's histogram holds, for each feature and bin, the rows and the sum of their gradients;
 * the split with the largest fall of the loss wins, ties going to the lower feature, then the lower
 * bin (Chen and Guestrin, XGBoost, 2016, eq. 7 with unit second derivatives). Missing rows are
 * tried on both sides. Of two children only the smaller one is counted, the other one is the
 * difference. Work is rows times features times half the depth, plus bins times nodes; all of it in
 * one order, so that the same data give the same tree.
 */
final class TreeGrower {
  private final Bins bins;
  private final int features;
  private final TreeOptions options;
  private final int[] rows;
  private final int[] spare;
  private final double[][] sums;
  private final int[][] counts;
  private final @Nullable FeatureDraw draw;

  private float[] gradients = {};
  private TreeNodes tree = new TreeNodes();
  private LeafRows leafRows = (from, to, sum) -> 0;

  // The best split found by the last search.
  private double bestGain;
  private int bestFeature;
  private int bestBin;
  private boolean bestMissingLeft;
  private double bestLeftSum;
  private int bestLeftCount;

  /** Decides a leaf's value from its rows, {@code rows()[from]} up to {@code rows()[to]}. */
  @FunctionalInterface
  interface LeafRows {
    float value(int from, int to, double gradientSum);
  }

  /** Says which features a node may split on. */
  @FunctionalInterface
  interface FeatureDraw {
    /** Fills in which features may be used. */
    void draw(boolean[] allowed);
  }

  TreeGrower(Bins bins, int features, TreeOptions options, int size, @Nullable FeatureDraw draw) {
    this.bins = bins;
    this.features = features;
    this.options = options;
    this.draw = draw;
    rows = new int[size];
    spare = new int[size];
    // One histogram for each level, and one for the sibling that waits there.
    sums = new double[2 * options.depth() + 2][];
    counts = new int[2 * options.depth() + 2][];
  }

  /** Returns the rows in the order of the leaves; set them before {@link #grow}. */
  int[] rows() {
    return rows;
  }

  /**
   * Grows a tree.
   *
   * @param gradient each row's gradient, by row number
   * @param leaves decides each leaf's value
   */
  TreeNodes grow(float[] gradient, LeafRows leaves) {
    gradients = gradient;
    leafRows = leaves;
    tree = new TreeNodes();
    int root = tree.leaf(0);
    double sum = 0;
    for (int row : rows) {
      sum += gradient[row];
    }
    count(0, rows.length, 0);
    node(root, 0, 0, rows.length, sum, 0);
    return tree;
  }

  private void node(int node, int level, int from, int to, double sum, int histogram) {
    if (level == options.depth()
        || to - from < 2 * options.minRows()
        || !search(histogram, to - from, sum)) {
      tree.value[node] = leafRows.value(from, to, sum);
      return;
    }
    double leftSum = bestLeftSum;
    int middle = from + bestLeftCount;
    int left = tree.leaf(0);
    int right = tree.leaf(0);
    float threshold = bins.cuts[bestFeature][bestBin];
    tree.split(node, bestFeature, threshold, bestMissingLeft, left, right);
    partition(from, to, middle);
    int one = 2 * level + 2;
    int other = one + 1;
    boolean leftIsSmaller = middle - from <= to - middle;
    if (level + 1 < options.depth()) {
      count(
          leftIsSmaller ? from : middle, leftIsSmaller ? middle : to, leftIsSmaller ? one : other);
      subtract(histogram, leftIsSmaller ? one : other, leftIsSmaller ? other : one);
    }
    node(left, level + 1, from, middle, leftSum, one);
    node(right, level + 1, middle, to, sum - leftSum, other);
  }

  private void count(int from, int to, int histogram) {
    int room = features * Bins.ROOM;
    if (sums[histogram] == null) {
      sums[histogram] = new double[room];
      counts[histogram] = new int[room];
    }
    double[] sum = sums[histogram];
    int[] count = counts[histogram];
    Arrays.fill(sum, 0);
    Arrays.fill(count, 0);
    byte[] all = bins.bins;
    for (int i = from; i < to; i++) {
      int row = rows[i];
      double gradient = gradients[row];
      int at = row * features;
      for (int f = 0; f < features; f++) {
        int cell = (f << 8) | (all[at + f] & 255);
        sum[cell] += gradient;
        count[cell]++;
      }
    }
  }

  private void subtract(int parent, int child, int sibling) {
    int room = features * Bins.ROOM;
    if (sums[sibling] == null) {
      sums[sibling] = new double[room];
      counts[sibling] = new int[room];
    }
    double[] result = sums[sibling];
    int[] left = counts[sibling];
    for (int i = 0; i < room; i++) {
      left[i] = counts[parent][i] - counts[child][i];
      // An empty bin holds no rounding of what was in it.
      result[i] = left[i] == 0 ? 0 : sums[parent][i] - sums[child][i];
    }
  }

  /** Finds the best split of a node; returns whether one lowers the loss. */
  private boolean search(int histogram, int count, double sum) {
    boolean[] allowed = new boolean[features];
    if (draw == null) {
      Arrays.fill(allowed, true);
    } else {
      draw.draw(allowed);
    }
    double parent = score(sum, count);
    bestGain = 1e-6 * Math.abs(parent) + 1e-12;
    bestFeature = -1;
    for (int f = 0; f < features; f++) {
      if (allowed[f]) {
        search(f, sums[histogram], counts[histogram], count, sum, parent);
      }
    }
    return bestFeature >= 0;
  }

  private void search(int f, double[] sums, int[] counts, int count, double sum, double parent) {
    int base = f << 8;
    int missing = counts[base | Bins.MISSING];
    double missingSum = sums[base | Bins.MISSING];
    double leftSum = 0;
    int left = 0;
    int cuts = bins.cuts[f].length;
    for (int k = 0; k < cuts; k++) {
      int inBin = counts[base | k];
      if (inBin == 0) {
        continue;
      }
      left += inBin;
      leftSum += sums[base | k];
      // Without missing rows both are the same; the larger side then is the default.
      boolean larger = 2 * left >= count;
      offer(f, k, missing == 0 && larger, left, leftSum, count, sum, parent);
      if (missing > 0) {
        offer(f, k, true, left + missing, leftSum + missingSum, count, sum, parent);
      }
    }
  }

  private void offer(
      int f,
      int bin,
      boolean missingLeft,
      int left,
      double leftSum,
      int count,
      double sum,
      double parent) {
    int right = count - left;
    if (left < options.minRows() || right < options.minRows()) {
      return;
    }
    double gain = score(leftSum, left) + score(sum - leftSum, right) - parent;
    if (gain > bestGain) {
      bestGain = gain;
      bestFeature = f;
      bestBin = bin;
      bestMissingLeft = missingLeft;
      bestLeftSum = leftSum;
      bestLeftCount = left;
    }
  }

  private double score(double sum, int count) {
    return sum * sum / (count + options.lambda());
  }

  /** Moves the rows that go left before the others; both keep their order. */
  private void partition(int from, int to, int middle) {
    byte[] all = bins.bins;
    int left = from;
    int right = 0;
    for (int i = from; i < to; i++) {
      int row = rows[i];
      int bin = all[row * features + bestFeature] & 255;
      if (bin == Bins.MISSING ? bestMissingLeft : bin <= bestBin) {
        rows[left++] = row;
      } else {
        spare[right++] = row;
      }
    }
    System.arraycopy(spare, 0, rows, middle, right);
  }
}
