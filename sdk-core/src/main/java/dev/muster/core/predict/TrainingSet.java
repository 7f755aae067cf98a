package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;

/**
 * Holds rows of features with their targets, in the order in which they became known.
 *
 * <p>Features may be NaN where missing, but not infinite; targets are finite. Rows are shared, not
 * copied: do not change them.
 */
public final class TrainingSet {
  private final float[][] rows;
  private final float[] targets;

  private TrainingSet(float[][] rows, float[] targets) {
    this.rows = rows;
    this.targets = targets;
  }

  /**
   * Creates a set.
   *
   * @param rows at least one, all of one length of at least 1
   * @param targets one for each row
   */
  public static TrainingSet of(float[][] rows, float[] targets) {
    if (rows.length == 0 || rows.length != targets.length) {
      throw invalid("rows", rows.length, "must be as many as targets, at least 1");
    }
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].length == 0 || rows[i].length != rows[0].length) {
        throw invalid("row " + i, rows[i].length + " features", "must have as many as row 0");
      }
      for (float value : rows[i]) {
        if (Float.isInfinite(value)) {
          throw invalid("row " + i, value, "must be finite, or NaN if missing");
        }
      }
      if (!Float.isFinite(targets[i])) {
        throw invalid("target " + i, targets[i], "must be finite");
      }
    }
    return new TrainingSet(rows, targets);
  }

  private static InvalidInputException invalid(String thing, Object value, String limit) {
    return InvalidInputException.of("training set, " + thing, value, limit, "correct the data");
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.length;
  }

  /** Returns the number of features. */
  public int features() {
    return rows[0].length;
  }

  /** Returns a row. */
  public float[] row(int index) {
    return rows[index];
  }

  /** Returns a target. */
  public float target(int index) {
    return targets[index];
  }

  /** Returns the rows from one index up to another, exclusive; at least one. */
  public TrainingSet slice(int from, int to) {
    return of(Arrays.copyOfRange(rows, from, to), Arrays.copyOfRange(targets, from, to));
  }

  /** Returns the mean absolute error of a predictor on these rows. */
  public double meanAbsoluteError(RowPredictor predictor) {
    double sum = 0;
    for (int i = 0; i < rows.length; i++) {
      sum += Math.abs(predictor.predict(rows[i]) - targets[i]);
    }
    return sum / rows.length;
  }
}
