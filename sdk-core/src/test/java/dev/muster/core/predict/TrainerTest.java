package dev.muster.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class TrainerTest {
  /** Returns rows of which a twentieth is missing, with a target of steps, a slope and noise. */
  static TrainingSet example(int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] rows = new float[size][3];
    float[] targets = new float[size];
    for (int i = 0; i < size; i++) {
      rows[i][0] = random.nextInt(5000);
      rows[i][1] = random.nextInt(40);
      rows[i][2] = (float) random.nextDouble();
      targets[i] =
          rows[i][0] * 0.001f + (rows[i][1] < 20 ? 3 : 1) + 0.1f * (float) random.nextDouble();
      if (random.nextInt(20) == 0) {
        rows[i][1] = Float.NaN;
      }
    }
    return TrainingSet.of(rows, targets);
  }

  private static byte[] bytes(BoostedTrees trees) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    XgboostJson.write(trees, Map.of(), out);
    return out.toByteArray();
  }

  @Test
  void findsTheOneSplitThereIs() {
    TrainingSet set =
        TrainingSet.of(
            new float[][] {{1}, {2}, {3}, {Float.NaN}, {4}}, new float[] {1, 1, 5, 5, 5});
    TreeOptions options = new TreeOptions(1, 1, 1, 0, 1, TreeOptions.Loss.SQUARED, 1);
    BoostedTrees trees = BoostingTrainer.train(set, options);
    assertThat(trees.predict(new float[] {2.9f})).isEqualTo(1);
    assertThat(trees.predict(new float[] {3})).isEqualTo(5);
    assertThat(trees.predict(new float[] {Float.NaN})).isEqualTo(5);
  }

  @Test
  void learnsStepsSlopesAndMissingValues() {
    TrainingSet test = example(5000, 2);
    for (TreeOptions.Loss loss : TreeOptions.Loss.values()) {
      BoostedTrees trees =
          BoostingTrainer.train(example(20_000, 1), TreeOptions.ofDefaults().withLoss(loss));
      assertThat(test.meanAbsoluteError(trees)).isLessThan(0.12);
    }
    BoostedTrees forest = ForestTrainer.train(example(20_000, 1), ForestTrainer.defaults());
    assertThat(test.meanAbsoluteError(forest)).isLessThan(0.5);
    double linear = test.meanAbsoluteError(LinearRegression.train(example(20_000, 1)));
    assertThat(linear).isBetween(0.2, 0.8);
    double mean = test.meanAbsoluteError(HistoricalMean.train(example(20_000, 1), 1));
    assertThat(mean).isBetween(linear, 1.5);
  }

  @Test
  void sameDataSameBytes() throws IOException {
    TreeOptions options = TreeOptions.ofDefaults().withTrees(8);
    assertThat(bytes(BoostingTrainer.train(example(3000, 1), options)))
        .isEqualTo(bytes(BoostingTrainer.train(example(3000, 1), options)));
    TreeOptions forest = ForestTrainer.defaults().withTrees(8);
    assertThat(bytes(ForestTrainer.train(example(3000, 1), forest)))
        .isEqualTo(bytes(ForestTrainer.train(example(3000, 1), forest)));
  }

  @Test
  void furtherTreesLeaveTheFirstOnesAsTheyAre() throws IOException {
    TreeOptions options = TreeOptions.ofDefaults().withTrees(6);
    BoostedTrees core = BoostingTrainer.train(example(3000, 1), options);
    BoostedTrees more = BoostingTrainer.train(example(3000, 2), options, core);
    assertThat(more.trees()).isEqualTo(12);
    assertThat(bytes(more.first(6))).isEqualTo(bytes(core));
    TrainingSet newer = example(3000, 2);
    assertThat(newer.meanAbsoluteError(more)).isLessThan(newer.meanAbsoluteError(core));
  }

  @Test
  void trainingInTwoStepsIsTrainingInOne() throws IOException {
    TreeOptions options = TreeOptions.ofDefaults();
    TrainingSet set = example(3000, 1);
    BoostedTrees once = BoostingTrainer.train(set, options.withTrees(10));
    BoostedTrees twice =
        BoostingTrainer.train(
            set, options.withTrees(6), BoostingTrainer.train(set, options.withTrees(4)));
    assertThat(bytes(twice)).isEqualTo(bytes(once));
  }

  @Test
  void medianLeavesIgnoreAFewHugeTargets() {
    float[][] rows = new float[100][1];
    float[] targets = new float[100];
    for (int i = 0; i < 100; i++) {
      targets[i] = i < 5 ? 1e6f : 1;
    }
    TrainingSet set = TrainingSet.of(rows, targets);
    TreeOptions absolute = TreeOptions.ofDefaults().withLoss(TreeOptions.Loss.ABSOLUTE);
    assertThat(BoostingTrainer.train(set, absolute).predict(rows[0])).isEqualTo(1);
    assertThat(BoostingTrainer.train(set, TreeOptions.ofDefaults()).predict(rows[0]))
        .isGreaterThan(1000);
  }

  @Test
  void quantisesToBlocks() {
    float[] history = new float[10_000];
    for (int i = 0; i < history.length; i++) {
      history[i] = i / 1000f;
    }
    history[9_999] = 500;
    RuntimeTargets targets = RuntimeTargets.ofHistory(history);
    assertThat(targets.largestBlock()).isEqualTo(958);
    assertThat(targets.blocks(1)).isEqualTo(96);
    assertThat(targets.blocks(1.0 / 96 + 1e-9)).isEqualTo(1);
    assertThat(targets.blocks(1.999 / 96)).isEqualTo(1);
    assertThat(targets.blocks(2.0001 / 96)).isEqualTo(2);
    assertThat(targets.blocks(0)).isEqualTo(1);
    assertThat(targets.blocks(-3)).isEqualTo(1);
    assertThat(targets.blocks(Double.NaN)).isEqualTo(1);
    assertThat(targets.blocks(500)).isEqualTo(958);
    assertThat(RuntimeTargets.ofHistory(new float[] {10_000}).largestBlock()).isEqualTo(65_535);
    assertThat(RuntimeTargets.daysOfCoreHours(96, 64)).isEqualTo(0.0625f);
    assertThat(RuntimeTargets.daysOfSeconds(5400)).isEqualTo(0.0625f);
    assertThat(RuntimeTargets.secondsOfDays(0.0625)).isEqualTo(5400);
  }

  @Test
  void refusesBadInput() {
    assertThatThrownBy(() -> TrainingSet.of(new float[0][], new float[0]))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(
            () -> TrainingSet.of(new float[][] {{Float.POSITIVE_INFINITY}}, new float[1]))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> TrainingSet.of(new float[][] {{1}, {1, 2}}, new float[2]))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> TreeOptions.ofDefaults().withLearningRate(0))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(
            () ->
                BoostingTrainer.train(
                    example(10, 1), TreeOptions.ofDefaults(), BoostedTrees.constant(2, 0)))
        .isInstanceOf(InvalidInputException.class);
  }
}
