package dev.muster.hal.sim.joblog;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Standard Workload Format of the Parallel Workloads Archive (Chapin et al., 1999).
 *
 * <p>A line holds a job: 18 numbers between blanks, -1 for unknown; lines that start with a
 * semicolon are comments. Numbers 1 to 15 must be there, and what follows them is ignored, since
 * several logs append columns. Other negative values, which some logs hold by mistake, are read as
 * unknown too, but not for job and submission. Decimals are cut off. Where a log does not say how
 * many processors were requested, the number allocated stands in: jobs of this format are rigid and
 * get what they ask for.
 */
final class SwfReader extends JobReader {
  private static final int COLUMNS = 15;
  private static final String[] NAMES = {
    "job",
    "submit",
    "wait",
    "run",
    "allocated processors",
    "average CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition"
  };
  private static final long MAX_VALUE = 1L << 53;

  private final InputStream in;
  private final long[] values = new long[COLUMNS + 1];
  private byte[] line = new byte[512];
  private int length;
  private long number;

  SwfReader(InputStream in, String source) {
    super(source);
    this.in = in;
  }

  @Override
  @Nullable JobRecord read() throws IOException {
    while (readLine()) {
      int at = skipBlanks(0);
      if (at < length && line[at] != ';') {
        return parse(at);
      }
    }
    return null;
  }

  private boolean readLine() throws IOException {
    length = 0;
    int c = in.read();
    if (c < 0) {
      return false;
    }
    number++;
    for (; c >= 0 && c != '\n'; c = in.read()) {
      if (length == MAX_LINE) {
        throw InvalidInputException.of(
            thing + " line " + number,
            "over " + MAX_LINE + " bytes",
            "is too long",
            "check that this is a log in Standard Workload Format");
      }
      if (length == line.length) {
        line = java.util.Arrays.copyOf(line, Math.min(MAX_LINE, 2 * length));
      }
      line[length++] = (byte) c;
    }
    return true;
  }

  private int skipBlanks(int from) {
    int at = from;
    while (at < length && line[at] <= ' ' && line[at] >= 0) {
      at++;
    }
    return at;
  }

  private JobRecord parse(int from) {
    int at = from;
    values[COLUMNS] = SubmittedJob.UNKNOWN;
    for (int column = 0; column <= COLUMNS; column++) {
      int end = at;
      while (end < length && (line[end] > ' ' || line[end] < 0)) {
        end++;
      }
      if (end > at) {
        values[column] = value(column, at, end);
      } else if (column < COLUMNS) {
        throw InvalidInputException.of(
            thing + " line " + number,
            column + " numbers",
            "must have at least " + COLUMNS,
            "check that this is a log in Standard Workload Format");
      }
      at = skipBlanks(end);
    }
    return job();
  }

  private long value(int column, int from, int to) {
    boolean negative = line[from] == '-';
    int at = negative ? from + 1 : from;
    long value = 0;
    int digits = 0;
    for (; at < to && line[at] >= '0' && line[at] <= '9' && value < MAX_VALUE; at++, digits++) {
      value = 10 * value + line[at] - '0';
    }
    if (at < to && line[at] == '.') {
      for (at++; at < to && line[at] >= '0' && line[at] <= '9'; at++) {
        digits++;
      }
    }
    boolean required = column <= 1;
    if (at < to || digits == 0 || value >= MAX_VALUE || (negative && value > 0 && required)) {
      // Anything may follow the fifteenth number, so the sixteenth need not be one.
      if (column == COLUMNS) {
        return SubmittedJob.UNKNOWN;
      }
      throw InvalidInputException.of(
          thing + " line " + number + ", column " + (column + 1) + " (" + NAMES[column] + ')',
          '"' + text(from, to) + '"',
          "must be a number below 2^53" + (required ? ", at least 0" : ", -1 if unknown"),
          "correct the line");
    }
    return negative ? SubmittedJob.UNKNOWN : value;
  }

  private String text(int from, int to) {
    int end = Math.min(to, from + 40);
    return new String(line, from, end - from, java.nio.charset.StandardCharsets.ISO_8859_1)
        + (end < to ? "..." : "");
  }

  private JobRecord job() {
    long[] v = values;
    long processors = v[7] > 0 ? v[7] : v[4];
    return new JobRecord(
        new SubmittedJob(
            v[0], v[1], processors, v[8], v[9], v[11], v[12], v[13], v[14], v[COLUMNS]),
        new JobOutcome(v[2], v[3], v[4], v[10]));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
