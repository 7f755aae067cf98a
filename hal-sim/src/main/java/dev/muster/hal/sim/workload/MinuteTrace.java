package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds a per-minute trace: for each function its mean duration and its invocations per minute.
 *
 * <p>The file is CSV with a header, in UTF-8. The columns read are
 *
 * <pre>
 * function      name, unique in the file
 * avg_ms        mean duration in milliseconds
 * m0, m1, ...   invocations in each minute, side by side without a gap
 * </pre>
 *
 * <p>in any order but for the minutes; others are ignored. This is the shape of samples of the
 * Azure Functions 2019 trace. A file that starts with the gzip magic bytes is decompressed.
 *
 * @param source where it came from, for messages and reports
 * @param functions in the order of the file; at least one
 */
public record MinuteTrace(String source, List<Function> functions) {
  /** Bounds the functions in a trace. */
  public static final int MAX_FUNCTIONS = 100_000;

  /** Bounds the minutes in a trace: 31 days. */
  public static final int MAX_MINUTES = 44_640;

  /** Bounds the functions times minutes in a file: 2^26, a day of the whole Azure trace. */
  public static final long MAX_COUNTS = 1L << 26;

  /** Bounds the decompressed size of a file, in characters. */
  public static final long MAX_CHARACTERS = 1L << 30;

  /** Bounds the characters of one line. */
  public static final int MAX_LINE = 1 << 22;

  /** Bounds the characters of one cell. */
  public static final int MAX_CELL = 4_096;

  /** Bounds a mean duration, in milliseconds: 11 days. */
  static final double MAX_MILLIS = 1e9;

  /** Bounds the invocations of a minute. */
  static final double MAX_RATE = 1e9;

  /**
   * Creates a trace.
   *
   * @throws InvalidInputException if it has no function, too many, or two of one name
   */
  public MinuteTrace {
    functions = List.copyOf(functions);
    if (functions.isEmpty() || functions.size() > MAX_FUNCTIONS) {
      throw InvalidInputException.of(
          "trace " + source,
          functions.size() + " functions",
          "must hold at least one and at most " + MAX_FUNCTIONS,
          "check that the file is whole, or split it");
    }
    Set<String> names = new HashSet<>();
    for (Function function : functions) {
      if (!names.add(function.name())) {
        throw InvalidInputException.of(
            "trace " + source + " function", function.name(), "must be unique", "rename one");
      }
    }
  }

  /**
   * Holds one function.
   *
   * @param name unique in the trace, not blank
   * @param meanMillis mean duration in milliseconds, above 0 and at most 1e9
   * @param invocations number of invocations in each minute, each from 0 to 1e9; at least one and
   *     at most {@link MinuteTrace#MAX_MINUTES} of them
   */
  public record Function(String name, double meanMillis, List<Double> invocations) {
    /**
     * Creates a function.
     *
     * @throws InvalidInputException if a value is out of range
     */
    public Function {
      invocations = MinuteCounts.copyOf(invocations);
      if (name.isBlank() || name.length() > MAX_CELL) {
        throw InvalidInputException.of(
            "function name",
            '"' + name + '"',
            "must have 1 to " + MAX_CELL + " characters",
            "name it");
      }
      if (!(meanMillis > 0 && meanMillis <= MAX_MILLIS)) {
        throw InvalidInputException.of(
            "function " + name + " mean duration (ms)",
            meanMillis,
            "must be above 0 and at most 1e9",
            "correct it");
      }
      if (invocations.isEmpty() || invocations.size() > MAX_MINUTES) {
        throw InvalidInputException.of(
            "function " + name + " minutes",
            invocations.size(),
            "must be between 1 and " + MAX_MINUTES,
            "cut the trace");
      }
      for (double count : invocations) {
        if (!(count >= 0 && count <= MAX_RATE)) {
          throw InvalidInputException.of(
              "function " + name + " invocations",
              count,
              "must be between 0 and 1e9",
              "correct the count");
        }
      }
    }
  }

  /**
   * Reads a trace from a file, plain or gzip.
   *
   * @throws InvalidInputException if the file is missing, unreadable, too large or malformed; the
   *     message names line, column and value
   */
  public static MinuteTrace read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw InvalidInputException.of(
          "trace file", file, "must be an existing regular file", "check the path");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(String.valueOf(file.getFileName()), in);
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
   * Reads a trace from a stream, plain or gzip; the stream may be closed.
   *
   * @param source a name for messages
   * @throws InvalidInputException if it is too large or malformed: not CSV, not UTF-8, or a gzip
   *     file that is damaged; the message names line, column and value
   * @throws IOException if the stream itself fails
   */
  public static MinuteTrace read(String source, InputStream in) throws IOException {
    return new MinuteTraceReader(source).read(in);
  }
}
