package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/**
 * Predicts run times in wall-clock days by CORE trees and the ADD trees that follow them, with
 * quantiles beside the mean.
 *
 * <p>Immutable, so that a scheduler can read one model while the next is trained. Saved as an
 * XGBoost model: XGBoost evaluates it too.
 */
public final class AdditiveModel implements RowPredictor {
  private static final String CORE_TREES = "muster.core_trees";
  private static final String LARGEST_BLOCK = "muster.largest_block";
  private static final String RESIDUALS = "muster.residuals";

  private final BoostedTrees trees;
  private final int coreTrees;
  private final RuntimeTargets targets;
  private final ResidualQuantiles residuals;

  AdditiveModel(
      BoostedTrees trees, int coreTrees, RuntimeTargets targets, ResidualQuantiles residuals) {
    this.trees = trees;
    this.coreTrees = coreTrees;
    this.targets = targets;
    this.residuals = residuals;
  }

  /**
   * Creates a model from trees trained elsewhere; all of them are CORE, and quantiles are the mean
   * until the first bucket.
   *
   * @param trees predict wall-clock days
   * @param targets the range of blocks
   */
  public static AdditiveModel of(BoostedTrees trees, RuntimeTargets targets) {
    return new AdditiveModel(trees, trees.trees(), targets, ResidualQuantiles.none());
  }

  /** Returns all trees, CORE's first. */
  public BoostedTrees trees() {
    return trees;
  }

  /** Returns the number of CORE trees. */
  public int coreTrees() {
    return coreTrees;
  }

  /** Returns the number of ADD trees. */
  public int addTrees() {
    return trees.trees() - coreTrees;
  }

  /** Returns CORE alone. */
  public BoostedTrees core() {
    return addTrees() == 0 ? trees : trees.first(coreTrees);
  }

  /** Returns the range of blocks, by the jobs that trained the model last. */
  public RuntimeTargets targets() {
    return targets;
  }

  /** Predicts days, never below 0. */
  @Override
  public float predict(float[] row) {
    return Math.max(0, trees.predict(row));
  }

  /** Predicts days, never below 0, without allocating; see {@link BoostedTrees}. */
  public float predict(float[] row, float[] scratch) {
    return Math.max(0, trees.predict(row, scratch));
  }

  /** Predicts 15-minute blocks, without allocating; see {@link RuntimeTargets#blocks}. */
  public int blocks(float[] row, float[] scratch) {
    return targets.blocks(trees.predict(row, scratch));
  }

  /**
   * Returns the days that are not exceeded with a probability, given the mean that {@link #predict}
   * returned.
   *
   * @param mean the mean in days
   * @param probability above 0 and below 1
   */
  public float quantile(float mean, double probability) {
    return residuals.quantile(mean, probability);
  }

  /** Writes the model as JSON; flushes, but does not close. */
  public void save(OutputStream out) throws IOException {
    XgboostJson.write(
        trees,
        Map.of(
            CORE_TREES, Integer.toString(coreTrees),
            LARGEST_BLOCK, Integer.toString(targets.largestBlock()),
            RESIDUALS, residuals.text()),
        out);
  }

  /**
   * Reads a model, also one that XGBoost trained on wall-clock days: then all trees are CORE.
   *
   * @param in the bytes; not closed
   * @param source the name that messages use
   */
  public static AdditiveModel load(InputStream in, String source) throws IOException {
    XgboostJson.Model model = XgboostJson.read(in, source);
    int trees = model.trees().trees();
    String residuals = model.attributes().get(RESIDUALS);
    String thing = "model " + source + ", attribute ";
    int block = RuntimeTargets.MAX_BLOCKS;
    return new AdditiveModel(
        model.trees(),
        number(model, CORE_TREES, trees, 0, trees, thing),
        RuntimeTargets.upTo(number(model, LARGEST_BLOCK, block, 1, block, thing)),
        residuals == null
            ? ResidualQuantiles.none()
            : ResidualQuantiles.parse(residuals, thing + RESIDUALS));
  }

  private static int number(
      XgboostJson.Model model, String name, int otherwise, int least, int most, String thing) {
    String text = model.attributes().get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Refused below, like numbers out of range.
    }
    throw InvalidInputException.of(
        thing + name, text, "must be from " + least + " to " + most, "save the model again");
  }
}
