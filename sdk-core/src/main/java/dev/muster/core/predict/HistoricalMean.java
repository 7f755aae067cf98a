package dev.muster.core.predict;

import java.util.HashMap;
import java.util.Map;

/**
 * Predicts the mean of the past with the same value of one feature, such as the user; the mean of
 * all where that is new or missing. A baseline.
 */
public final class HistoricalMean implements RowPredictor {
  private final int feature;
  private final float all;
  private final Map<Float, Float> means;

  private HistoricalMean(int feature, float all, Map<Float, Float> means) {
    this.feature = feature;
    this.all = all;
    this.means = means;
  }

  /**
   * Averages a set.
   *
   * @param set the past
   * @param feature the feature to tell by, or -1 for one mean over everything
   */
  public static HistoricalMean train(TrainingSet set, int feature) {
    Map<Float, double[]> sums = new HashMap<>();
    double sum = 0;
    for (int i = 0; i < set.size(); i++) {
      sum += set.target(i);
      if (feature >= 0 && !Float.isNaN(set.row(i)[feature])) {
        double[] group = sums.computeIfAbsent(set.row(i)[feature], key -> new double[2]);
        group[0] += set.target(i);
        group[1]++;
      }
    }
    Map<Float, Float> means = new HashMap<>();
    sums.forEach((key, group) -> means.put(key, (float) (group[0] / group[1])));
    return new HistoricalMean(feature, (float) (sum / set.size()), means);
  }

  @Override
  public float predict(float[] row) {
    return feature < 0 ? all : means.getOrDefault(row[feature], all);
  }
}
