package dev.muster.benchmarks.predict;

import static java.util.Objects.requireNonNull;

import dev.muster.core.predict.BoostedTrees;
import dev.muster.core.predict.BoostingTrainer;
import dev.muster.core.predict.TrainingSet;
import dev.muster.core.predict.TreeOptions;
import dev.muster.core.predict.XgboostJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures predicting one row with 128 trees of depth 6, and training 64 trees on 45,000 rows of 6
 * features, beside XGBoost on one thread. The trees are XGBoost's own, so both evaluate the same; a
 * tenth of the values is missing. Training starts from rows in memory, for XGBoost from its matrix.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx1g"})
public class PredictBenchmark {
  private static final int FEATURES = 6;
  private static final int ROWS = 45_000;
  private static final int ROUND = 1 << 12;
  private static final Map<String, Object> PARAMETERS =
      Map.of(
          "max_depth",
          6,
          "eta",
          0.1,
          "objective",
          "reg:squarederror",
          "tree_method",
          "hist",
          "nthread",
          1);

  private final float[][] rows = new float[ROWS][FEATURES];
  private float[] scratch = {};
  private BoostedTrees trees = BoostedTrees.constant(FEATURES, 0);
  private TrainingSet set = TrainingSet.of(new float[1][1], new float[1]);
  private @Nullable Booster booster;
  private @Nullable DMatrix matrix;
  private int next;

  /** Trains the model that is evaluated, and checks that both sides agree. */
  @Setup
  public void setUp() throws XGBoostError, IOException {
    SplittableRandom random = new SplittableRandom(3);
    float[] targets = new float[ROWS];
    float[] flat = new float[ROWS * FEATURES];
    for (int i = 0; i < ROWS; i++) {
      targets[i] = fill(rows[i], random);
      System.arraycopy(rows[i], 0, flat, i * FEATURES, FEATURES);
    }
    DMatrix all = new DMatrix(flat, ROWS, FEATURES, Float.NaN);
    all.setLabel(targets);
    Booster trained = XGBoost.train(all, PARAMETERS, 128, Map.of(), null, null);
    trees =
        XgboostJson.read(new ByteArrayInputStream(trained.toByteArray("json")), "trained").trees();
    scratch = new float[trees.scratchLength()];
    set = TrainingSet.of(rows, targets);
    float[][] expected = trained.predict(all);
    matrix = all;
    booster = trained;
    for (int i = 0; i < ROWS; i++) {
      if (trees.predict(rows[i], scratch) != expected[i][0]) {
        throw new IllegalStateException("row " + i + " differs from XGBoost");
      }
    }
  }

  private static float fill(float[] row, SplittableRandom random) {
    float target = (float) random.nextDouble();
    for (int f = 0; f < FEATURES; f++) {
      row[f] = random.nextInt(f < 2 ? 1000 : 50);
      target += row[f] * (f < 2 ? 0.01f : row[FEATURES - 1] * 0.002f);
      if (random.nextInt(10) == 0) {
        row[f] = Float.NaN;
      }
    }
    return target;
  }

  private float[] row() {
    next = (next + 1) & (ROUND - 1);
    return rows[next];
  }

  /** Predicts a row in Java. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public float predictMuster() {
    return trees.predict(row(), scratch);
  }

  /** Predicts a row by XGBoost, from a matrix of one row. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public float predictXgboostMatrix() throws XGBoostError {
    DMatrix one = new DMatrix(row(), 1, FEATURES, Float.NaN);
    float result = requireNonNull(booster).predict(one)[0][0];
    one.dispose();
    return result;
  }

  /** Predicts a row by XGBoost, in place. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public float predictXgboostInPlace() throws XGBoostError {
    return requireNonNull(booster).inplace_predict(row(), 1, FEATURES, Float.NaN)[0][0];
  }

  /** Trains in Java. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public BoostedTrees trainMuster() {
    return BoostingTrainer.train(set, TreeOptions.ofDefaults());
  }

  /** Trains by XGBoost. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public Booster trainXgboost() throws XGBoostError {
    return XGBoost.train(requireNonNull(matrix), PARAMETERS, 64, Map.of(), null, null);
  }
}
