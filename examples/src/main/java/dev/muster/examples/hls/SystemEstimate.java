package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.Origin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads the estimate that v++ writes when it links, {@code system_estimate_*.xtxt}: one design per
 * compute unit. URAM is absent before 2019; BRAM counts 18 Kb blocks, as HLS does.
 */
public final class SystemEstimate {
  private SystemEstimate() {}

  /** Reads a file. */
  public static List<DesignReport> read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /**
   * Parses a report.
   *
   * @throws InvalidInputException if the text is not such a report
   */
  public static List<DesignReport> parse(String text, String source) {
    ReportText report = new ReportText(text, source);
    String clock = report.value("Target Clock:");
    if (!clock.endsWith("MHz")) {
      throw InvalidInputException.of(
          source + " Target Clock", clock, "must end in MHz", "use an unedited report");
    }
    long kilohertz =
        ReportText.scaled(clock.substring(0, clock.length() - 3), 3, source, "Target Clock");
    if (kilohertz == 0) {
      throw InvalidInputException.of(
          source + " Target Clock", clock, "must be > 0", "use an unedited report");
    }
    List<ReportText.Row> latencies = report.dashed(report.find("Latency Information", 0));
    List<DesignReport> designs = new ArrayList<>();
    for (ReportText.Row area : report.dashed(report.find("Area Information", 0))) {
      String unit = area.text("Compute Unit");
      ReportText.Row latency =
          latencies.stream()
              .filter(row -> row.text("Compute Unit").equals(unit))
              .findFirst()
              .orElseThrow(() -> report.missing("latency of " + unit));
      designs.add(
          new DesignReport(
              source,
              unit,
              report.value("Target Device:"),
              OptionalLong.of(1_000_000_000L / kilohertz),
              ReportText.countOrUnknown(
                  latency.text("Worst (cycles)"), latency.where(), "Worst (cycles)"),
              new Footprint(
                  count(area, "LUT"),
                  count(area, "FF"),
                  count(area, "BRAM"),
                  count(area, "DSP"),
                  area.cells().containsKey("URAM") ? count(area, "URAM") : 0),
              null,
              Origin.HLS_ESTIMATE));
    }
    return designs;
  }

  private static long count(ReportText.Row row, String column) {
    return ReportText.count(row.text(column), row.where(), column);
  }
}
