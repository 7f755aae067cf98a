package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceWorkloadTest {
  private static final long MINUTE = 60_000_000_000L;

  private static MinuteTrace trace(MinuteTrace.Function... functions) {
    return new MinuteTrace("t", List.of(functions));
  }

  private static MinuteTrace.Function function(String name, Double... counts) {
    return new MinuteTrace.Function(name, 50, List.of(counts));
  }

  @Test
  void readsTheBundledTraceByBucket() {
    MinuteTrace trace = MinuteTrace.bundled();
    assertThat(trace.functions()).hasSize(8).allMatch(f -> f.invocations().size() == 1440);
    assertThat(TraceWorkload.builder(trace).sizes(SizeBucket.SHORT).build()).hasSize(4);
    assertThat(TraceWorkload.builder(trace).sizes(SizeBucket.MEDIUM).build()).hasSize(2);
    assertThat(TraceWorkload.builder(trace).sizes(SizeBucket.LONG).build()).hasSize(2);
    assertThat(TraceWorkload.builder(trace).build().get(0).horizonNanos()).isEqualTo(120 * MINUTE);
  }

  @Test
  void scalesEachFunctionToTheMeanThatWasAskedFor() {
    for (Workload workload :
        TraceWorkload.builder(MinuteTrace.bundled()).meanWorkers(4).seed(2).build()) {
      WorkloadSummary summary = workload.summary();
      assertThat(summary.meanWorkers())
          .as(workload.name())
          .isCloseTo(4, within(4 * 5 / Math.sqrt((double) summary.tasks())));
    }
  }

  @Test
  void mergesTheFunctionsIntoOneFleetsWorkload() {
    TraceWorkload.Builder builder =
        TraceWorkload.builder(MinuteTrace.bundled()).sizes(SizeBucket.LONG).meanWorkers(3);
    List<Workload> parts = builder.build();
    Workload merged = builder.buildMerged();
    assertThat(merged.applications()).containsExactly(parts.get(0).name(), parts.get(1).name());
    List<SeenTask> tasks = SeenTask.of(merged);
    for (Workload part : parts) {
      assertThat(tasks.stream().filter(task -> task.application().equals(part.name())))
          .containsExactlyElementsOf(SeenTask.of(part));
    }
    assertThat(merged.summary().meanWorkers()).isCloseTo(6, within(0.5));
  }

  @Test
  void takesTheBusiestWindowOfTheStepsOfTenMinutes() {
    List<Double> counts = new ArrayList<>(Collections.nCopies(60, 10.0));
    for (int minute = 34; minute < 50; minute++) {
      counts.set(minute, 1_000.0); // from minute 40 on, a window of 10 sees only these
    }
    MinuteTrace trace = trace(new MinuteTrace.Function("f", 50, counts));
    Workload workload =
        TraceWorkload.builder(trace)
            .windowMinutes(10)
            .leastActiveMinutes(0)
            .meanWorkers(1)
            .build()
            .get(0);
    assertThat(workload.horizonNanos()).isEqualTo(10 * MINUTE);
    int early = 0;
    List<SeenTask> tasks = SeenTask.of(workload);
    for (SeenTask task : tasks) {
      early += task.arrival() < 5 * MINUTE ? 1 : 0;
    }
    // The window [30, 40) would have most of its load late.
    assertThat((double) early / tasks.size()).isCloseTo(0.5, within(0.05));
  }

  @Test
  void takesAShortTraceWhole() {
    MinuteTrace trace = trace(function("f", 100.0, 100.0, 100.0));
    assertThat(TraceWorkload.builder(trace).build().get(0).horizonNanos()).isEqualTo(3 * MINUTE);
  }

  @Test
  void leavesOutFunctionsThatAreRareOrSilent() {
    MinuteTrace trace =
        trace(function("rare", 4.0, 4.0), function("silent", 100.0, 0.0), function("f", 5.0, 5.0));
    assertThat(TraceWorkload.builder(trace).build())
        .extracting(Workload::name)
        .containsExactly("f");
    assertThat(TraceWorkload.builder(trace).leastActiveMinutes(1).leastMeanRate(0).build())
        .extracting(Workload::name)
        .containsExactly("rare", "silent", "f");
  }

  @Test
  void aFunctionsArrivalsDoNotDependOnTheOthers() {
    MinuteTrace.Function f = function("f", 9.0, 9.0);
    Workload alone = TraceWorkload.builder(trace(f)).build().get(0);
    Workload second = TraceWorkload.builder(trace(function("g", 50.0, 50.0), f)).build().get(1);
    assertThat(SeenTask.fingerprint(second)).isEqualTo(SeenTask.fingerprint(alone));
  }

  @Test
  void refusesATraceWhoseRatesAreAllZero() {
    assertThatThrownBy(
            () ->
                TraceWorkload.builder(trace(function("f", 0.0)))
                    .leastMeanRate(0)
                    .leastActiveMinutes(0)
                    .build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("relax the filters");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesParametersOutOfRange(double bad) {
    MinuteTrace trace = trace(function("f", 9.0));
    assertRefused(TraceWorkload.builder(trace).leastMeanRate(bad), "least mean rate");
    assertRefused(TraceWorkload.builder(trace).meanWorkers(bad), "mean workers");
    assertRefused(TraceWorkload.builder(trace).deadlineFactor(bad), "deadline factor");
    assertRefused(TraceWorkload.builder(trace).windowMinutes(0), "window");
    assertRefused(TraceWorkload.builder(trace).windowMinutes(Integer.MAX_VALUE), "window");
    assertRefused(TraceWorkload.builder(trace).leastActiveMinutes(-1), "active minutes");
  }

  private static void assertRefused(TraceWorkload.Builder builder, String thing) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(thing);
  }
}
