package dev.muster.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class XgboostJsonTest {
  /** Has a split at 2 with missing values to the left, and below it a leaf and a split at -1. */
  private static BoostedTrees trees() {
    TreeNodes tree = new TreeNodes();
    int root = tree.leaf(0);
    int low = tree.leaf(1);
    int high = tree.leaf(0);
    tree.split(root, 1, 2, true, low, high);
    int left = tree.leaf(10);
    int right = tree.leaf(20);
    tree.split(high, 0, -1, false, left, right);
    return BoostedTrees.of(2, 0.5f, List.of(tree, tree));
  }

  private static String json() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    XgboostJson.write(trees(), Map.of("k", "v"), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static XgboostJson.Model read(String text) throws IOException {
    return XgboostJson.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test");
  }

  @Test
  void followsThresholdsAndDefaultBranches() {
    BoostedTrees trees = trees();
    assertThat(trees.predict(new float[] {0, 1.9f})).isEqualTo(2.5f);
    assertThat(trees.predict(new float[] {0, 2})).isEqualTo(40.5f);
    assertThat(trees.predict(new float[] {-1.5f, 3})).isEqualTo(20.5f);
    assertThat(trees.predict(new float[] {0, Float.NaN})).isEqualTo(2.5f);
    assertThat(trees.predict(new float[] {Float.NaN, 3})).isEqualTo(40.5f);
    assertThat(trees.first(1).predict(new float[] {0, 2})).isEqualTo(20.5f);
    assertThat(BoostedTrees.constant(2, 3).predict(new float[] {0, 0})).isEqualTo(3);
  }

  @Test
  void readsWhatItWrote() throws IOException {
    XgboostJson.Model model = read(json());
    assertThat(model.attributes()).isEqualTo(Map.of("k", "v"));
    assertThat(model.trees().trees()).isEqualTo(2);
    for (float a = -2; a <= 2; a += 0.5f) {
      for (float b : new float[] {1, 2, 3, Float.NaN}) {
        float[] row = {a, b};
        assertThat(model.trees().predict(row)).isEqualTo(trees().predict(row));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "gbtree\"}|dart\"}|must be gbtree",
        "reg:squarederror|binary:logistic|must be one of",
        "\"num_class\":\"0\"|\"num_class\":\"3\"|must be gbtree",
        "\"num_target\":\"1\"|\"num_target\":\"2\"|must be gbtree",
        "\"base_score\":\"0.5\"|\"base_score\":\"x\"|base_score",
        "\"base_score\":\"0.5\"|\"base_score\":\"NaN\"|base_score",
        "\"num_feature\":\"2\",\"num_target|\"num_feature\":\"1\",\"num_target|feature 1 must be",
        "\"left_children\":[1,-1,3,-1,-1]|\"left_children\":[9,-1,3,-1,-1]|must be nodes",
        "\"left_children\":[1,-1,3,-1,-1]|\"left_children\":[0,-1,3,-1,-1]|too deep",
        "\"left_children\":[1,-1,3,-1,-1]|\"left_children\":[1,-1,3,-1]|of one length",
        "\"split_type\":[0,0,0,0,0]|\"split_type\":[1,0,0,0,0]|categorical",
        "{\"learner\"|[\"learner\"|line 1, column 1",
        "],\"split_indices\"|,1e999],\"split_indices\"|of one length",
        "\"split_conditions\":[2.0,|\"split_conditions\":[1e999,|must be finite",
        "\"split_conditions\":[2.0,|\"split_conditions\":[02.0,|must be a number",
        "\"version\"|\"learner\"|must be unique",
      })
  void refusesOtherModels(String part, String instead, String message) throws IOException {
    String text = json();
    assertThat(text).contains(part);
    assertThatThrownBy(() -> read(text.replace(part, instead)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesAnyCutModel() throws IOException {
    String text = json().strip();
    for (int end = 0; end < text.length(); end++) {
      String cut = text.substring(0, end);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(InvalidInputException.class);
    }
    assertThatThrownBy(() -> read(text + "x")).hasMessageContaining("must not follow");
    assertThatThrownBy(() -> read("[".repeat(100_000))).hasMessageContaining("line 1");
    assertThatThrownBy(() -> read("{\"a\":" + "[".repeat(100_000)))
        .hasMessageContaining("nested too deeply");
  }
}
