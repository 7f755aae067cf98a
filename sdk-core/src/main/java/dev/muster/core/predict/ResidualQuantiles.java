package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;

/**
 * Turns a prediction into quantiles by what earlier predictions of its size missed.
 *
 * <p>Jobs that the model was not trained on are sorted by their prediction and cut into up to 8
 * groups of at least 40. Each group keeps the quantiles of (run time - prediction); a quantile of a
 * new job is its prediction plus that of its group, never below 0, interpolated between the
 * probabilities kept. This is split conformal prediction (Lei et al., 2018) within groups: it says
 * how wrong the model was lately, whatever the reason. Immutable.
 */
final class ResidualQuantiles {
  private static final double[] PROBABILITIES = {
    0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99
  };
  private static final int MAX_GROUPS = 8;
  private static final int MIN_ROWS = 40;

  /** Holds the least prediction of each group but the first. */
  private final float[] bounds;

  /** Holds the residuals, group after group, by probability. */
  private final float[] residuals;

  private ResidualQuantiles(float[] bounds, float[] residuals) {
    this.bounds = bounds;
    this.residuals = residuals;
  }

  /** Says that nothing is known: every quantile is the prediction. */
  static ResidualQuantiles none() {
    return new ResidualQuantiles(new float[0], new float[PROBABILITIES.length]);
  }

  /** Measures a predictor on rows that it was not trained on. */
  static ResidualQuantiles measure(RowPredictor predictor, TrainingSet heldBack) {
    int size = heldBack.size();
    long[] order = new long[size];
    float[] predicted = new float[size];
    for (int i = 0; i < size; i++) {
      predicted[i] = predictor.predict(heldBack.row(i)) + 0.0f;
      int bits = Float.floatToIntBits(predicted[i]);
      // Negative floats compare the other way round; ties go by row.
      order[i] = (long) (bits ^ (bits >> 31 & Integer.MAX_VALUE)) << 32 | i;
    }
    Arrays.sort(order);
    int groups = Math.clamp(size / MIN_ROWS, 1, MAX_GROUPS);
    float[] bounds = new float[groups - 1];
    float[] residuals = new float[groups * PROBABILITIES.length];
    for (int g = 0; g < groups; g++) {
      int from = (int) ((long) size * g / groups);
      int to = (int) ((long) size * (g + 1) / groups);
      float[] group = new float[to - from];
      for (int i = from; i < to; i++) {
        group[i - from] = heldBack.target((int) order[i]) - predicted[(int) order[i]];
      }
      Arrays.sort(group);
      for (int p = 0; p < PROBABILITIES.length; p++) {
        int rank = (int) Math.ceil(PROBABILITIES[p] * (group.length + 1));
        residuals[g * PROBABILITIES.length + p] = group[Math.clamp(rank, 1, group.length) - 1];
      }
      if (g > 0) {
        bounds[g - 1] = predicted[(int) order[from]];
      }
    }
    return new ResidualQuantiles(bounds, residuals);
  }

  /**
   * Returns a quantile.
   *
   * @param prediction what the model predicts
   * @param probability above 0 and below 1; those outside 0.01 to 0.99 count as these
   */
  float quantile(float prediction, double probability) {
    if (!(probability > 0 && probability < 1)) {
      throw InvalidInputException.of(
          "probability",
          probability,
          "must be above 0 and below 1",
          "choose a value in that range");
    }
    int group = 0;
    while (group < bounds.length && prediction >= bounds[group]) {
      group++;
    }
    int base = group * PROBABILITIES.length;
    int last = PROBABILITIES.length - 1;
    int above = 0;
    while (above < last && PROBABILITIES[above] < probability) {
      above++;
    }
    float high = residuals[base + above];
    if (above == 0 || probability >= PROBABILITIES[last]) {
      return Math.max(0, prediction + high);
    }
    double span = PROBABILITIES[above] - PROBABILITIES[above - 1];
    double share = (PROBABILITIES[above] - probability) / span;
    return (float) Math.max(0, prediction + high - share * (high - residuals[base + above - 1]));
  }

  /** Writes this as text, for a model's attribute. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(bounds.length);
    for (float bound : bounds) {
      text.append(' ').append(bound);
    }
    for (float residual : residuals) {
      text.append(' ').append(residual);
    }
    return text.toString();
  }

  /** Reads what {@link #text} wrote. */
  static ResidualQuantiles parse(String text, String thing) {
    String[] parts = text.split(" ", -1);
    try {
      int count = Integer.parseInt(parts[0]);
      int expected = 1 + count + (count + 1) * PROBABILITIES.length;
      if (count >= 0 && count < MAX_GROUPS && parts.length == expected) {
        float[] values = new float[parts.length - 1];
        boolean finite = true;
        for (int i = 0; i < values.length; i++) {
          values[i] = Float.parseFloat(parts[i + 1]);
          finite &= Float.isFinite(values[i]);
        }
        if (finite) {
          return new ResidualQuantiles(
              Arrays.copyOf(values, count), Arrays.copyOfRange(values, count, values.length));
        }
      }
    } catch (NumberFormatException e) {
      // Refused below, like a wrong count.
    }
    throw InvalidInputException.of(
        thing,
        '"' + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + '"',
        "must be a count of bounds, the bounds and the residuals",
        "save the model again");
  }
}
