package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MinuteTraceTest {
  private static final String TRACE = "function,avg_ms,m0,m1\nf,20.5,1,2\n\"g,h\",3,0,4\n";

  @Test
  void readsPlainAndGzip() throws IOException {
    MinuteTrace plain = read(TRACE);
    assertThat(read(gzip(TRACE))).isEqualTo(plain);
    assertThat(plain.functions().get(1).name()).isEqualTo("g,h");
    assertThat(plain.functions().get(0).invocations()).containsExactly(1.0, 2.0);
  }

  @Test
  void readsFiles(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("trace.csv.gz"), gzip(TRACE));
    assertThat(MinuteTrace.read(file).functions()).isEqualTo(read(TRACE).functions());
    assertThat(MinuteTrace.read(file).source()).isEqualTo("trace.csv.gz");
  }

  @Test
  void readsColumnsInAnyOrderAndIgnoresOthers() throws IOException {
    MinuteTrace trace = read("peak_cpu_workers,m0,m1,avg_ms,memory,function\n?,1,2.5e1,7,,f\n");
    assertThat(trace.functions())
        .containsExactly(new MinuteTrace.Function("f", 7, List.of(1.0, 25.0)));
  }

  @Test
  void skipsAByteOrderMark() throws IOException {
    assertThat(read("\uFEFF" + TRACE)).isEqualTo(read(TRACE));
  }

  @Test
  void readsAMonthOfMinutesAndNotOneMore() throws IOException {
    assertThat(read(longTrace(MinuteTrace.MAX_MINUTES)).functions().get(0).invocations())
        .hasSize(MinuteTrace.MAX_MINUTES);
    assertRefused(longTrace(MinuteTrace.MAX_MINUTES + 1), "trace t minutes: 44641");
    assertRefused(longTrace(MinuteTrace.MAX_MINUTES + 1_000), "columns");
  }

  private static String longTrace(int minutes) {
    String header =
        IntStream.range(0, minutes).mapToObj(i -> "m" + i).collect(Collectors.joining(","));
    return "function,avg_ms," + header + "\nf,1" + ",1".repeat(minutes) + "\n";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "function,avg_ms,m0;f,x,1|line 2, column avg_ms: \"x\"",
        "function,avg_ms,m0;f,0,1|line 2, column avg_ms: \"0\"",
        "function,avg_ms,m0;f,NaN,1|line 2, column avg_ms: \"NaN\"",
        "function,avg_ms,m0;f,0x1p3,1|line 2, column avg_ms: \"0x1p3\"",
        "function,avg_ms,m0;f,1d,1|line 2, column avg_ms: \"1d\"",
        "function,avg_ms,m0;f,1e400,1|line 2, column avg_ms: \"1e400\"",
        "function,avg_ms,m0;f,,1|line 2, column avg_ms: \"\"",
        "function,avg_ms,m0;f,5,-1|line 2, column m0: \"-1\"",
        "function,avg_ms,m0;f,5,1e10|line 2, column m0: \"1e10\"",
        "function,avg_ms,m0;f,5,99999999999999999999|line 2, column m0: \"99999999999999999999\"",
        "function,avg_ms,m0;f,5,Infinity|line 2, column m0: \"Infinity\"",
        "function,avg_ms,m0;f,5,1;f,5,1|line 3, column function: \"f\"",
        "function,avg_ms,m0;f,5|line 2: 2 cells",
        "function,avg_ms,m0;f,5,1,1|line 2: 4 cells",
        "function,avg_ms,m0;,5,1|line 2, column function: \"\"",
        "function,avg_ms,m0;\"f,5,1|line 2",
        "name,avg_ms,m0;f,5,1|column function",
        "function,avg_ms;f,5|column m0",
        "function,function,avg_ms,m0;f,f,5,1|one column function",
        "function,avg_ms,m0,m1,m3;f,5,1,1,1|column 5: m3",
        "function,avg_ms,m0,note,m1;f,5,1,1,1|column 5: m1",
        "function,avg_ms,m0|at least one"
      })
  void refusesMalformedTracesNamingThePlace(String text, String place) {
    assertRefused(text.replace(';', '\n'), place);
  }

  @Test
  void refusesWhatIsNotText() throws IOException {
    byte[] latin1 = "function,avg_ms,m0\né,5,1\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> read(latin1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("UTF-8");
    assertRefused("", "at least one");
    assertRefused("\n\n\n", "at least one");
  }

  @Test
  void refusesDamagedGzip() throws IOException {
    byte[] whole = gzip(TRACE);
    for (int length = 2; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("gzip");
    }
  }

  @Test
  void refusesCellsAndLinesThatAreTooLong() {
    String name = "x".repeat(MinuteTrace.MAX_CELL + 1);
    assertRefused("function,avg_ms,m0\n" + name + ",5,1\n", "characters a cell");
    String line = ("y".repeat(4_000) + ",").repeat(1_100);
    assertRefused("function,avg_ms,m0," + line + "\n", "a line");
  }

  @Test
  void refusesABombBeforeItFillsTheMemory() {
    assertThatThrownBy(
            () -> {
              LimitedReader reader = new LimitedReader(new StringReader("abcdef"), 4, "trace t");
              reader.transferTo(Writer.nullWriter());
            })
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("trace t size");
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> MinuteTrace.read(Path.of("no-such.csv")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no-such.csv");
  }

  @Test
  void passesOnTheFailureOfAStream() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk is gone");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            return read();
          }
        };
    assertThatThrownBy(() -> MinuteTrace.read("t", broken))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is gone");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, 1.1e9})
  void refusesFunctionsOutOfRange(double value) {
    assertThatThrownBy(() -> new MinuteTrace.Function("f", value, List.of(1.0)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("mean duration");
    assertThatThrownBy(() -> new MinuteTrace.Function("f", 1, List.of(1.0, value)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("invocations");
  }

  @Test
  void refusesFunctionsWithoutNameOrMinutesAndTracesOfTwins() {
    assertThatThrownBy(() -> new MinuteTrace.Function(" ", 1, List.of(1.0)))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> new MinuteTrace.Function("f", 1, List.of()))
        .isInstanceOf(InvalidInputException.class);
    MinuteTrace.Function function = new MinuteTrace.Function("f", 1, List.of(1.0));
    assertThatThrownBy(() -> new MinuteTrace("t", List.of(function, function)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("unique");
  }

  private static void assertRefused(String text, String place) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("trace t")
        .hasMessageContaining(place);
  }

  private static MinuteTrace read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static MinuteTrace read(byte[] bytes) throws IOException {
    return MinuteTrace.read("t", new ByteArrayInputStream(bytes));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
