package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a CSV file of the GNWSIS dataset of HLS designs.
 *
 * <p>Resources are whole percent, so small kernels show 0: good for Pareto studies, not for checks
 * of fit. A design that failed is coded as latency 0, as more than 100 %, or as an absurd latency
 * that stands for an undefined one; such rows are counted and left out.
 *
 * @param points the designs that are usable
 * @param failed how many rows were left out
 */
public record GnwsisCsv(List<Point> points, int failed) {
  private static final List<String> COLUMNS =
      List.of(
          "Version",
          "Device",
          "Clock_Period_nsec",
          "Latency_msec",
          "Synthesis_Time_sec",
          "BRAM_Utilization_percentage",
          "DSP_Utilization_percentage",
          "FF_Utilization_percentage",
          "LUT_Utilization_percentage");

  /** Stands for "undef" in the dataset, in microseconds: a million cycles of a million. */
  private static final long UNDEFINED_MICROS = 1_000_000_000L;

  /**
   * Holds one design.
   *
   * @param version name of its source
   * @param device part
   * @param clockPicos clock period
   * @param latencyNanos time of one run
   * @param synthesisSeconds how long the tool took
   * @param bramPercent share of block RAM
   * @param dspPercent share of DSP slices
   * @param ffPercent share of flip-flops
   * @param lutPercent share of look-up tables
   */
  public record Point(
      String version,
      String device,
      long clockPicos,
      long latencyNanos,
      long synthesisSeconds,
      int bramPercent,
      int dspPercent,
      int ffPercent,
      int lutPercent) {
    /** Returns the most the design can occupy of a device: each share rounded up by one percent. */
    public Footprint footprintAtMost(LibraryDevice on) {
      Footprint t = on.total();
      return new Footprint(
          atMost(lutPercent, t.lut()),
          atMost(ffPercent, t.ff()),
          atMost(bramPercent, t.bram()),
          atMost(dspPercent, t.dsp()),
          0);
    }

    private static long atMost(int percent, long total) {
      return Math.min(total, (percent + 1L) * total / 100);
    }
  }

  /** Creates the result. */
  public GnwsisCsv {
    points = List.copyOf(points);
  }

  /** Reads a file. */
  public static GnwsisCsv read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /**
   * Parses the text of a file.
   *
   * @throws InvalidInputException if the text is not of that dataset
   */
  public static GnwsisCsv parse(String text, String source) {
    ReportText report = new ReportText(text, source);
    if (report.lines.isEmpty()
        || !Arrays.asList(report.lines.get(0).strip().split(",", -1)).equals(COLUMNS)) {
      throw InvalidInputException.of(
          source + " line 1",
          report.lines.isEmpty() ? "" : report.lines.get(0),
          "must be the header " + String.join(",", COLUMNS),
          "use a file of the dataset");
    }
    List<Point> points = new ArrayList<>();
    int failed = 0;
    for (int i = 1; i < report.lines.size(); i++) {
      Point point = point(report, i);
      boolean isUndefined = point.latencyNanos >= UNDEFINED_MICROS * 1_000;
      boolean isTooLarge =
          Math.max(
                  Math.max(point.lutPercent, point.ffPercent),
                  Math.max(point.bramPercent, point.dspPercent))
              > 100;
      if (point.latencyNanos == 0 || isUndefined || isTooLarge) {
        failed++;
      } else {
        points.add(point);
      }
    }
    if (points.isEmpty()) {
      throw InvalidInputException.of(
          source, failed + " failed rows", "leave no usable design", "use another file");
    }
    return new GnwsisCsv(points, failed);
  }

  private static Point point(ReportText report, int line) {
    String[] cells = report.lines.get(line).strip().split(",", -1);
    if (cells.length != COLUMNS.size()) {
      throw InvalidInputException.of(
          report.where(line),
          cells.length + " cells",
          "must be " + COLUMNS.size(),
          "restore the line from the dataset");
    }
    long clock = number(report, line, cells, 2, 3);
    if (clock == 0 || cells[0].isBlank() || cells[1].isBlank()) {
      throw InvalidInputException.of(
          report.where(line),
          report.lines.get(line),
          "must name version, device and a clock > 0",
          "restore the line from the dataset");
    }
    return new Point(
        cells[0],
        cells[1],
        clock,
        number(report, line, cells, 3, 6),
        number(report, line, cells, 4, 0),
        percent(report, line, cells, 5),
        percent(report, line, cells, 6),
        percent(report, line, cells, 7),
        percent(report, line, cells, 8));
  }

  private static int percent(ReportText report, int line, String[] cells, int column) {
    return (int) Math.min(1000, number(report, line, cells, column, 0));
  }

  private static long number(ReportText report, int line, String[] cells, int column, int power) {
    return ReportText.scaled(cells[column], power, report.where(line), COLUMNS.get(column));
  }
}
