package dev.muster.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import dev.muster.core.predict.ChronologicalEvaluation.Job;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChronologicalEvaluationTest {
  /** Returns jobs a second apart, each knowing its number, that take 10 s; some take 100 s. */
  private static List<Job> jobs(int count) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(Job.of(new float[] {i}, i, i, i + (i % 50 == 0 ? 100 : 10)));
    }
    return jobs;
  }

  @Test
  void tellsNothingThatWasNotKnownWhenTheWindowBegan() {
    List<Integer> asked = new ArrayList<>();
    List<Float> newestKnown = new ArrayList<>();
    ChronologicalEvaluation.of(jobs(1000), 5)
        .run(
            (known, newest) -> {
              float last = known.target(known.size() - 1);
              newestKnown.add(last);
              assertThat(newest.target(newest.size() - 1)).isEqualTo(last);
              return row -> {
                asked.add((int) row[0]);
                return 0;
              };
            });
    assertThat(asked).hasSize(500).startsWith(500).endsWith(999);
    // Jobs settle within 10 s, so 11 before each window the newest known one was submitted.
    assertThat(newestKnown).containsExactly(489f, 589f, 689f, 789f, 889f);
  }

  @Test
  void tellsEachJobOnceAsNewest() {
    List<Integer> sizes = new ArrayList<>();
    ChronologicalEvaluation.of(jobs(1000), 5)
        .run(
            (known, newest) -> {
              sizes.add(newest.size());
              return row -> 0;
            });
    // Of 490, then 100 at a time, those of 100 s that were too late for their window are missing.
    assertThat(sizes).containsExactly(489, 99, 99, 99, 99);
  }

  @Test
  void measuresErrorsFromZeroUp() {
    ChronologicalEvaluation evaluation = ChronologicalEvaluation.of(jobs(200), 2);
    assertThat(evaluation.predicted()).isEqualTo(100);
    ChronologicalEvaluation.Result exact = evaluation.run((known, newest) -> row -> row[0]);
    assertThat(exact.total()).isEqualTo(new ChronologicalEvaluation.Errors(0, 0));
    ChronologicalEvaluation.Result off = evaluation.run((known, newest) -> row -> row[0] + 3);
    assertThat(off.windows()).hasSize(2);
    assertThat(off.total()).isEqualTo(new ChronologicalEvaluation.Errors(3, 3));
    ChronologicalEvaluation.Result negative = evaluation.run((known, newest) -> row -> -7);
    assertThat(negative.total().mean()).isCloseTo(149.5, within(1e-9));
    assertThat(negative.total().p95()).isEqualTo(194);
  }

  @Test
  void learnsOnceOnRequest() {
    List<Integer> calls = new ArrayList<>();
    ChronologicalEvaluation.of(jobs(1000), 5)
        .run(
            ChronologicalEvaluation.once(
                (known, newest) -> {
                  calls.add(known.size());
                  return row -> 0;
                }));
    assertThat(calls).hasSize(1);
  }

  @Test
  void refusesLogsThatAreTooShort() {
    assertThatThrownBy(() -> ChronologicalEvaluation.of(jobs(9), 5))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> ChronologicalEvaluation.of(jobs(9), 0))
        .isInstanceOf(InvalidInputException.class);
    List<Job> endless = List.of(Job.of(new float[1], 1, 0, 99), Job.of(new float[1], 1, 1, 99));
    assertThatThrownBy(
            () -> ChronologicalEvaluation.of(endless, 1).run((known, newest) -> row -> 0))
        .hasMessageContaining("longer log");
  }
}
