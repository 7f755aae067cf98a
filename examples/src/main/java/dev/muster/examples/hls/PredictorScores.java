package dev.muster.examples.hls;

import dev.muster.core.library.CrossValidation;
import dev.muster.core.library.Predictor;
import dev.muster.core.library.Predictors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Scores the predictors of the offline phase by five-fold cross-validation, trained on a fifth of
 * the space each time ("Linking High-Level Synthesis with FPGA Runtime Orchestration", section
 * 3.1).
 *
 * <p>Two kinds of space: one that is generated from a known law, where the features are the
 * directive choices and the truth is known; and rows of the GNWSIS dataset, which name no
 * directives, so that a design's time is predicted from its clock and resources and vice versa.
 */
public final class PredictorScores {
  /** Holds how many folds there are. */
  public static final int FOLDS = 5;

  private static final int LEAF = 2;

  private PredictorScores() {}

  /**
   * Holds the score of one learner for one target.
   *
   * @param target what is predicted
   * @param learner by what
   * @param measure "R2" or "F1"; 1 is perfect
   * @param score mean over the seeds
   */
  public record Score(String target, String learner, String measure, double score) {}

  /** Holds designs as a table: features by row, and targets by name. */
  public static final class Space {
    private final double[][] features;
    private final Map<String, double[]> targets;

    private Space(double[][] features, Map<String, double[]> targets) {
      this.features = features;
      this.targets = targets;
    }

    /** Returns the number of designs. */
    public int size() {
      return features.length;
    }
  }

  /** Returns the learners for figures of designs. */
  public static Map<String, Predictor.Learner> learners() {
    Map<String, Predictor.Learner> learners = new LinkedHashMap<>();
    learners.put("linear scaling", Predictors.linearScaling());
    learners.put("a + b/n", Predictors.inverseUnits());
    learners.put("least squares", Predictors.leastSquares());
    learners.put("tree", Predictors.tree(6, LEAF));
    learners.put("boosted trees", Predictors.boostedTrees(200, 4, 0.1));
    return learners;
  }

  /**
   * Scores every learner on every target.
   *
   * @param share share of the space that is built, in (0, 1]
   * @param seeds shuffles to average over, at least 1
   */
  public static List<Score> score(Space space, double share, int seeds) {
    List<Score> scores = new ArrayList<>();
    for (Map.Entry<String, double[]> target : space.targets.entrySet()) {
      double[] truth = target.getValue();
      boolean isClass = isClass(truth);
      for (Map.Entry<String, Predictor.Learner> learner : learners().entrySet()) {
        double sum = 0;
        for (int seed = 1; seed <= seeds; seed++) {
          double[] predicted =
              CrossValidation.predictions(
                  learner.getValue(),
                  space.features,
                  truth,
                  FOLDS,
                  // each training set is what the other folds leave of the space
                  Math.min(1, share * FOLDS / (FOLDS - 1)),
                  seed);
          sum +=
              isClass ? CrossValidation.f1(truth, predicted) : CrossValidation.r2(truth, predicted);
        }
        scores.add(
            new Score(target.getKey(), learner.getKey(), isClass ? "F1" : "R2", sum / seeds));
      }
    }
    return scores;
  }

  private static boolean isClass(double[] targets) {
    for (double target : targets) {
      if (target != 0 && target != 1) {
        return false;
      }
    }
    return true;
  }

  /**
   * Generates a space with known truth: n units of a kernel, unrolled u times, pipelined or not.
   * Time is {@code a + b / (n u)} with the initiation interval as a factor; resources are linear in
   * n and u with 3 % noise; what needs more than the device cannot be built.
   */
  public static Space generated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<double[]> features = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    List<Double> luts = new ArrayList<>();
    List<Double> feasible = new ArrayList<>();
    for (int units = 1; units <= 8; units++) {
      for (int unroll = 1; unroll <= 16; unroll *= 2) {
        for (int pipelined = 0; pipelined <= 1; pipelined++) {
          for (int partition = 1; partition <= 8; partition *= 2) {
            double lanes = Math.min(unroll, 2.0 * partition);
            double interval = pipelined == 1 ? 1 : 4;
            double noise = 1 + 0.03 * random.nextGaussian();
            double lut = (4 + 2.5 * unroll + 1.5 * partition + 3 * pipelined) * units * noise;
            features.add(new double[] {units, unroll, pipelined, partition});
            times.add(Math.log(5 + 400 * interval / (units * lanes)));
            luts.add(lut);
            feasible.add(lut <= 200 ? 1.0 : 0.0);
          }
        }
      }
    }
    Map<String, double[]> targets = new LinkedHashMap<>();
    targets.put("log time", array(times));
    targets.put("LUT", array(luts));
    targets.put("can be built", array(feasible));
    return new Space(features.toArray(double[][]::new), targets);
  }

  /** Makes a space of the designs of a GNWSIS file. */
  public static Space of(GnwsisCsv csv) {
    List<double[]> features = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    for (GnwsisCsv.Point p : csv.points()) {
      features.add(
          new double[] {
            p.clockPicos() / 1e3, p.lutPercent(), p.ffPercent(), p.dspPercent(), p.bramPercent()
          });
      times.add(Math.log((double) p.latencyNanos()));
    }
    Map<String, double[]> targets = new LinkedHashMap<>();
    targets.put("log time", array(times));
    return new Space(features.toArray(double[][]::new), targets);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
