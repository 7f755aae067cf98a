package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;

/**
 * Sets how trees are grown. Defaults are XGBoost's, but for the smaller learning rate.
 *
 * @param trees how many, 0 to 10,000
 * @param depth the most splits from root to leaf, 1 to {@link BoostedTrees#MAX_DEPTH}
 * @param learningRate the share of its correction that a tree applies, above 0 and up to 1
 * @param lambda what is added to the rows of a leaf, which shrinks small ones; at least 0
 * @param minRows the fewest rows of a leaf, at least 1
 * @param loss what the trees minimise
 * @param seed the seed of whatever is drawn: only forests draw
 */
public record TreeOptions(
    int trees, int depth, double learningRate, double lambda, int minRows, Loss loss, long seed) {
  /** Names what is minimised. */
  public enum Loss {
    /** Squared error: leaves hold means, as in BoostedSOSA. */
    SQUARED,
    /** Absolute error: leaves hold medians, which a few very long jobs do not move. */
    ABSOLUTE
  }

  /** Checks the ranges. */
  public TreeOptions {
    check("trees", trees, 0, 10_000);
    check("depth", depth, 1, BoostedTrees.MAX_DEPTH);
    check("learning rate", learningRate, Double.MIN_VALUE, 1);
    check("lambda", lambda, 0, 1e9);
    check("fewest rows", minRows, 1, Integer.MAX_VALUE);
  }

  private static void check(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw InvalidInputException.of(
          "tree options, " + name,
          value,
          "must be from " + least + " to " + most,
          "choose a value in that range");
    }
  }

  /** Returns the options of BoostedSOSA's CORE: 64 trees of depth 6, squared error. */
  public static TreeOptions ofDefaults() {
    return new TreeOptions(64, 6, 0.1, 1, 1, Loss.SQUARED, 1);
  }

  /** Returns a copy with another number of trees. */
  public TreeOptions withTrees(int value) {
    return new TreeOptions(value, depth, learningRate, lambda, minRows, loss, seed);
  }

  /** Returns a copy with another learning rate. */
  public TreeOptions withLearningRate(double value) {
    return new TreeOptions(trees, depth, value, lambda, minRows, loss, seed);
  }

  /** Returns a copy with another loss. */
  public TreeOptions withLoss(Loss value) {
    return new TreeOptions(trees, depth, learningRate, lambda, minRows, value, seed);
  }
}
