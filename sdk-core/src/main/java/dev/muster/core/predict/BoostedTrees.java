package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates an ensemble of regression trees exactly as XGBoost does, in plain arrays.
 *
 * <p>All trees are padded to the same depth d, so that a tree is 2^d - 1 thresholds and 2^d leaves
 * at computed places: no child pointers, and no branch that depends on a threshold. The result is
 * {@code base} plus one leaf of each tree, added as float in tree order, and a row goes left where
 * {@code value < threshold} as float: bit for bit what XGBoost computes. A missing value (NaN)
 * takes the node's default branch. To keep that out of the inner loop, each row is first spread
 * into two: one where missing values are +infinity, which always go right, and one where they are
 * -infinity, which always go left; each node reads from the one of its default.
 *
 * <p>A prediction costs trees times depth steps, and allocates nothing when the caller brings the
 * scratch space. Immutable and safe for any thread.
 */
public final class BoostedTrees implements RowPredictor {
  /** Limits the depth: arrays grow by 2^depth. */
  public static final int MAX_DEPTH = 14;

  /** Limits the leaves of all trees after padding. */
  public static final int MAX_LEAVES = 1 << 25;

  private static final float PADDING = Float.POSITIVE_INFINITY;

  private final int features;
  private final float base;
  private final int depth;
  private final int trees;
  private final int[] source;
  private final float[] threshold;
  private final float[] leaf;

  private BoostedTrees(
      int features,
      float base,
      int depth,
      int trees,
      int[] source,
      float[] threshold,
      float[] leaf) {
    this.features = features;
    this.base = base;
    this.depth = depth;
    this.trees = trees;
    this.source = source;
    this.threshold = threshold;
    this.leaf = leaf;
  }

  /** Creates an ensemble without trees, which predicts a constant. */
  public static BoostedTrees constant(int features, float base) {
    return of(features, base, List.of());
  }

  static BoostedTrees of(int features, float base, List<TreeNodes> nodes) {
    int depth = 0;
    for (int t = 0; t < nodes.size(); t++) {
      depth = Math.max(depth, depthOf(nodes.get(t), t, 0, 0));
    }
    checkSize(nodes.size(), depth);
    int inner = (1 << depth) - 1;
    var source = new int[nodes.size() * inner];
    var threshold = new float[nodes.size() * inner];
    var leaf = new float[nodes.size() << depth];
    var result = new BoostedTrees(features, base, depth, nodes.size(), source, threshold, leaf);
    for (int t = 0; t < nodes.size(); t++) {
      result.fill(nodes.get(t), t, 0, 0, 0);
    }
    return result;
  }

  private static void checkSize(int trees, int depth) {
    if (((long) trees << depth) > MAX_LEAVES) {
      throw InvalidInputException.of(
          "tree ensemble",
          trees + " trees of depth " + depth,
          "must not need over " + MAX_LEAVES + " leaves after padding",
          "train fewer or shallower trees");
    }
  }

  private static int depthOf(TreeNodes tree, int number, int node, int level) {
    if (tree.isLeaf(node)) {
      return level;
    }
    if (level == MAX_DEPTH) {
      throw InvalidInputException.of(
          "tree " + number,
          "deeper than " + MAX_DEPTH,
          "is too deep",
          "train with a maximum depth of at most " + MAX_DEPTH);
    }
    return Math.max(
        depthOf(tree, number, tree.left[node], level + 1),
        depthOf(tree, number, tree.right[node], level + 1));
  }

  /** Copies a node to its computed place, and a leaf to all places below it. */
  private void fill(TreeNodes tree, int t, int level, int place, int node) {
    int inner = (1 << depth) - 1;
    if (level == depth) {
      leaf[(t << depth) + place - inner] = tree.value[node];
      return;
    }
    boolean end = tree.isLeaf(node);
    int at = t * inner + place;
    threshold[at] = end ? PADDING : tree.value[node];
    source[at] = end ? 0 : tree.feature[node] + (tree.defaultLeft[node] ? features : 0);
    fill(tree, t, level + 1, 2 * place + 1, end ? node : tree.left[node]);
    fill(tree, t, level + 1, 2 * place + 2, end ? node : tree.right[node]);
  }

  /** Returns the number of features that a row must have at least. */
  public int features() {
    return features;
  }

  /** Returns the number of trees. */
  public int trees() {
    return trees;
  }

  /** Returns the depth of the deepest tree. */
  public int depth() {
    return depth;
  }

  /** Returns what the ensemble predicts without its trees. */
  public float base() {
    return base;
  }

  /** Returns the length of the scratch array that {@link #predict(float[], float[])} needs. */
  public int scratchLength() {
    return Math.max(1, 2 * features);
  }

  /** {@inheritDoc} Allocates scratch space; see {@link #predict(float[], float[])}. */
  @Override
  public float predict(float[] row) {
    return predict(row, new float[scratchLength()]);
  }

