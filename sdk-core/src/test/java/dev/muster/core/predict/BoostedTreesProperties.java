package dev.muster.core.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Checks that padded arrays and files mean the same as the nodes they were made of. */
final class BoostedTreesProperties {
  private static final int FEATURES = 3;

  @Property
  void arraysEvaluateAsNodesDo(
      @ForAll long seed,
      @ForAll @IntRange(max = 21) int trees,
      @ForAll @IntRange(max = 7) int depth)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<TreeNodes> nodes = new ArrayList<>();
    for (int t = 0; t < trees; t++) {
      TreeNodes tree = new TreeNodes();
      grow(tree, depth, random);
      nodes.add(tree);
    }
    BoostedTrees model = BoostedTrees.of(FEATURES, value(random), nodes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    XgboostJson.write(model, Map.of(), out);
    BoostedTrees read =
        XgboostJson.read(new ByteArrayInputStream(out.toByteArray()), "written").trees();
    for (int i = 0; i < 20; i++) {
      float[] row = new float[FEATURES];
      for (int f = 0; f < FEATURES; f++) {
        row[f] = random.nextInt(5) == 0 ? Float.NaN : value(random);
      }
      float expected = model.base();
      for (TreeNodes tree : nodes) {
        expected += walk(tree, row);
      }
      assertThat(model.predict(row)).isEqualTo(expected);
      assertThat(read.predict(row)).isEqualTo(expected);
    }
  }

  private static float value(SplittableRandom random) {
    return (random.nextInt(9) - 4) * 0.37f;
  }

  private static int grow(TreeNodes tree, int depth, SplittableRandom random) {
    int node = tree.leaf(value(random));
    if (depth > 0 && random.nextInt(4) > 0) {
      float threshold = value(random);
      int left = grow(tree, depth - 1, random);
      int right = grow(tree, depth - 1, random);
      tree.split(node, random.nextInt(FEATURES), threshold, random.nextInt(2) == 0, left, right);
    }
    return node;
  }

  private static float walk(TreeNodes tree, float[] row) {
    int node = 0;
    while (!tree.isLeaf(node)) {
      float value = row[tree.feature[node]];
      boolean left = Float.isNaN(value) ? tree.defaultLeft[node] : value < tree.value[node];
      node = left ? tree.left[node] : tree.right[node];
    }
    return tree.value[node];
  }
}
