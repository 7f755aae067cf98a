package dev.muster.examples.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.VariantPolicy;
import dev.muster.core.library.CrossValidation;
import dev.muster.core.library.Predictor;
import dev.muster.core.library.Predictors;
import dev.muster.core.qos.QosVariants;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.QosScenario;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks what the QoS examples and their reproduction claim. */
class QosExamplesTest {
  @Test
  void fittedWorkloadGivesThePublishedViolations() {
    List<QosRun> runs =
        Managers.run(
            FittedWorkload.generate(), FittedWorkload.designs(), FittedWorkload.fixedDesign());
    assertThat(runs).extracting(QosRun::violations).containsExactly(27, 22, 18, 13, 3);
  }

  @Test
  void betterPolicyLosesFewerAndWaitsLess() {
    for (QosScenario scenario : List.of(QosScenario.A, QosScenario.B, QosScenario.E)) {
      QosComparison.Result result =
          QosComparison.bundled(Duration.ZERO).compare(scenario, 200_000, 30, false);
      assertThat(result.betterViolations()).isLessThan(result.baseViolations());
      assertThat(result.betterWaitSeconds()).isLessThan(result.baseWaitSeconds());
    }
  }

  @Test
  void reproductionPrintsTheSameTwice() {
    QosReproduction once = QosReproduction.run(7, 3);
    assertThat(QosReproduction.run(7, 3).json()).isEqualTo(once.json());
    assertThat(once.text().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void leastEnergyVariantSavesEnergyInsideSpork() {
    SimulationResult fastest = VariantsInSpork.run("fastest", VariantPolicy.fastest());
    SimulationResult frugal = VariantsInSpork.run("frugal", QosVariants.leastEnergyOnTime(25));
    assertThat(frugal.usage().energyPicojoules()).isLessThan(fastest.usage().energyPicojoules());
    assertThat(frugal.tally().missed()).isZero();
  }

  @Test
  void predictorsFindKnownTruth() {
    double[][] x = new double[120][];
    double[] time = new double[120];
    double[] area = new double[120];
    double[] fits = new double[120];
    for (int i = 0; i < x.length; i++) {
      int units = 1 + i % 12;
      int width = 1 + i / 12;
      x[i] = new double[] {units, width};
      time[i] = 40 + 900.0 / units;
      area[i] = 5_000 + 900.0 * units * width;
      fits[i] = units * width <= 60 ? 1 : 0;
    }
    assertThat(r2(Predictors.inverseUnits(), x, time, 0.2)).isGreaterThan(0.999);
    assertThat(r2(Predictors.boostedTrees(200, 4, 0.2), x, area, 1)).isGreaterThan(0.95);
    assertThat(
            CrossValidation.f1(
                fits, CrossValidation.predictions(Predictors.tree(8, 1), x, fits, 5, 1, 1)))
        .isGreaterThan(0.9);
    assertThat(
            Predictors.linearScaling()
                .fit(new double[][] {{1}}, new double[] {7})
                .predict(new double[] {3}))
        .isEqualTo(21);
  }

  private static double r2(Predictor.Learner learner, double[][] x, double[] y, double share) {
    return CrossValidation.r2(y, CrossValidation.predictions(learner, x, y, 5, share, 1));
  }
}
