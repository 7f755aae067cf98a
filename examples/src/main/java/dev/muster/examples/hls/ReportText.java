package dev.muster.examples.hls;

import dev.muster.api.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Finds fields and tables in a plain-text report, with the line number in every message.
 *
 * <p>Two kinds of tables occur: columns under dashes, and cells between bars.
 */
final class ReportText {
  private static final int MAX_LINES = 500_000;
  private static final int MAX_NUMBER_LENGTH = 24;

  final String source;
  final List<String> lines;

  ReportText(String text, String source) {
    this.source = source;
    this.lines = text.lines().limit(MAX_LINES + 1L).toList();
    if (lines.size() > MAX_LINES) {
      throw InvalidInputException.of(
          source, "more than " + MAX_LINES + " lines", "is too long", "is it a report?");
    }
  }

  /**
   * Holds one row by column name.
   *
   * @param cells trimmed cells
   * @param where file and line
   */
  record Row(Map<String, String> cells, String where) {
    String text(String column) {
      String cell = cells.get(column);
      if (cell == null || cell.isEmpty()) {
        throw InvalidInputException.of(
            where, "column " + column, "is missing", "use an unedited report");
      }
      return cell;
    }
  }

  /** Returns the value after the first line that begins with a label. */
  String value(String label) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith(label)) {
        String value = line.substring(label.length()).strip();
        if (!value.isEmpty()) {
          return value;
        }
        throw InvalidInputException.of(where(i), label, "has no value", "use an unedited report");
      }
    }
    throw missing(label);
  }

  /** Returns the index of the first line from a position on that contains a text. */
  int find(String text, int from) {
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).contains(text)) {
        return i;
      }
    }
    throw missing(text);
  }

  String where(int line) {
    return source + " line " + (line + 1);
  }

  InvalidInputException missing(String what) {
    return InvalidInputException.of(
        source, '"' + what + '"', "is missing", "use a complete report of the kind named");
  }

  /** Reads the rows under the dashes that follow a heading, up to a blank or dashed line. */
  List<Row> dashed(int heading) {
    int dashes = heading + 1;
    while (dashes < lines.size() && !isDashes(lines.get(dashes))) {
      if (++dashes > heading + 6) {
        throw missing("line of dashes below " + lines.get(heading).strip());
      }
    }
    if (dashes >= lines.size()) {
      throw missing("line of dashes below " + lines.get(heading).strip());
    }
    List<int[]> spans = spans(lines.get(dashes));
    List<Row> rows = new ArrayList<>();
    for (int i = dashes + 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isBlank() || line.startsWith("---")) {
        break;
      }
      rows.add(row(lines.get(dashes - 1), line, spans, where(i)));
    }
    if (rows.isEmpty()) {
      throw InvalidInputException.of(
          where(dashes), lines.get(heading).strip(), "has no rows", "use a complete report");
    }
    return rows;
  }

  private static boolean isDashes(String line) {
    return !line.isBlank() && line.chars().allMatch(c -> c == '-' || c == ' ');
  }

  private static List<int[]> spans(String dashes) {
    List<int[]> spans = new ArrayList<>();
    int start = -1;
    for (int i = 0; i <= dashes.length(); i++) {
      boolean inside = i < dashes.length() && dashes.charAt(i) == '-';
      if (inside && start < 0) {
        start = i;
      } else if (!inside && start >= 0) {
        spans.add(new int[] {start, i});
        start = -1;
      }
    }
    return spans;
  }

  /** Takes each column from its dashes to the next column's, since cells may be wider. */
  private static Row row(String header, String line, List<int[]> spans, String where) {
    Map<String, String> cells = new LinkedHashMap<>();
    for (int i = 0; i < spans.size(); i++) {
      int end = i + 1 < spans.size() ? spans.get(i + 1)[0] : Integer.MAX_VALUE;
      cells.put(cut(header, spans.get(i)[0], end), cut(line, spans.get(i)[0], end));
    }
    return new Row(cells, where);
  }

  private static String cut(String line, int start, int end) {
    return start >= line.length()
        ? ""
        : line.substring(start, Math.min(end, line.length())).strip();
  }

  /** Reads the first table with bars whose header holds a column. */
  List<Row> barred(String column) {
    List<String> header = List.of();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.startsWith("|")) {
        if (!rows.isEmpty() && !line.startsWith("+")) {
          break;
        }
        continue;
      }
      List<String> cells =
          Arrays.stream(line.substring(1).split("\\|", -1)).map(String::strip).toList();
      if (header.isEmpty()) {
        header = cells.contains(column) ? cells : header;
        continue;
      }
      if (cells.size() != header.size()) {
        throw InvalidInputException.of(
            where(i),
            cells.size() + " cells",
            "must be as many as the header's " + header.size(),
            "use an unedited report");
      }
      Map<String, String> row = new LinkedHashMap<>();
      for (int c = 0; c < cells.size(); c++) {
        row.put(header.get(c), cells.get(c));
      }
      rows.add(new Row(row, where(i)));
    }
    if (header.isEmpty()) {
      throw missing("table with column " + column);
    }
    if (rows.isEmpty()) {
      throw InvalidInputException.of(source, "the table", "has no rows", "use a complete report");
    }
    return rows;
  }

  /** Parses a count. */
  static long count(String text, String where, String what) {
    return scaled(text, 0, where, what);
  }

  /** Parses a count that the tool may not know: {@code undef}, {@code ?}, {@code -}, or digits. */
  static OptionalLong countOrUnknown(String text, String where, String what) {
    return isUnknown(text) ? OptionalLong.empty() : OptionalLong.of(count(text, where, what));
  }

  static boolean isUnknown(String text) {
    return switch (text.strip()) {
      case "undef", "?", "-", "N/A", "~" -> true;
      default -> false;
    };
  }

  /** Parses a decimal number and scales it by a power of ten, rounded half up. */
  static long scaled(String text, int power, String where, String what) {
    String digits = text.strip();
    if (digits.length() <= MAX_NUMBER_LENGTH && digits.matches("-?[0-9]+(\\.[0-9]+)?")) {
      BigDecimal value =
          new BigDecimal(digits).scaleByPowerOfTen(power).setScale(0, RoundingMode.HALF_UP);
      if (value.signum() >= 0 && value.compareTo(BigDecimal.valueOf(1L << 53)) <= 0) {
        return value.longValueExact();
      }
    }
    throw InvalidInputException.of(
        where + ' ' + what, text, "must be a number >= 0", "use an unedited report");
  }
}
