package dev.muster.benchmarks.predict;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Measures what {@link PredictBenchmark} measures in CPU time of the thread, for machines that
 * others use as well: waiting for a core does not count. Prints the best of some rounds.
 */
public final class PredictCpuTime {
  private static final int ROUNDS = 8;
  private static final int MUSTER_ROWS = 400_000;
  private static final int XGBOOST_ROWS = 3_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final PredictBenchmark benchmark = new PredictBenchmark();
  private float sum;

  private PredictCpuTime() {}

  /** Runs one thing once. */
  @FunctionalInterface
  private interface Work {
    float run() throws XGBoostError;
  }

  /** Measures and prints. */
  public static void main(String[] args) throws XGBoostError, IOException {
    PredictCpuTime measure = new PredictCpuTime();
    measure.benchmark.setUp();
    PredictBenchmark benchmark = measure.benchmark;
    double muster = measure.best(benchmark::predictMuster, MUSTER_ROWS);
    double matrix = measure.best(benchmark::predictXgboostMatrix, XGBOOST_ROWS);
    double inPlace = measure.best(benchmark::predictXgboostInPlace, XGBOOST_ROWS);
    double train = measure.best(() -> benchmark.trainMuster().base(), 1);
    double xgboost = measure.best(() -> benchmark.trainXgboost() == null ? 0 : 1, 1);
    print("one row, Muster", muster, 1);
    print("one row, XGBoost, matrix", matrix, matrix / muster);
    print("one row, XGBoost, in place", inPlace, inPlace / muster);
    print("training, Muster", train, 1);
    print("training, XGBoost", xgboost, xgboost / train);
    if (Float.isNaN(measure.sum)) {
      throw new IllegalStateException("predictions are no numbers");
    }
  }

  private static void print(String what, double micros, double ratio) {
    System.out.printf(
        Locale.ROOT, "%-28s %12.3f us CPU  %6.2f x (measured)%n", what, micros, ratio);
  }

  /** Returns the least CPU time of a run, in microseconds. */
  private double best(Work work, int runs) throws XGBoostError {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < runs; i++) {
        sum += work.run();
      }
      best = Math.min(best, (threads.getCurrentThreadCpuTime() - start) / 1e3 / runs);
    }
    return best;
  }
}
