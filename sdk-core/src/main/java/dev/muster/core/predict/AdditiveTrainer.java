package dev.muster.core.predict;

import java.util.List;

/**
 * Trains models that follow their workload: BoostedSOSA's CORE + ADD policy (section III-C), and a
 * gated form of it.
 *
 * <p>CORE is trained once on history and frozen. Each bucket of newly completed jobs may change the
 * ADD trees. As published ({@link AdditiveOptions.Gate#NONE}) the bucket appends trees, and starts
 * ADD over when its budget is used up, which the source leaves open. The paper reports that this
 * overcorrects when a shift passes. The gated form trains on the bucket's older four fifths and
 * lets four models compete on the newest fifth: the current one; the current one with trees
 * appended; CORE with a whole new ADD; and CORE alone. Whoever is not the current model must lower
 * the mean absolute error by more than twice the standard error of the difference, job by job; of
 * those that do, the one with the least error wins.
 *
 * <p>Pure functions: the same model and bucket give the same next model, on whatever thread.
 */
public final class AdditiveTrainer {
  private static final double STANDARD_ERRORS = 2;

  private AdditiveTrainer() {}

  /**
   * Trains CORE.
   *
   * <p>Quantiles come from the newest fifth of the history, predicted by a model that was trained
   * on the rest; with fewer than {@link AdditiveOptions#MIN_BUCKET} jobs they are the mean.
   *
   * @param history completed jobs, the newest last
   */
  public static AdditiveModel core(TrainingSet history, AdditiveOptions options) {
    BoostedTrees trees = BoostingTrainer.train(history, options.core());
    ResidualQuantiles residuals = ResidualQuantiles.none();
    if (history.size() >= AdditiveOptions.MIN_BUCKET) {
      int split = split(history);
      BoostedTrees older = BoostingTrainer.train(history.slice(0, split), options.core());
      residuals = ResidualQuantiles.measure(older, history.slice(split, history.size()));
    }
    return new AdditiveModel(trees, trees.trees(), targets(history), residuals);
  }

  /**
   * Returns the model after a bucket; the current one if the bucket is smaller than {@link
   * AdditiveOptions#MIN_BUCKET}.
   *
   * @param current the model so far
   * @param bucket jobs that completed since, the newest last
   */
  public static AdditiveModel update(
      AdditiveModel current, TrainingSet bucket, AdditiveOptions options) {
    if (bucket.size() < AdditiveOptions.MIN_BUCKET || options.addTrees() == 0) {
      return current;
    }
    int split = split(bucket);
    TrainingSet newest = bucket.slice(split, bucket.size());
    BoostedTrees trees =
        switch (options.gate()) {
          case NONE -> append(current, bucket, options);
          case HELD_BACK -> compete(current, bucket.slice(0, split), newest, options);
        };
    return new AdditiveModel(
        trees,
        current.coreTrees(),
        targets(bucket),
        // Of trees that also learned these jobs, this is too narrow; gated ones did not.
        ResidualQuantiles.measure(trees, newest));
  }

  /** Trains CORE's and ADD's trees on one bucket alone: the RECENT-ONLY baseline. */
  public static BoostedTrees recentOnly(TrainingSet bucket, AdditiveOptions options) {
    return BoostingTrainer.train(
        bucket, options.core().withTrees(options.core().trees() + options.addTrees()));
  }

  private static int split(TrainingSet set) {
    return set.size() - set.size() / 5;
  }

  private static RuntimeTargets targets(TrainingSet set) {
    float[] days = new float[set.size()];
    for (int i = 0; i < days.length; i++) {
      days[i] = set.target(i);
    }
    return RuntimeTargets.ofHistory(days);
  }

  private static BoostedTrees append(
      AdditiveModel current, TrainingSet bucket, AdditiveOptions options) {
    int trees = options.treesPerBucket();
    boolean room = current.addTrees() + trees <= options.addTrees();
    return BoostingTrainer.train(
        bucket, options.add(trees), room ? current.trees() : current.core());
  }

  private static BoostedTrees compete(
      AdditiveModel current, TrainingSet older, TrainingSet newest, AdditiveOptions options) {
    BoostedTrees core = current.core();
    int room = Math.min(options.treesPerBucket(), options.addTrees() - current.addTrees());
    List<BoostedTrees> challengers =
        List.of(
            room <= 0
                ? current.trees()
                : BoostingTrainer.train(older, options.add(room), current.trees()),
            BoostingTrainer.train(older, options.add(options.addTrees()), core),
            core);
    BoostedTrees best = current.trees();
    double least = newest.meanAbsoluteError(best);
    for (BoostedTrees challenger : challengers) {
      double error = newest.meanAbsoluteError(challenger);
      if (error < least && clearlyBetter(challenger, current.trees(), newest)) {
        best = challenger;
        least = error;
      }
    }
    return best;
  }

  /** Returns whether the mean fall of the error exceeds its uncertainty. */
  private static boolean clearlyBetter(BoostedTrees one, BoostedTrees other, TrainingSet newest) {
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < newest.size(); i++) {
      float[] row = newest.row(i);
      double fall =
          Math.abs(other.predict(row) - newest.target(i))
              - Math.abs(one.predict(row) - newest.target(i));
      double step = fall - mean;
      mean += step / (i + 1);
      squares += step * (fall - mean);
    }
    double variance = squares / Math.max(1, newest.size() - 1);
    return mean > STANDARD_ERRORS * Math.sqrt(variance / newest.size());
  }
}
