package dev.muster.examples.hls;

import dev.muster.core.library.CrossValidation;
import dev.muster.core.library.Predictor;
import dev.muster.core.library.Predictors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Scores the predictors of the offline phase by five-fold cross-validation, trained on a fifth of
 * the space each time ("Linking High-Level Synthesis with FPGA Runtime Orchestration", section
 * 3.1).
 *
 * <p>Two kinds of space: generated from a known law, where the features are the directive choices
 * and the truth is known; and the rows of the GNWSIS dataset, which name no directives.
 */
public final class PredictorScores {
  /** Holds how many folds there are. */
  public static final int FOLDS = 5;

  private static final int LEAF = 2;
  private static final double LEAST_TIME = 1e-6;

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

  /** Names what kind of figure a target is, which decides who learns it and how it is scored. */
  private enum Kind {
    /** Spans decades: R2 of the logarithm. */
    TIME,
    /** R2. */
    RESOURCE,
    /** 0 or 1: F1. */
    FEASIBLE
  }

  /** Holds what is to be predicted, with what is known of each design. */
  private static final class Target {
    final String name;
    final Kind kind;
    final double[][] features;
    final double[] truth;

    Target(String name, Kind kind, double[][] features, double[] truth) {
      this.name = name;
      this.kind = kind;
      this.features = features;
      this.truth = truth;
    }
  }

  /** Holds designs as tables of features and targets. */
  public static final class Space {
    private final boolean hasUnits;
    private final List<Target> targets;

    private Space(boolean hasUnits, List<Target> targets) {
      this.hasUnits = hasUnits;
      this.targets = targets;
    }

    /** Returns the number of designs. */
    public int size() {
      return targets.get(0).truth.length;
    }
  }

  private static Map<String, Predictor.Learner> learners(Kind kind, boolean hasUnits) {
    Map<String, Predictor.Learner> learners = new LinkedHashMap<>();
    boolean isTime = kind == Kind.TIME;
    if (hasUnits && isTime) {
      learners.put("a + b/n", Predictors.inverseUnits());
    } else if (hasUnits && kind == Kind.RESOURCE) {
      learners.put("linear scaling", Predictors.linearScaling());
    }
    learners.put("least squares", ofLog(isTime, Predictors.leastSquares()));
    learners.put("decision tree", ofLog(isTime, Predictors.tree(6, LEAF)));
    learners.put("boosted trees", ofLog(isTime, Predictors.boostedTrees(200, 4, 0.1)));
    return learners;
  }

  /** Learns the logarithm, for figures that span decades. */
  private static Predictor.Learner ofLog(boolean isNeeded, Predictor.Learner learner) {
    return !isNeeded
        ? learner
        : (features, targets) -> {
          Predictor predictor =
              learner.fit(features, Arrays.stream(targets).map(Math::log).toArray());
          return x -> Math.exp(predictor.predict(x));
        };
  }

  /**
   * Scores the learners on every target.
   *
   * @param share share of the space that is built, in (0, 1]
   * @param seeds shuffles to average over, at least 1
   */
  public static List<Score> score(Space space, double share, int seeds) {
    List<Score> scores = new ArrayList<>();
    // Each training set is what the other folds leave of the space.
    double trainShare = Math.min(1, share * FOLDS / (FOLDS - 1));
    for (Target target : space.targets) {
      learners(target.kind, space.hasUnits)
          .forEach(
              (name, learner) -> {
                double sum = 0;
                for (int seed = 1; seed <= seeds; seed++) {
                  sum +=
                      score(
                          target,
                          CrossValidation.predictions(
                              learner, target.features, target.truth, FOLDS, trainShare, seed));
                }
                String measure = target.kind == Kind.FEASIBLE ? "F1" : "R2";
                scores.add(new Score(target.name, name, measure, sum / seeds));
              });
    }
    return scores;
  }

  private static double score(Target target, double[] predicted) {
    return switch (target.kind) {
      case FEASIBLE -> CrossValidation.f1(target.truth, predicted);
      case RESOURCE -> CrossValidation.r2(target.truth, predicted);
      case TIME -> CrossValidation.r2(logs(target.truth), logs(predicted));
    };
  }

  private static double[] logs(double[] values) {
    return Arrays.stream(values).map(v -> Math.log(Math.max(LEAST_TIME, v))).toArray();
  }

  /**
   * Generates a space with known truth where only the number of units varies: time {@code a + b /
   * n}, resources linear in n, both with 2 % noise; beyond some n it cannot be built.
   */
  public static Space generatedUnits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<double[]> features = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    List<Double> luts = new ArrayList<>();
    List<Double> feasible = new ArrayList<>();
    for (int units = 1; units <= 40; units++) {
      double lut = 4.0 * units * (1 + 0.02 * random.nextGaussian());
      features.add(new double[] {units});
      times.add((20 + 900.0 / units) * (1 + 0.02 * random.nextGaussian()));
      luts.add(lut);
      feasible.add(lut <= 100 ? 1.0 : 0.0);
    }
    return space(features, times, luts, feasible);
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
            times.add(5 + 400 * interval / (units * lanes));
            luts.add(lut);
            feasible.add(lut <= 200 ? 1.0 : 0.0);
          }
        }
      }
    }
    return space(features, times, luts, feasible);
  }

  private static Space space(
      List<double[]> features, List<Double> times, List<Double> luts, List<Double> feasible) {
    double[][] x = features.toArray(double[][]::new);
    return new Space(
        true,
        List.of(
            new Target("time", Kind.TIME, x, array(times)),
            new Target("LUT", Kind.RESOURCE, x, array(luts)),
            new Target("can be built", Kind.FEASIBLE, x, array(feasible))));
  }

  /**
   * Makes a space of the designs of a GNWSIS file. Its rows name no directives and no units, and
   * the failed ones no figures: time is predicted from clock and resources, LUT from the others.
   */
  public static Space of(GnwsisCsv csv) {
    List<double[]> resources = new ArrayList<>();
    List<double[]> others = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    List<Double> luts = new ArrayList<>();
    for (GnwsisCsv.Point p : csv.points()) {
      double clock = p.clockPicos() / 1e3;
      double millis = p.latencyNanos() / 1e6;
      resources.add(
          new double[] {clock, p.lutPercent(), p.ffPercent(), p.dspPercent(), p.bramPercent()});
      others.add(
          new double[] {clock, Math.log(millis), p.ffPercent(), p.dspPercent(), p.bramPercent()});
      times.add(millis);
      luts.add((double) p.lutPercent());
    }
    return new Space(
        false,
        List.of(
            new Target("time", Kind.TIME, resources.toArray(double[][]::new), array(times)),
            new Target("LUT %", Kind.RESOURCE, others.toArray(double[][]::new), array(luts))));
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
