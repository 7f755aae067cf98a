package dev.muster.hal.sim.workload;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.muster.api.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds a per-minute trace: for each function its mean duration and its invocations per minute.
 *
 * <p>The file is CSV with a header. The columns read are
 *
 * <pre>
 * function      name
 * avg_ms        mean duration in milliseconds
 * m0, m1, ...   invocations in each minute, without a gap
 * </pre>
 *
 * <p>and others are ignored. This is the shape of samples of the Azure Functions 2019 trace. A file
 * that starts with the gzip magic bytes is decompressed.
 *
 * @param source where it came from, for messages and reports
 * @param functions in the order of the file; at least one
 */
public record MinuteTrace(String source, List<Function> functions) {
  /** Bounds the functions in a trace. */
  public static final int MAX_FUNCTIONS = 100_000;

  /** Bounds the minutes in a trace: 31 days. */
  public static final int MAX_MINUTES = 44_640;

  /** Bounds the decompressed size of a trace, in characters. */
  public static final long MAX_CHARACTERS = 1L << 30;

  /** Bounds the characters of one cell. */
  public static final int MAX_CELL = 4_096;

  private static final double MAX_RATE = 1e9;

  /** Creates a trace. */
  public MinuteTrace {
    functions = List.copyOf(functions);
    if (functions.isEmpty()) {
      throw InvalidInputException.of(
          "trace " + source,
          "no function",
          "must hold at least one",
          "check that the file is whole");
    }
  }

  /**
   * Holds one function.
   *
   * @param name unique in the trace
   * @param meanMillis mean duration, in milliseconds
   * @param invocations number of invocations in each minute
   */
  public record Function(String name, double meanMillis, List<Double> invocations) {
    /** Creates a function. */
    public Function {
      invocations = List.copyOf(invocations);
    }
  }

