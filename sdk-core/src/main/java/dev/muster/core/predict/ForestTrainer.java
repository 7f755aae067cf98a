package dev.muster.core.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trains random forests (Breiman, 2001), the ablation of BoostedSOSA.
 *
 * <p>Each tree sees as many rows as there are, drawn with replacement, and at each node a third of
 * the features, at least one; leaves hold means, and the forest's prediction is the mean of its
 * trees. It is stored as a {@link BoostedTrees} whose leaves are divided by the number of trees, so
 * one evaluator serves both. Learning rate and lambda are not used. Same seed, same forest.
 */
public final class ForestTrainer {
  private ForestTrainer() {}

  /** Returns the options of a forest of 64 trees: depth 10 and at least 5 rows a leaf. */
  public static TreeOptions defaults() {
    return new TreeOptions(64, 10, 1, 0, 5, TreeOptions.Loss.SQUARED, 1);
  }

  /** Trains a forest. */
  public static BoostedTrees train(TrainingSet set, TreeOptions options) {
    TreeOptions plain =
        new TreeOptions(
            options.trees(),
            options.depth(),
            1,
            0,
            options.minRows(),
            TreeOptions.Loss.SQUARED,
            options.seed());
    Draws draws = new Draws(options.seed());
    int size = set.size();
    Bins bins = new Bins(set);
    TreeGrower grower =
        new TreeGrower(bins, set.features(), plain, size, allowed -> draws.third(allowed));
    float[] gradients = new float[size];
    for (int i = 0; i < size; i++) {
      gradients[i] = -set.target(i);
    }
    List<TreeNodes> trees = new ArrayList<>();
    for (int t = 0; t < plain.trees(); t++) {
      int[] rows = grower.rows();
      for (int i = 0; i < size; i++) {
        rows[i] = draws.below(size);
      }
      // In order, so that bins are read from front to back.
      Arrays.sort(rows);
      trees.add(
          grower.grow(gradients, (from, to, sum) -> (float) (-sum / (to - from) / plain.trees())));
    }
    return BoostedTrees.of(set.features(), 0, trees);
  }

  /** Draws by SplitMix64 (Steele, Lea and Flood, 2014), the same on every machine. */
  private static final class Draws {
    private long state;

    Draws(long seed) {
      state = seed;
    }

    private long next() {
      state += 0x9e3779b97f4a7c15L;
      long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }

    int below(int bound) {
      return (int) Math.multiplyHigh(next() >>> 1, 2L * bound);
    }

    void third(boolean[] allowed) {
      Arrays.fill(allowed, false);
      int wanted = Math.max(1, allowed.length / 3);
      for (int drawn = 0; drawn < wanted; ) {
        int feature = below(allowed.length);
        drawn += allowed[feature] ? 0 : 1;
        allowed[feature] = true;
      }
    }
  }
}
