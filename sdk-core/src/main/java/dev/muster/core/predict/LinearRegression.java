package dev.muster.core.predict;

/**
 * Predicts by a weighted sum of the features, fitted by least squares. A baseline.
 *
 * <p>Features are standardised, missing ones are 0 (the mean), and the normal equations get 1e-3
 * times the number of rows on their diagonal, so that they always have a solution. Work is rows
 * times features squared.
 */
public final class LinearRegression implements RowPredictor {
  private static final double RIDGE = 1e-3;

  private final double[] mean;
  private final double[] scale;
  private final double[] weight;
  private final double base;

  private LinearRegression(double[] mean, double[] scale, double[] weight, double base) {
    this.mean = mean;
    this.scale = scale;
    this.weight = weight;
    this.base = base;
  }

  /** Fits a set. */
  public static LinearRegression train(TrainingSet set) {
    int features = set.features();
    double[] mean = new double[features];
    double[] scale = new double[features];
    double base = standardise(set, mean, scale);
    double[][] equations = new double[features][features + 1];
    double[] z = new double[features];
    for (int i = 0; i < set.size(); i++) {
      for (int f = 0; f < features; f++) {
        z[f] = standard(set.row(i)[f], mean[f], scale[f]);
      }
      for (int f = 0; f < features; f++) {
        for (int g = 0; g < features; g++) {
          equations[f][g] += z[f] * z[g];
        }
        equations[f][features] += z[f] * (set.target(i) - base);
      }
    }
    for (int f = 0; f < features; f++) {
      equations[f][f] += RIDGE * set.size();
    }
    return new LinearRegression(mean, scale, solve(equations), base);
  }

  private static double standardise(TrainingSet set, double[] mean, double[] scale) {
    int[] known = new int[mean.length];
    double[] squares = new double[mean.length];
    double base = 0;
    for (int i = 0; i < set.size(); i++) {
      base += set.target(i);
      for (int f = 0; f < mean.length; f++) {
        double value = set.row(i)[f];
        if (!Double.isNaN(value)) {
          known[f]++;
          double step = value - mean[f];
          mean[f] += step / known[f];
          squares[f] += step * (value - mean[f]);
        }
      }
    }
    for (int f = 0; f < mean.length; f++) {
      double deviation = Math.sqrt(squares[f] / Math.max(1, known[f]));
      scale[f] = deviation > 0 ? 1 / deviation : 0;
    }
    return base / set.size();
  }

  private static double standard(double value, double mean, double scale) {
    return Double.isNaN(value) ? 0 : (value - mean) * scale;
  }

  /** Solves symmetric positive definite equations by elimination. */
  private static double[] solve(double[][] equations) {
    int size = equations.length;
    for (int pivot = 0; pivot < size; pivot++) {
      for (int row = pivot + 1; row < size; row++) {
        double factor = equations[row][pivot] / equations[pivot][pivot];
        for (int column = pivot; column <= size; column++) {
          equations[row][column] -= factor * equations[pivot][column];
        }
      }
    }
    double[] result = new double[size];
    for (int row = size - 1; row >= 0; row--) {
      double rest = equations[row][size];
      for (int column = row + 1; column < size; column++) {
        rest -= equations[row][column] * result[column];
      }
      result[row] = rest / equations[row][row];
    }
    return result;
  }

  @Override
  public float predict(float[] row) {
    double sum = base;
    for (int f = 0; f < weight.length; f++) {
      sum += weight[f] * standard(row[f], mean[f], scale[f]);
    }
    return (float) sum;
  }
}
