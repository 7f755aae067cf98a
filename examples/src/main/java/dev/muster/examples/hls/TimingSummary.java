package dev.muster.examples.hls;

import dev.muster.api.InvalidInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads a timing summary of Vivado after routing, {@code *timing_summary_routed.rpt}.
 *
 * @param worstSlackPicos worst negative slack; the clocks hold only if it is not below 0
 * @param periodPicos period by clock
 */
public record TimingSummary(long worstSlackPicos, SortedMap<String, Long> periodPicos) {
  /** Reads a file. */
  public static TimingSummary read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /**
   * Parses a report.
   *
   * @throws InvalidInputException if the text is not such a report
   */
  public static TimingSummary parse(String text, String source) {
    ReportText report = new ReportText(text, source);
    int header = report.find("WNS(ns)", report.find("Design Timing Summary", 0));
    if (header + 2 >= report.lines.size()) {
      throw report.missing("values below WNS(ns)");
    }
    String[] values = report.lines.get(header + 2).strip().split("\\s+", -1);
    String slack = values[0];
    boolean isNegative = slack.startsWith("-");
    long picos =
        ReportText.scaled(
            isNegative ? slack.substring(1) : slack, 3, report.where(header + 2), "WNS(ns)");
    SortedMap<String, Long> periods = new TreeMap<>();
    int clocks = report.find("Clock Summary", header);
    int columns = report.find("Period(ns)", clocks);
    List<ReportText.Row> rows = report.dashed(columns - 1);
    for (ReportText.Row row : rows) {
      long period = ReportText.scaled(row.text("Period(ns)"), 3, row.where(), "Period(ns)");
      if (period == 0) {
        throw InvalidInputException.of(
            row.where() + " Period(ns)", 0, "must be > 0", "use an unedited report");
      }
      periods.put(row.text("Clock"), period);
    }
    return new TimingSummary(isNegative ? -picos : picos, periods);
  }

  /** Tells whether the design runs at its clocks. */
  public boolean isMet() {
    return worstSlackPicos >= 0;
  }
}
