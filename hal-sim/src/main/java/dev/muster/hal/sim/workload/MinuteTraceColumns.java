package dev.muster.hal.sim.workload;

import de.siegmar.fastcsv.reader.CsvRecord;
import dev.muster.api.InvalidInputException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Knows which column of a per-minute trace holds what, and reads a line by it.
 *
 * @param name index of the column that names the function
 * @param mean index of the column of mean durations
 * @param firstMinute index of the column m0, the others following it
 */
record MinuteTraceColumns(
    String thing, List<String> header, int name, int mean, int firstMinute, int minutes) {
  private static final Pattern MINUTE = Pattern.compile("m[0-9]+");
  private static final int MAX_EXACT_DIGITS = 15;

  /** Reads the header. */
  static MinuteTraceColumns of(String thing, CsvRecord line) {
    List<String> header = List.copyOf(line.getFields());
    int name = find(thing, line, header, "function");
    int mean = find(thing, line, header, "avg_ms");
    int firstMinute = find(thing, line, header, "m0");
    int minutes = countMinutes(thing, line, header, firstMinute);
    if (minutes > MinuteTrace.MAX_MINUTES) {
      throw InvalidInputException.of(
          thing + " minutes",
          minutes,
          "must be at most " + MinuteTrace.MAX_MINUTES,
          "cut the trace");
    }
    return new MinuteTraceColumns(thing, header, name, mean, firstMinute, minutes);
  }

  private static int find(String thing, CsvRecord line, List<String> header, String column) {
    int index = header.indexOf(column);
    if (index < 0 || header.lastIndexOf(column) != index) {
      throw InvalidInputException.of(
          thing + " line " + line.getStartingLineNumber() + " header",
          shorten(header.toString()),
          "must have one column " + column,
          "name the columns function, avg_ms, m0, m1, ...");
    }
    return index;
  }

  private static int countMinutes(String thing, CsvRecord line, List<String> header, int first) {
    int count = 0;
    while (first + count < header.size() && header.get(first + count).equals("m" + count)) {
      count++;
    }
    for (int i = 0; i < header.size(); i++) {
      boolean counted = i >= first && i < first + count;
      if (!counted && MINUTE.matcher(header.get(i)).matches()) {
        throw InvalidInputException.of(
            thing + " line " + line.getStartingLineNumber() + " header, column " + (i + 1),
            shorten(header.get(i)),
            "must continue m0, m1, ... where m" + count + " is due",
            "put the minutes side by side, without a gap");
      }
    }
    return count;
  }

  /** Reads a function from a line. */
  MinuteTrace.Function function(CsvRecord line) {
    if (line.getFieldCount() != header.size()) {
      throw InvalidInputException.of(
          thing + " line " + line.getStartingLineNumber(),
          line.getFieldCount() + " cells",
          "must have " + header.size() + " like the header",
          "complete or shorten the line");
    }
    String function = line.getField(name);
    if (function.isBlank()) {
      throw invalid(
          line, name, "must have 1 to " + MinuteTrace.MAX_CELL + " characters", "name it");
    }
    double millis = number(line, mean);
    if (!(millis > 0 && millis <= MinuteTrace.MAX_MILLIS)) {
      throw invalid(line, mean, "must be above 0 and at most 1e9 ms", "correct the duration");
    }
    double[] counts = new double[minutes];
    for (int minute = 0; minute < minutes; minute++) {
      counts[minute] = number(line, firstMinute + minute);
      if (!(counts[minute] >= 0 && counts[minute] <= MinuteTrace.MAX_RATE)) {
        throw invalid(line, firstMinute + minute, "must be between 0 and 1e9", "correct the count");
      }
    }
    return new MinuteTrace.Function(function, millis, MinuteCounts.wrap(counts));
  }

  private double number(CsvRecord line, int column) {
    String text = line.getField(column);
    long digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9' || i == MAX_EXACT_DIGITS) {
        return decimal(line, column, text);
      }
      digits = 10 * digits + (c - '0');
    }
    return text.isEmpty() ? decimal(line, column, text) : digits;
  }

  /** Reads a number in decimal notation; Java's own hex and suffixed forms are not CSV. */
  private double decimal(CsvRecord line, int column, String text) {
    if (!text.chars().allMatch(c -> (c >= '0' && c <= '9') || "+-.eE".indexOf(c) >= 0)) {
      throw invalid(line, column, "must be a decimal number", "correct the cell");
    }
    try {
      return Double.parseDouble(text) + 0.0; // makes -0 a plain 0
    } catch (NumberFormatException e) {
      throw invalid(line, column, "must be a decimal number", "correct the cell");
    }
  }

  InvalidInputException invalid(CsvRecord line, int column, String limit, String nextStep) {
    return InvalidInputException.of(
        thing + " line " + line.getStartingLineNumber() + ", column " + shorten(header.get(column)),
        '"' + shorten(line.getField(column)) + '"',
        limit,
        nextStep);
  }

  static String shorten(String text) {
    return text.length() <= 80 ? text : text.substring(0, 77) + "...";
  }
}
