package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trains gradient-boosted regression trees (Friedman, 2001; Chen and Guestrin, 2016).
 *
 * <p>Each tree corrects what the ones before it left over. With an ensemble to start from, its
 * trees stay as they are and new ones follow: the additive training of BoostedSOSA, section III-C1.
 * Histograms of at most 255 bins; one thread; the same data give the same bits. {@link
 * TreeOptions.Loss#ABSOLUTE} differs from the paper: split on signs, leaves hold medians.
 */
public final class BoostingTrainer {
  private final TrainingSet set;
  private final TreeOptions options;
  private final float[] predicted;
  private final float[] gradients;
  private final float[] scratch;
  private final TreeGrower grower;

  private BoostingTrainer(TrainingSet set, TreeOptions options, BoostedTrees start) {
    this.set = set;
    this.options = options;
    predicted = new float[set.size()];
    gradients = new float[set.size()];
    scratch = new float[set.size()];
    float[] row = new float[start.scratchLength()];
    for (int i = 0; i < predicted.length; i++) {
      predicted[i] = start.predict(set.row(i), row);
    }
    grower = new TreeGrower(new Bins(set), set.features(), options, set.size(), null);
  }

  /** Trains a new ensemble, from the mean or median of the targets. */
  public static BoostedTrees train(TrainingSet set, TreeOptions options) {
    return train(set, options, BoostedTrees.constant(set.features(), base(set, options.loss())));
  }

  /**
   * Trains further trees after those of an ensemble, which stays as it is.
   *
   * @param set what to learn from
   * @param options how; {@link TreeOptions#trees} are added
   * @param start the ensemble to start from
   */
  public static BoostedTrees train(TrainingSet set, TreeOptions options, BoostedTrees start) {
    if (start.features() != set.features()) {
      throw InvalidInputException.of(
          "training set",
          set.features() + " features",
          "must have the " + start.features() + " of the ensemble",
          "use the same columns");
    }
    BoostingTrainer trainer = new BoostingTrainer(set, options, start);
    List<TreeNodes> trees = new ArrayList<>();
    for (int t = 0; t < options.trees(); t++) {
      trees.add(trainer.tree());
    }
    return start.plus(trees);
  }

  private static float base(TrainingSet set, TreeOptions.Loss loss) {
    if (loss == TreeOptions.Loss.ABSOLUTE) {
      float[] targets = new float[set.size()];
      for (int i = 0; i < targets.length; i++) {
        targets[i] = set.target(i);
      }
      Arrays.sort(targets);
      return targets[targets.length / 2];
    }
    double sum = 0;
    for (int i = 0; i < set.size(); i++) {
      sum += set.target(i);
    }
    return (float) (sum / set.size());
  }

  private TreeNodes tree() {
    boolean squared = options.loss() == TreeOptions.Loss.SQUARED;
    int[] rows = grower.rows();
    for (int i = 0; i < rows.length; i++) {
      float error = predicted[i] - set.target(i);
      gradients[i] = squared ? error : Math.signum(error);
      rows[i] = i;
    }
    return grower.grow(gradients, this::leaf);
  }

  /** Decides a leaf's value and adds it to the predictions of its rows, as evaluation will. */
  private float leaf(int from, int to, double sum) {
    double step =
        options.loss() == TreeOptions.Loss.SQUARED
            ? -sum / (to - from + options.lambda())
            : median(from, to) * (to - from) / (to - from + options.lambda());
    float value = (float) (options.learningRate() * step);
    int[] rows = grower.rows();
    for (int i = from; i < to; i++) {
      predicted[rows[i]] += value;
    }
    return value;
  }

  private double median(int from, int to) {
    int[] rows = grower.rows();
    for (int i = from; i < to; i++) {
      scratch[i - from] = set.target(rows[i]) - predicted[rows[i]];
    }
    Arrays.sort(scratch, 0, to - from);
    int middle = (to - from) / 2;
    return (to - from) % 2 == 1
        ? scratch[middle]
        : 0.5 * ((double) scratch[middle - 1] + scratch[middle]);
  }
}
