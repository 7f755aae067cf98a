package dev.muster.core.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares evaluation with XGBoost itself, bit for bit. */
final class XgboostOracleTest {
  private static final int ROWS = 100_000;
  private static final int FEATURES = 6;

  private static float[][] rows = {};
  private static String json = "";
  private static float[] expected = {};

  @BeforeAll
  static void train() throws XGBoostError {
    SplittableRandom random = new SplittableRandom(7);
    rows = new float[ROWS][FEATURES];
    float[] targets = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      targets[i] = fill(rows[i], random);
    }
    Booster booster =
        XGBoost.train(
            matrix(rows, targets),
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
                1,
                "seed",
                7),
            128,
            Map.of(),
            null,
            null);
    json = new String(booster.toByteArray("json"), StandardCharsets.UTF_8);
    expected = predict(booster, rows);
  }

  /** Fills a row of which a tenth is missing, and returns its target. */
  private static float fill(float[] row, SplittableRandom random) {
    float target = 0;
    for (int f = 0; f < FEATURES; f++) {
      row[f] = f < 3 ? random.nextInt(1 << (3 + 2 * f)) : (float) (random.nextDouble() * 8 - 4);
      target += f % 2 == 0 ? row[f] * 0.1f : Math.abs(row[f]);
      if (random.nextInt(10) == 0) {
        row[f] = Float.NaN;
        target += f;
      }
    }
    return target + (float) random.nextDouble();
  }

  private static DMatrix matrix(float[][] rows, float[] targets) throws XGBoostError {
    float[] flat = new float[rows.length * FEATURES];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, flat, i * FEATURES, FEATURES);
    }
    DMatrix matrix = new DMatrix(flat, rows.length, FEATURES, Float.NaN);
    if (targets.length > 0) {
      matrix.setLabel(targets);
    }
    return matrix;
  }

  private static float[] predict(Booster booster, float[][] rows) throws XGBoostError {
    float[][] columns = booster.predict(matrix(rows, new float[0]));
    float[] result = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      result[i] = columns[i][0];
    }
    return result;
  }

  private static XgboostJson.Model read(String text) throws IOException {
    return XgboostJson.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "oracle");
  }

  private static void assertBitEqual(float[] actual, float[] wanted) {
    int equal = 0;
    for (int i = 0; i < wanted.length; i++) {
      if (Float.floatToRawIntBits(actual[i]) == Float.floatToRawIntBits(wanted[i])) {
        equal++;
      }
    }
    assertThat(equal).isEqualTo(wanted.length).isEqualTo(ROWS);
  }

  @Test
  void evaluatesBitEqualToXgboost() throws IOException {
    assertThat(json).contains("\"base_score\":\"[");
    BoostedTrees trees = read(json).trees();
    assertThat(trees.trees()).isEqualTo(128);
    assertThat(trees.depth()).isEqualTo(6);
    assertBitEqual(trees.predictAll(rows), expected);
  }

  @Test
  void readsTheOlderSpellingOfTheBaseScore() throws IOException {
    String older =
        json.replaceFirst("\"base_score\":\"\\[([^\"\\]]*)\\]\"", "\"base_score\":\"$1\"");
    assertThat(older).isNotEqualTo(json);
    assertBitEqual(read(older).trees().predictAll(rows), expected);
  }

  @Test
  void xgboostEvaluatesWrittenModelsBitEqual() throws IOException, XGBoostError {
    BoostedTrees trees = read(json).trees();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    XgboostJson.write(trees, Map.of("note", "a \"quoted\" one"), out);
    Booster loaded = XGBoost.loadModel(new ByteArrayInputStream(out.toByteArray()));
    assertBitEqual(predict(loaded, rows), expected);
    assertThat(loaded.getAttr("note")).isEqualTo("a \"quoted\" one");
    XgboostJson.Model again = read(out.toString(StandardCharsets.UTF_8));
    assertThat(again.attributes()).containsEntry("note", "a \"quoted\" one");
    assertBitEqual(again.trees().predictAll(rows), expected);
  }
}