  /**
   * Reads a trace from a file, plain or gzip.
   *
   * @throws InvalidInputException if the file is missing, too large or malformed; the message names
   *     line and column
   */
  public static MinuteTrace read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw InvalidInputException.of(
          "trace file", file, "must be an existing regular file", "check the path");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(file.getFileName().toString(), in);
    } catch (IOException e) {
      throw InvalidInputException.of(
          "trace file", file, "cannot be read: " + e.getMessage(), "check the file");
    }
  }

  /** Returns the extract of the Azure Functions 2019 trace that comes with Muster; see NOTICE. */
  public static MinuteTrace bundled() {
    try (InputStream in = MinuteTrace.class.getResourceAsStream("azure2019-sample.csv")) {
      if (in == null) {
        throw new IllegalStateException("the bundled trace is missing from the jar");
      }
      return read("azure2019-sample", in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a trace from a stream, plain or gzip.
   *
   * @param source a name for messages
   * @throws InvalidInputException if it is too large or malformed
   */
  public static MinuteTrace read(String source, InputStream in) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    InputStream plain = gzip ? new GZIPInputStream(buffered) : buffered;
    Reader reader =
        new LimitedReader(
            new InputStreamReader(plain, StandardCharsets.UTF_8), MAX_CHARACTERS, source);
    try (CsvReader<CsvRecord> csv =
        CsvReader.builder()
            .maxBufferSize(1 << 22)
            .missingFieldStrategy(
                FieldMismatchStrategy.IGNORE) // counted below, with the place in the message
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .ofCsvRecord(reader)) {
      return new MinuteTrace(source, parse(source, csv));
    } catch (CsvParseException e) {
      throw InvalidInputException.of(
          "trace " + source,
          String.valueOf(e.getMessage()),
          "is not valid CSV",
          "correct the file");
    }
  }

  private static List<Function> parse(String source, Iterable<CsvRecord> records) {
    Columns columns = null;
    List<Function> functions = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (CsvRecord record : records) {
      if (columns == null) {
        columns = Columns.of(source, record);
        continue;
      }
      Function function = columns.function(record);
      if (!names.add(function.name())) {
        throw columns.invalid(record, columns.name, "must be unique", "remove the duplicate");
      }
      if (functions.size() == MAX_FUNCTIONS) {
        throw columns.invalid(
            record,
            columns.name,
            "is one too many, the limit is " + MAX_FUNCTIONS,
            "split the file");
      }
      functions.add(function);
    }
    return functions;
  }

  /** Knows which column holds what. */
  private record Columns(
      String source, List<String> header, int name, int mean, int firstMinute, int minutes) {
    static Columns of(String source, CsvRecord header) {
      List<String> fields = List.copyOf(header.getFields());
      Columns columns =
          new Columns(
              source,
              fields,
              fields.indexOf("function"),
              fields.indexOf("avg_ms"),
              fields.indexOf("m0"),
              countMinutes(fields));
      require(source, header, columns.name, "function");
      require(source, header, columns.mean, "avg_ms");
      require(source, header, columns.firstMinute, "m0");
      if (columns.minutes > MAX_MINUTES) {
        throw InvalidInputException.of(
            "trace " + source + " minutes",
            columns.minutes,
            "must be at most " + MAX_MINUTES,
            "cut the trace");
      }
      return columns;
    }

    private static int countMinutes(List<String> fields) {
      int first = fields.indexOf("m0");
      int count = 0;
      while (first >= 0
          && first + count < fields.size()
          && fields.get(first + count).equals("m" + count)) {
        count++;
      }
      return count;
    }

    private static void require(String source, CsvRecord header, int column, String name) {
      if (column < 0) {
        throw InvalidInputException.of(
            "trace " + source + " line " + header.getStartingLineNumber() + " header",
            shorten(header.getFields().toString()),
            "must have a column " + name,
            "name the columns function, avg_ms, m0, m1, ...");
      }
    }

    Function function(CsvRecord record) {
      if (record.getFieldCount() != header.size()) {
        throw InvalidInputException.of(
            "trace " + source + " line " + record.getStartingLineNumber(),
            record.getFieldCount() + " cells",
            "must have " + header.size() + " like the header",
            "complete or shorten the line");
      }
      String function = record.getField(name);
      if (function.isBlank() || function.length() > MAX_CELL) {
        throw invalid(record, name, "must have 1 to " + MAX_CELL + " characters", "name it");
      }
      double millis = number(record, mean);
      if (!(millis > 0 && millis <= 1e9)) {
        throw invalid(record, mean, "must be above 0 and at most 1e9 ms", "correct the duration");
      }
      List<Double> invocations = new ArrayList<>(minutes);
      for (int i = 0; i < minutes; i++) {
        double rate = number(record, firstMinute + i);
        if (!(rate >= 0 && rate <= MAX_RATE)) {
          throw invalid(record, firstMinute + i, "must be between 0 and 1e9", "correct the count");
        }
        invocations.add(rate);
      }
      return new Function(function, millis, invocations);
    }

    private double number(CsvRecord record, int column) {
      try {
        return Double.parseDouble(record.getField(column));
      } catch (NumberFormatException e) {
        throw invalid(record, column, "must be a number", "correct the cell");
      }
    }

    InvalidInputException invalid(CsvRecord record, int column, String limit, String next) {
      return InvalidInputException.of(
          "trace "
              + source
              + " line "
              + record.getStartingLineNumber()
              + ", column "
              + header.get(column),
          '"' + shorten(record.getField(column)) + '"',
          limit,
          next);
    }
  }

  private static String shorten(String text) {
    return text.length() <= 80 ? text : text.substring(0, 77) + "...";
  }

  /** Refuses to read more than so many characters. */
  private static final class LimitedReader extends java.io.FilterReader {
    private final String source;
    private long left;

    LimitedReader(Reader in, long limit, String source) {
      super(in);
      this.left = limit;
      this.source = source;
    }

    @Override
    public int read() throws IOException {
      int c = super.read();
      count(c < 0 ? 0 : 1);
      return c;
    }

    @Override
    public int read(char @Nullable [] buffer, int offset, int length) throws IOException {
      int n = super.read(buffer, offset, length);
      count(n);
      return n;
    }

    private void count(int n) {
      left -= Math.max(n, 0);
      if (left < 0) {
        throw InvalidInputException.of(
            "trace " + source + " size",
            "over " + MAX_CHARACTERS + " characters",
            "is above the limit",
            "split the file");
      }
    }
  }
}
