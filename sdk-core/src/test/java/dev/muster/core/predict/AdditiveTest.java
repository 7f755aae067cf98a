package dev.muster.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.Application;
import dev.muster.api.InvalidInputException;
import dev.muster.api.RuntimePredictor.Prediction;
import dev.muster.api.Variant;
import dev.muster.core.predict.AdditiveOptions.Gate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AdditiveTest {
  private static final AdditiveOptions OPTIONS =
      new AdditiveOptions(TreeOptions.ofDefaults().withTrees(20), 20, 10, 0.2, Gate.HELD_BACK);

  /** Returns jobs that take {@code factor} times their first feature, with noise of a tenth. */
  private static TrainingSet jobs(int size, double factor, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] rows = new float[size][2];
    float[] days = new float[size];
    for (int i = 0; i < size; i++) {
      rows[i][0] = 1 + random.nextInt(50);
      rows[i][1] = random.nextInt(9);
      days[i] = (float) (factor * rows[i][0] * (0.9 + 0.2 * random.nextDouble()));
    }
    return TrainingSet.of(rows, days);
  }

  private static AdditiveModel core() {
    return AdditiveTrainer.core(jobs(2000, 1, 1), OPTIONS);
  }

  private static byte[] saved(AdditiveModel model) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    model.save(out);
    return out.toByteArray();
  }

  @Test
  void gateAcceptsTreesThatFollowAShift() {
    AdditiveModel core = core();
    AdditiveModel next = AdditiveTrainer.update(core, jobs(1000, 1.5, 2), OPTIONS);
    TrainingSet later = jobs(1000, 1.5, 3);
    assertThat(next.addTrees()).isPositive();
    assertThat(next.coreTrees()).isEqualTo(20);
    assertThat(later.meanAbsoluteError(next)).isLessThan(0.5 * later.meanAbsoluteError(core));
  }

  @Test
  void gateRefusesTreesThatLearnNoise() {
    SplittableRandom random = new SplittableRandom(4);
    float[] days = new float[400];
    float[][] rows = new float[400][2];
    for (int i = 0; i < days.length; i++) {
      rows[i][0] = random.nextInt(50);
      days[i] = 5 + (float) random.nextDouble();
    }
    TrainingSet noise = TrainingSet.of(rows, days);
    AdditiveModel model = AdditiveTrainer.core(noise, OPTIONS);
    for (int i = 0; i < 5; i++) {
      model = AdditiveTrainer.update(model, noise.slice(i * 80, i * 80 + 80), OPTIONS);
      assertThat(model.addTrees()).isZero();
    }
  }

  @Test
  void gateReturnsToCoreWhenAShiftPasses() {
    AdditiveModel shifted = AdditiveTrainer.update(core(), jobs(1000, 2, 2), OPTIONS);
    assertThat(shifted.addTrees()).isPositive();
    AdditiveModel back = AdditiveTrainer.update(shifted, jobs(1000, 1, 3), OPTIONS);
    TrainingSet later = jobs(1000, 1, 5);
    assertThat(later.meanAbsoluteError(back))
        .isLessThan(1.1 * later.meanAbsoluteError(core()))
        .isLessThan(0.5 * later.meanAbsoluteError(shifted));
  }

  @Test
  void appendsAsPublishedAndStartsOverWhenTheBudgetIsUsed() {
    AdditiveOptions published = OPTIONS.withGate(Gate.NONE);
    AdditiveModel model = core();
    List<Integer> trees = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      model = AdditiveTrainer.update(model, jobs(200, 1, 10 + i), published);
      trees.add(model.addTrees());
    }
    assertThat(trees).containsExactly(10, 20, 10, 20);
    assertThat(model.core().predict(new float[] {9, 1}))
        .isEqualTo(core().trees().predict(new float[] {9, 1}));
  }

  @Test
  void keepsTheModelOnTinyBucketsOrWithoutBudget() {
    AdditiveModel core = core();
    assertThat(AdditiveTrainer.update(core, jobs(49, 2, 1), OPTIONS)).isSameAs(core);
    assertThat(AdditiveTrainer.update(core, jobs(500, 2, 1), OPTIONS.withAddTrees(0, 1)))
        .isSameAs(core);
  }

  @Test
  void loadsWhatItSaved() throws IOException {
    AdditiveModel model = AdditiveTrainer.update(core(), jobs(1000, 1.5, 2), OPTIONS);
    AdditiveModel loaded = AdditiveModel.load(new ByteArrayInputStream(saved(model)), "saved");
    assertThat(saved(loaded)).isEqualTo(saved(model));
    assertThat(loaded.coreTrees()).isEqualTo(20);
    assertThat(loaded.addTrees()).isEqualTo(model.addTrees());
    assertThat(loaded.targets().largestBlock()).isEqualTo(model.targets().largestBlock());
    float[] row = {33, 2};
    assertThat(loaded.predict(row)).isEqualTo(model.predict(row));
    assertThat(loaded.quantile(40, 0.9)).isEqualTo(model.quantile(40, 0.9));
    assertThat(loaded.blocks(row, new float[4])).isEqualTo((int) (96 * model.predict(row)));
  }

  @Test
  void refusesDamagedAttributes() throws IOException {
    String text = new String(saved(core()), StandardCharsets.UTF_8);
    for (String damaged :
        List.of(
            text.replace("core_trees\":\"20", "core_trees\":\"21"),
            text.replace("core_trees\":\"20", "core_trees\":\"x"),
            text.replaceFirst("largest_block\":\"\\d+", "largest_block\":\"0"),
            text.replaceFirst("residuals\":\"\\d+", "residuals\":\"9"),
            text.replaceFirst("residuals\":\"(\\d+) ", "residuals\":\"$1 NaN "))) {
      assertThat(damaged).isNotEqualTo(text);
      assertThatThrownBy(
              () ->
                  AdditiveModel.load(
                      new ByteArrayInputStream(damaged.getBytes(StandardCharsets.UTF_8)), "bad"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("muster.");
    }
  }

  @Test
  void quantilesCoverAsOftenAsTheySay() {
    AdditiveModel model = core();
    TrainingSet later = jobs(4000, 1, 9);
    for (double probability : new double[] {0.1, 0.5, 0.75, 0.9, 0.95}) {
      int covered = 0;
      for (int i = 0; i < later.size(); i++) {
        float mean = model.predict(later.row(i));
        covered += later.target(i) <= model.quantile(mean, probability) ? 1 : 0;
      }
      assertThat(covered / 4000.0).isCloseTo(probability, within(0.06));
    }
  }

  @Test
  void quantilesNeverFallAsTheProbabilityGrows() {
    AdditiveModel model = core();
    for (float mean = 0; mean < 60; mean += 0.5f) {
      float last = 0;
      for (int percent = 1; percent < 100; percent++) {
        float quantile = model.quantile(mean, percent / 100.0);
        assertThat(quantile).isGreaterThanOrEqualTo(last);
        last = quantile;
      }
    }
    assertThatThrownBy(() -> model.quantile(1, 1)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void predictorLearnsFromCompletedTasksAndSwaps() {
    Application app = Application.of("app", Variant.of("plain", "cpu"));
    LearnedPredictor predictor =
        LearnedPredictor.of(
            core(),
            (application, payload) -> new float[] {payload instanceof Float f ? f : Float.NaN, 0},
            OPTIONS,
            500,
            Training.atOnce());
    AdditiveModel before = predictor.model();
    long first = predictor.predict(app, 20f).meanNanos();
    assertThat(first / 86_400e9).isCloseTo(20, within(2.0));
    TrainingSet doubled = jobs(500, 2, 6);
    for (int i = 0; i < 500; i++) {
      assertThat(predictor.model()).isSameAs(before);
      predictor.observe(app, doubled.row(i)[0], (long) (doubled.target(i) * 86_400e9));
    }
    assertThat(predictor.model()).isNotSameAs(before);
    Prediction prediction = predictor.predict(app, 20f);
    assertThat(prediction.meanNanos() / 86_400e9).isCloseTo(40, within(4.0));
    assertThat(prediction.quantileNanos(0.95)).isGreaterThan(prediction.quantileNanos(0.05));
  }

  @Test
  void keepsOneTrainingAtATimeAndTheNewestTasks() {
    Application app = Application.of("app", Variant.of("plain", "cpu"));
    List<Runnable> runs = new ArrayList<>();
    LearnedPredictor predictor =
        LearnedPredictor.of(
            core(),
            (application, payload) -> new float[] {10, 0},
            OPTIONS,
            50,
            run -> runs.add(run));
    for (int i = 0; i < 220; i++) {
      predictor.observe(app, null, 1_000_000_000L);
    }
    assertThat(runs).hasSize(1);
    runs.get(0).run();
    predictor.observe(app, null, 1_000_000_000L);
    assertThat(runs).hasSize(2);
  }
}
