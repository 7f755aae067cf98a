package dev.muster.core.library;

/**
 * Predicts one figure of a design (a time, a resource count, or whether it can be built) from its
 * features, such as the number of compute units and the figures of a single one.
 */
@FunctionalInterface
public interface Predictor {
  /** Returns the prediction; for feasibility, at least 0.5 means "can be built". */
  double predict(double[] features);

  /** Learns a predictor from designs that were built. */
  @FunctionalInterface
  interface Learner {
    /**
     * Fits a predictor.
     *
     * @param features one row a design, all of one length
     * @param targets what each design came out as
     */
    Predictor fit(double[][] features, double[] targets);
  }
}
