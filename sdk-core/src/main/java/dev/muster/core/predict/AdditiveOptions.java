package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;

/**
 * Sets how a model follows its workload: a frozen CORE, and ADD trees that newer jobs train.
 *
 * @param core how CORE is trained; ADD trees take depth, lambda and loss from here
 * @param addTrees the budget of ADD trees, 0 to 10,000; BoostedSOSA splits 128 trees in halves
 * @param treesPerBucket the trees that one bucket appends, 1 up to the budget (or 1 without one)
 * @param addLearningRate the learning rate of ADD trees
 * @param gate which trees are accepted
 */
public record AdditiveOptions(
    TreeOptions core, int addTrees, int treesPerBucket, double addLearningRate, Gate gate) {
  /** The fewest jobs that a bucket must hold to train trees. */
  public static final int MIN_BUCKET = 50;

  /** Says which new trees become part of the model. */
  public enum Gate {
    /** All of them, as in BoostedSOSA. */
    NONE,
    /**
     * Those that lower the error on the bucket's newest fifth, which they were not trained on, by
     * more than its uncertainty; see {@link AdditiveTrainer}.
     */
    HELD_BACK
  }

  /** Checks the ranges. */
  public AdditiveOptions {
    if (addTrees < 0 || addTrees > 10_000) {
      throw invalid("ADD trees", addTrees, "must be from 0 to 10,000");
    }
    if (treesPerBucket < 1 || treesPerBucket > Math.max(1, addTrees)) {
      throw invalid("trees for a bucket", treesPerBucket, "must be from 1 to the budget of ADD");
    }
    if (!(addLearningRate > 0 && addLearningRate <= 1)) {
      throw invalid("learning rate of ADD", addLearningRate, "must be above 0 and up to 1");
    }
  }

  private static InvalidInputException invalid(String thing, Object value, String limit) {
    return InvalidInputException.of(
        "additive options, " + thing, value, limit, "choose a value in that range");
  }

  /** Returns 64 CORE and 64 ADD trees, 16 for a bucket, gated. */
  public static AdditiveOptions ofDefaults() {
    return new AdditiveOptions(TreeOptions.ofDefaults(), 64, 16, 0.1, Gate.HELD_BACK);
  }

  /** Returns a copy with another gate. */
  public AdditiveOptions withGate(Gate value) {
    return new AdditiveOptions(core, addTrees, treesPerBucket, addLearningRate, value);
  }

  /** Returns a copy with other options of CORE. */
  public AdditiveOptions withCore(TreeOptions value) {
    return new AdditiveOptions(value, addTrees, treesPerBucket, addLearningRate, gate);
  }

  /** Returns a copy with another budget of ADD trees, and so many of them for a bucket. */
  public AdditiveOptions withAddTrees(int budget, int perBucket) {
    return new AdditiveOptions(core, budget, perBucket, addLearningRate, gate);
  }

  /** Returns how ADD trees are trained. */
  TreeOptions add(int trees) {
    return core.withTrees(trees).withLearningRate(addLearningRate);
  }
}
