package dev.muster.hal.sim.joblog;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.predict.AdditiveOptions;
import dev.muster.core.predict.ChronologicalEvaluation.Learner;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads real logs, and checks what the gate promises on them. */
final class RealLogsTest {
  private static List<JobRecord> read(String name) throws IOException {
    String file = name + ".swf.gz";
    try (JobReader reader =
        JobReader.swf(requireNonNull(RealLogsTest.class.getResourceAsStream(file), file), file)) {
      return reader.readAll();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "theta_2022, 23911, 23911",
    "theta_2023, 8401, 8401",
    "hpc2n, 3170, 3145",
    "wagap-2013, 17900, 17898",
  })
  void readsEveryJob(String name, int jobs, long ran) throws IOException {
    List<JobRecord> log = read(name);
    assertThat(log).hasSize(jobs);
    assertThat(log.stream().filter(job -> job.outcome().ran()).count()).isEqualTo(ran);
  }

  @ParameterizedTest
  @CsvSource({"theta_2022", "theta_2023", "hpc2n", "wagap-2013"})
  void gatedTreesAreNeverWorseThanCoreByOverTwoPercent(String name) throws IOException {
    assertThat(toCore(name, "ADD gated")).isLessThanOrEqualTo(1.02);
  }

  @Test
  void gatedTreesAreBetterWhereTheLogDrifts() throws IOException {
    assertThat(toCore("wagap-2013", "ADD gated")).isLessThan(0.95);
    assertThat(toCore("wagap-2013", "user estimate")).isGreaterThan(3);
  }

  private static double toCore(String name, String learner) throws IOException {
    PredictionStudy study =
        PredictionStudy.of(read(name), JobFeatures.all(), 5, AdditiveOptions.ofDefaults());
    return mean(study, learner) / mean(study, "CORE");
  }

  private static double mean(PredictionStudy study, String name) {
    Map<String, Learner> learners = study.learners();
    return study.run(requireNonNull(learners.get(name), name)).total().mean();
  }
}
