package dev.muster.core.library;

import dev.muster.api.InvalidInputException;
import dev.muster.core.predict.BoostedTrees;
import dev.muster.core.predict.BoostingTrainer;
import dev.muster.core.predict.TrainingSet;
import dev.muster.core.predict.TreeOptions;
import java.util.Arrays;

/**
 * Offers the models of the offline phase ("Linking High-Level Synthesis with FPGA Runtime
 * Orchestration", section 3.1): linear scaling and least squares as a start, trees where more
 * designs were built.
 */
public final class Predictors {
  private static final double TINY = 1e-9;

  private Predictors() {}

  /**
   * Scales the mean figure per unit by the number of units; feature 0 is the number of units. Needs
   * one design.
   */
  public static Predictor.Learner linearScaling() {
    return (features, targets) -> {
      requireData(features, targets);
      double sum = 0;
      for (int i = 0; i < targets.length; i++) {
        sum += targets[i] / Math.max(TINY, features[i][0]);
      }
      double each = sum / targets.length;
      return x -> each * x[0];
    };
  }

  /** Fits {@code a + b / n} by least squares; feature 0 is the number of units n. */
  public static Predictor.Learner inverseUnits() {
    Predictor.Learner line = leastSquares();
    return (features, targets) -> {
      Predictor fitted =
          line.fit(
              Arrays.stream(features).map(Predictors::inverse).toArray(double[][]::new), targets);
      return x -> fitted.predict(inverse(x));
    };
  }

  private static double[] inverse(double[] x) {
    return new double[] {1 / Math.max(TINY, x[0])};
  }

  /**
   * Fits a linear function of all features by least squares, with a trace of ridge so that features
   * that carry nothing do no harm. O(rows * features^2 + features^3).
   */
  public static Predictor.Learner leastSquares() {
    return (features, targets) -> {
      requireData(features, targets);
      int n = features[0].length + 1;
      double[][] a = new double[n][n + 1];
      for (int row = 0; row < targets.length; row++) {
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            a[i][j] += term(features[row], i) * term(features[row], j);
          }
          a[i][n] += term(features[row], i) * targets[row];
        }
      }
      for (int i = 0; i < n; i++) {
        a[i][i] += TINY * (1 + a[i][i]);
      }
      double[] weights = solve(a);
      return x -> {
        double sum = 0;
        for (int i = 0; i < n; i++) {
          sum += weights[i] * term(x, i);
        }
        return sum;
      };
    };
  }

  /** Grows one regression tree; with targets 0 and 1 it is a classifier. */
  public static Predictor.Learner tree(int depth, int leastLeaf) {
    return trees(new TreeOptions(1, depth, 1, 0, leastLeaf, TreeOptions.Loss.SQUARED, 1));
  }

  /**
   * Boosts small trees on the squared error (Friedman's gradient boosting).
   *
   * @param rounds number of trees
   * @param depth of each
   * @param rate share of each tree's answer that counts, in (0, 1]
   */
  public static Predictor.Learner boostedTrees(int rounds, int depth, double rate) {
    return trees(new TreeOptions(rounds, depth, rate, 0, 1, TreeOptions.Loss.SQUARED, 1));
  }

  private static Predictor.Learner trees(TreeOptions options) {
    return (features, targets) -> {
      requireData(features, targets);
      float[][] rows = new float[features.length][];
      float[] truth = new float[targets.length];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = floats(features[i]);
        truth[i] = (float) targets[i];
      }
      BoostedTrees trees = BoostingTrainer.train(TrainingSet.of(rows, truth), options);
      return x -> trees.predict(floats(x));
    };
  }

  private static float[] floats(double[] values) {
    float[] result = new float[values.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }

  private static double term(double[] x, int i) {
    return i == 0 ? 1 : x[i - 1];
  }

  /** Solves a positive definite system by elimination with partial pivoting. */
  private static double[] solve(double[][] a) {
    int n = a.length;
    for (int column = 0; column < n; column++) {
      int pivot = column;
      for (int row = column + 1; row < n; row++) {
        if (Math.abs(a[row][column]) > Math.abs(a[pivot][column])) {
          pivot = row;
        }
      }
      double[] swapped = a[column];
      a[column] = a[pivot];
      a[pivot] = swapped;
      for (int row = 0; row < n; row++) {
        if (row != column) {
          double factor = a[row][column] / a[column][column];
          for (int k = column; k <= n; k++) {
            a[row][k] -= factor * a[column][k];
          }
        }
      }
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = a[i][n] / a[i][i];
    }
    return x;
  }

  private static void requireData(double[][] features, double[] targets) {
    if (targets.length == 0 || features.length != targets.length) {
      throw InvalidInputException.of(
          "training data",
          features.length + " rows, " + targets.length + " targets",
          "must be as many, at least 1",
          "build some designs first");
    }
  }
}
