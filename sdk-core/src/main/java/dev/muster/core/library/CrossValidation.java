package dev.muster.core.library;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/** Scores learners on designs they were not trained on. */
public final class CrossValidation {
  private CrossValidation() {}

  /**
   * Predicts every row by a model trained on the other folds; row {@code i} is in the fold of
   * {@code shuffled rank mod folds}.
   *
   * @param trainShare share of each training set that is really used, in (0, 1]: how much of the
   *     space is built
   */
  public static double[] predictions(
      Predictor.Learner learner,
      double[][] features,
      double[] targets,
      int folds,
      double trainShare,
      long seed) {
    if (folds < 2 || folds > targets.length || !(trainShare > 0 && trainShare <= 1)) {
      throw InvalidInputException.of(
          "folds and share",
          folds + ", " + trainShare,
          "must be between 2 and the number of designs, and in (0, 1]",
          "use 5 and 1");
    }
    int[] order = shuffled(targets.length, seed);
    double[] predictions = new double[targets.length];
    for (int fold = 0; fold < folds; fold++) {
      List<Integer> training = new ArrayList<>();
      for (int i = 0; i < order.length; i++) {
        if (i % folds != fold) {
          training.add(order[i]);
        }
      }
      int kept = Math.max(1, (int) Math.round(training.size() * trainShare));
      List<Integer> used = training.subList(0, kept);
      Predictor model =
          learner.fit(
              used.stream().map(i -> features[i]).toArray(double[][]::new),
              used.stream().mapToDouble(i -> targets[i]).toArray());
      for (int i = fold; i < order.length; i += folds) {
        predictions[order[i]] = model.predict(features[order[i]]);
      }
    }
    return predictions;
  }

  /** Returns the share of the variance that is explained (R^2); 1 is perfect. */
  public static double r2(double[] targets, double[] predictions) {
    double mean = 0;
    for (double target : targets) {
      mean += target / targets.length;
    }
    double error = 0;
    double variance = 0;
    for (int i = 0; i < targets.length; i++) {
      error += (targets[i] - predictions[i]) * (targets[i] - predictions[i]);
      variance += (targets[i] - mean) * (targets[i] - mean);
    }
    return variance == 0 ? (error == 0 ? 1 : 0) : 1 - error / variance;
  }

  /** Returns the F1 score of the class "at least 0.5"; 1 is perfect. */
  public static double f1(double[] targets, double[] predictions) {
    int hits = 0;
    int wrong = 0;
    for (int i = 0; i < targets.length; i++) {
      boolean is = targets[i] >= 0.5;
      boolean said = predictions[i] >= 0.5;
      hits += is && said ? 1 : 0;
      wrong += is != said ? 1 : 0;
    }
    return hits == 0 ? 0 : 2.0 * hits / (2.0 * hits + wrong);
  }

  /** Shuffles 0..n-1 (Fisher and Yates) with SplitMix64. */
  private static int[] shuffled(int n, long seed) {
    int[] order = new int[n];
    long state = seed;
    for (int i = 0; i < n; i++) {
      state += 0x9e3779b97f4a7c15L;
      long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      int j = (int) Long.remainderUnsigned(z ^ (z >>> 31), i + 1L);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
