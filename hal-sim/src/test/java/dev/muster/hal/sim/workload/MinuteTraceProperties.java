package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Holds the laws of the reader of per-minute traces. */
class MinuteTraceProperties {
  private static final byte[] PLAIN =
      "function,avg_ms,m0,m1\nf,20.5,1,2\n\"g,h\",3,0,4\n".getBytes(StandardCharsets.UTF_8);
  private static final int MAX_BYTES = 120;

  /** Says how to damage a file: at a place, overwrite, insert or cut off. */
  record Damage(int place, byte value, int kind) {
    byte[] applyTo(byte[] bytes) {
      int at = bytes.length == 0 ? 0 : place % bytes.length;
      if (kind == 0 && bytes.length > 0) {
        byte[] result = bytes.clone();
        result[at] = value;
        return result;
      }
      if (kind == 1) {
        byte[] result = Arrays.copyOf(bytes, bytes.length + 1);
        System.arraycopy(bytes, at, result, at + 1, bytes.length - at);
        result[at] = value;
        return result;
      }
      return Arrays.copyOf(bytes, at);
    }
  }

  @Provide
  Arbitrary<Damage> damage() {
    Arbitrary<Byte> telling = Arbitraries.of((byte) '"', (byte) ',', (byte) '\n', (byte) '-');
    return Combinators.combine(
            Arbitraries.integers().between(0, MAX_BYTES),
            Arbitraries.oneOf(Arbitraries.bytes(), telling),
            Arbitraries.frequency(Tuple.of(5, 0), Tuple.of(5, 1), Tuple.of(1, 2)))
        .as(Damage::new);
  }

  @Provide
  Arbitrary<MinuteTrace> traces() {
    Arbitrary<String> names =
        Arbitraries.strings()
            .withChars("ab \",;\n\r'#é€")
            .ofMinLength(1)
            .ofMaxLength(8)
            .map(text -> "f" + text);
    Arbitrary<Double> counts =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 1_000_000_000).map(Integer::doubleValue),
            Arbitraries.doubles().between(0, 1e9).ofScale(6));
    Arbitrary<Double> millis = Arbitraries.doubles().between(1e-3, 1e9).ofScale(4);
    return Arbitraries.integers()
        .between(1, 6)
        .flatMap(
            minutes ->
                Combinators.combine(names, millis, counts.list().ofSize(minutes))
                    .as(MinuteTrace.Function::new)
                    .list()
                    .uniqueElements(MinuteTrace.Function::name)
                    .ofMinSize(1)
                    .ofMaxSize(6))
        .map(functions -> new MinuteTrace("t", functions));
  }

  @Property(tries = 300)
  void whatIsWrittenIsRead(@ForAll("traces") MinuteTrace trace, @ForAll boolean compressed)
      throws IOException {
    byte[] bytes = write(trace).getBytes(StandardCharsets.UTF_8);
    assertThat(read(compressed ? gzip(bytes) : bytes)).isEqualTo(trace);
  }

  @Property(tries = 3_000)
  void aDamagedTraceIsEitherReadOrRefused(
      @ForAll @Size(min = 1, max = 5) List<@From("damage") Damage> damages) throws IOException {
    assertReadOrRefused(damages, PLAIN);
  }

  @Property(tries = 3_000)
  void aDamagedGzipTraceIsEitherReadOrRefused(
      @ForAll @Size(min = 1, max = 5) List<@From("damage") Damage> damages) throws IOException {
    assertReadOrRefused(damages, gzip(PLAIN));
  }

  @Property
  void anyBytesAreEitherReadOrRefused(
      @ForAll @Size(max = 200) byte[] bytes, @ForAll @IntRange(max = 2) int start)
      throws IOException {
    byte[] head = Arrays.copyOf(PLAIN, start * 11);
    byte[] all = Arrays.copyOf(head, head.length + bytes.length);
    System.arraycopy(bytes, 0, all, head.length, bytes.length);
    assertReadOrRefused(List.of(), all);
  }

  private static void assertReadOrRefused(List<Damage> damages, byte[] whole) throws IOException {
    byte[] bytes = whole;
    for (Damage damage : damages) {
      bytes = damage.applyTo(bytes);
    }
    try {
      assertThat(read(bytes).functions()).isNotEmpty();
    } catch (InvalidInputException refused) {
      assertThat(refused).hasMessageContaining("trace t");
    }
  }

  private static MinuteTrace read(byte[] bytes) throws IOException {
    return MinuteTrace.read("t", new ByteArrayInputStream(bytes));
  }

  private static String write(MinuteTrace trace) throws IOException {
    StringWriter text = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(text)) {
      List<String> header = new ArrayList<>(List.of("function", "avg_ms", "peak_cpu_workers"));
      for (int i = 0; i < trace.functions().get(0).invocations().size(); i++) {
        header.add("m" + i);
      }
      csv.writeRecord(header);
      for (MinuteTrace.Function function : trace.functions()) {
        List<String> line = new ArrayList<>();
        line.add(function.name());
        line.add(Double.toString(function.meanMillis()));
        line.add("");
        function.invocations().forEach(count -> line.add(plain(count)));
        csv.writeRecord(line);
      }
    }
    return text.toString();
  }

  private static String plain(double count) {
    return count == Math.rint(count) ? Long.toString((long) count) : Double.toString(count);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
