package dev.muster.hal.sim.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.predict.AdditiveOptions;
import dev.muster.core.predict.ChronologicalEvaluation.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PredictionStudyTest {
  @Test
  void gatedTreesBeatCoreWhereTheLogDriftsByAQuarter() {
    PredictionStudy study = study(0.25);
    Map<String, Result> results = study.runAll();
    double core = mean(results, "CORE");
    assertThat(mean(results, "ADD gated")).isLessThan(0.95 * core);
    assertThat(mean(results, "ADD gated, medians")).isLessThan(mean(results, "CORE, medians"));
    assertThat(core).isLessThan(mean(results, "linear regression"));
    assertThat(results.get("CORE")).isNotNull().extracting(r -> r.windows().size()).isEqualTo(5);
  }

  @Test
  void gatedTreesAreNotWorseWhereNothingDrifts() {
    PredictionStudy study = study(0);
    Map<String, Result> results = study.runAll();
    double core = mean(results, "CORE");
    double gated = mean(results, "ADD gated");
    assertThat(gated).isLessThan(1.02 * core);
  }

  @Test
  void sameLogSameErrors() {
    assertThat(study(0.1).runAll()).isEqualTo(study(0.1).runAll());
  }

  private static double mean(Map<String, Result> results, String name) {
    Result result = results.get(name);
    assertThat(result).isNotNull();
    return result == null ? Double.NaN : result.total().mean();
  }

  private static PredictionStudy study(double sigma) {
    List<JobRecord> log =
        DriftingLog.builder().jobs(20_000).sigma(sigma).seed(2).build().generate();
    return PredictionStudy.of(log, JobFeatures.all(), 5, AdditiveOptions.ofDefaults());
  }
}
