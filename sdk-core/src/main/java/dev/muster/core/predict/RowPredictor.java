package dev.muster.core.predict;

/** Predicts a number from a row of features, of which NaN ones are missing. */
@FunctionalInterface
public interface RowPredictor {
  /**
   * Predicts for a row.
   *
   * @param row one value for each feature, in the order of training
   */
  float predict(float[] row);
}