  /**
   * Predicts for a row without allocating.
   *
   * @param row at least {@link #features} values, NaN where missing
   * @param scratch at least {@link #scratchLength} values, overwritten
   */
  public float predict(float[] row, float[] scratch) {
    for (int f = 0; f < features; f++) {
      float value = row[f];
      boolean missing = Float.isNaN(value);
      scratch[f] = missing ? Float.POSITIVE_INFINITY : value;
      scratch[features + f] = missing ? Float.NEGATIVE_INFINITY : value;
    }
    return sum(scratch);
  }

  /** Predicts for many rows. */
  public float[] predictAll(float[][] rows) {
    float[] result = new float[rows.length];
    float[] scratch = new float[scratchLength()];
    for (int i = 0; i < rows.length; i++) {
      result[i] = predict(rows[i], scratch);
    }
    return result;
  }

  /** Walks eight trees at a time, so that their loads overlap; adds in tree order. */
  private float sum(float[] row) {
    int levels = depth;
    int inner = (1 << levels) - 1;
    int leaves = 1 << levels;
    int[] from = source;
    float[] bound = threshold;
    float sum = base;
    int t = 0;
    for (; t + 8 <= trees; t += 8) {
      int b0 = t * inner;
      int b1 = b0 + inner;
      int b2 = b1 + inner;
      int b3 = b2 + inner;
      int b4 = b3 + inner;
      int b5 = b4 + inner;
      int b6 = b5 + inner;
      int b7 = b6 + inner;
      int i0 = 0;
      int i1 = 0;
      int i2 = 0;
      int i3 = 0;
      int i4 = 0;
      int i5 = 0;
      int i6 = 0;
      int i7 = 0;
      for (int level = 0; level < levels; level++) {
        i0 = 2 * i0 + (row[from[b0 + i0]] < bound[b0 + i0] ? 1 : 2);
        i1 = 2 * i1 + (row[from[b1 + i1]] < bound[b1 + i1] ? 1 : 2);
        i2 = 2 * i2 + (row[from[b2 + i2]] < bound[b2 + i2] ? 1 : 2);
        i3 = 2 * i3 + (row[from[b3 + i3]] < bound[b3 + i3] ? 1 : 2);
        i4 = 2 * i4 + (row[from[b4 + i4]] < bound[b4 + i4] ? 1 : 2);
        i5 = 2 * i5 + (row[from[b5 + i5]] < bound[b5 + i5] ? 1 : 2);
        i6 = 2 * i6 + (row[from[b6 + i6]] < bound[b6 + i6] ? 1 : 2);
        i7 = 2 * i7 + (row[from[b7 + i7]] < bound[b7 + i7] ? 1 : 2);
      }
      int first = t * leaves - inner;
      sum += leaf[first + i0];
      sum += leaf[first + i1 + leaves];
      sum += leaf[first + i2 + 2 * leaves];
      sum += leaf[first + i3 + 3 * leaves];
      sum += leaf[first + i4 + 4 * leaves];
      sum += leaf[first + i5 + 5 * leaves];
      sum += leaf[first + i6 + 6 * leaves];
      sum += leaf[first + i7 + 7 * leaves];
    }
    for (; t < trees; t++) {
      int b = t * inner;
      int i = 0;
      for (int level = 0; level < levels; level++) {
        i = 2 * i + (row[from[b + i]] < bound[b + i] ? 1 : 2);
      }
      sum += leaf[t * leaves - inner + i];
    }
    return sum;
  }

  /** Returns the ensemble of the first trees only. */
  public BoostedTrees first(int count) {
    return of(features, base, nodes().subList(0, count));
  }

  /** Returns the ensemble with further trees after its own. */
  BoostedTrees plus(List<TreeNodes> more) {
    List<TreeNodes> all = nodes();
    all.addAll(more);
    return of(features, base, all);
  }

  /** Returns the trees without their padding. */
  List<TreeNodes> nodes() {
    List<TreeNodes> result = new ArrayList<>();
    for (int t = 0; t < trees; t++) {
      TreeNodes tree = new TreeNodes();
      unpad(t, 0, 0, tree);
      result.add(tree);
    }
    return result;
  }

  private int unpad(int t, int level, int place, TreeNodes tree) {
    int inner = (1 << depth) - 1;
    int at = t * inner + place;
    if (level == depth || threshold[at] == PADDING) {
      int lowest = place;
      for (int below = level; below < depth; below++) {
        lowest = 2 * lowest + 1;
      }
      return tree.leaf(leaf[(t << depth) + lowest - inner]);
    }
    int node = tree.leaf(0);
    boolean missingLeft = source[at] >= features;
    int left = unpad(t, level + 1, 2 * place + 1, tree);
    int right = unpad(t, level + 1, 2 * place + 2, tree);
    tree.split(
        node, source[at] - (missingLeft ? features : 0), threshold[at], missingLeft, left, right);
    return node;
  }
}
