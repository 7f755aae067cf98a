package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
  private static final String TRACE = "function,avg_ms,m0,m1\nf,20.5,1,2\n\"g,h\",3,0,4\n";

  @Test
  void streamsNeverChangeSilently() {
    RandomStreams.Stream stream = RandomStreams.of(1).stream("arrivals");
    assertThat(List.of(stream.nextLong(), stream.nextLong(), stream.nextLong()))
        .containsExactly(-81318526969839757L, 556704300733733727L, -4999613082663368934L);
    assertThat(RandomStreams.of(1).stream("size").nextLong()).isNotEqualTo(-81318526969839757L);
    assertThat(RandomStreams.of(2).stream("arrivals").nextLong()).isNotEqualTo(-81318526969839757L);
  }

  @Test
  void arrivalsHaveTheMeanThatWasAskedFor() {
    Workload workload = SyntheticWorkload.builder().meanWorkers(20).minutes(60).seed(3).build();
    double work = 0;
    for (ArrivalSource tasks = workload.open(); tasks.advance(); ) {
      work += tasks.sizeNanos();
    }
    assertThat(work / workload.horizonNanos()).isCloseTo(20, within(0.2));
  }

  @Test
  void readsTheBundledTraceByBucket() {
    MinuteTrace trace = MinuteTrace.bundled();
    assertThat(trace.functions()).hasSize(8).allMatch(f -> f.invocations().size() == 1440);
    assertThat(TraceWorkload.builder(trace).sizes(SizeBucket.SHORT).build()).hasSize(4);
    assertThat(TraceWorkload.builder(trace).sizes(SizeBucket.MEDIUM).build()).hasSize(2);
    assertThat(TraceWorkload.builder(trace).sizes(SizeBucket.LONG).build()).hasSize(2);
    assertThat(TraceWorkload.builder(trace).build().get(0).horizonNanos())
        .isEqualTo(7_200_000_000_000L);
  }

  @Test
  void readsPlainAndGzip() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(TRACE.getBytes(StandardCharsets.UTF_8));
    }
    MinuteTrace plain = read(TRACE);
    assertThat(MinuteTrace.read("t", new ByteArrayInputStream(bytes.toByteArray())))
        .isEqualTo(plain);
    assertThat(plain.functions().get(1).name()).isEqualTo("g,h");
    assertThat(plain.functions().get(0).invocations()).containsExactly(1.0, 2.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "function,avg_ms,m0;f,x,1|line 2, column avg_ms",
        "function,avg_ms,m0;f,0,1|line 2, column avg_ms",
        "function,avg_ms,m0;f,NaN,1|line 2, column avg_ms",
        "function,avg_ms,m0;f,5,-1|line 2, column m0",
        "function,avg_ms,m0;f,5,NaN|line 2, column m0",
        "function,avg_ms,m0;f,5,Infinity|line 2, column m0",
        "function,avg_ms,m0;f,5,1;f,5,1|line 3, column function",
        "function,avg_ms,m0;f,5|line 2",
        "function,avg_ms,m0;,5,1|line 2, column function",
        "name,avg_ms,m0;f,5,1|column function",
        "function,avg_ms;f,5|column m0",
        "function,avg_ms,m0|at least one"
      })
  void refusesMalformedTracesNamingThePlace(String text, String place) {
    assertThatThrownBy(() -> read(text.replace(';', '\n')))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(place);
  }

  @Test
  void refusesATraceWhoseRatesAreAllZero() throws IOException {
    MinuteTrace trace = read("function,avg_ms,m0\nf,5,0\n");
    assertThatThrownBy(
            () -> TraceWorkload.builder(trace).leastMeanRate(0).leastActiveMinutes(0).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("relax the filters");
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> MinuteTrace.read(Path.of("no-such.csv")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no-such.csv");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.49, 1, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesABiasOutOfRange(double bias) {
    assertThatThrownBy(() -> SyntheticWorkload.builder().bias(bias).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("[0.5, 1)");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAMeanLoadOutOfRange(double workers) {
    assertThatThrownBy(() -> SyntheticWorkload.builder().meanWorkers(workers).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("mean workers");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, Double.NaN, 1e9})
  void refusesDeadlinesBeforeTheTaskCouldFinish(double factor) {
    assertThatThrownBy(() -> SyntheticWorkload.builder().deadlineFactor(factor).build())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("deadline factor");
  }

  @Test
  void refusesExplicitTasksWithADeadlineBeforeTheirArrival() {
    assertThatThrownBy(() -> Workloads.of("x", new long[] {5}, new long[] {1}, new long[] {4}, 10))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("task 0 deadline");
  }

  private static MinuteTrace read(String text) throws IOException {
    return MinuteTrace.read("t", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
