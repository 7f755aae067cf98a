package dev.muster.hal.sim.device;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fits a kernel's free parameters to measured throughput and power by least squares.
 *
 * <p>The model of n units: {@code 1 / throughput(n) = overhead + 1 / (n * bandwidth)}, in seconds a
 * unit of data: each unit brings its effective memory bandwidth, and the overhead (transfer,
 * launch) does not shrink with n. {@code power(n) = static + n * dynamic}. Both are linear in their
 * parameters once written in {@code 1 / bandwidth}, so the normal equations of a weighted line are
 * the exact minimum, and no iterative solver is needed. Throughput is weighted for relative errors.
 *
 * @param kernel name of the kernel
 * @param bandwidthPerUnit effective memory bandwidth of a unit, in the rows' unit of throughput
 * @param overheadSeconds time a unit of data that units do not shorten, at least 0
 * @param staticWatts power without units
 * @param unitWatts power of a unit
 * @param rows measured rows
 */
public record Calibration(
    String kernel,
    double bandwidthPerUnit,
    double overheadSeconds,
    double staticWatts,
    double unitWatts,
    List<Row> rows) {
  /** Counts the parameters of each of the two lines. */
  public static final int PARAMETERS = 2;

  private static final int MAX_ROWS = 10_000;

  /** Copies the rows. */
  public Calibration {
    rows = List.copyOf(rows);
  }

  /**
   * Holds a measurement.
   *
   * @param kernel name of the kernel
   * @param units compute units, at least 1
   * @param throughput data a second in any unit, above 0
   * @param watts power, at least 0
   */
  public record Row(String kernel, int units, double throughput, double watts) {
    /** Checks the ranges. */
    public Row {
      KernelModel.require("units of " + kernel, units, 1, 100_000);
      if (!(throughput > 0 && throughput < 1e18 && watts >= 0 && watts < 1e9)) {
        throw InvalidInputException.of(
            "row of " + kernel,
            throughput + ", " + watts,
            "must have a throughput above 0 and a power of at least 0",
            "correct the row");
      }
    }
  }

  /** Returns the throughput that the model says. */
  public double throughput(int units) {
    return 1 / (overheadSeconds + 1 / (bandwidthPerUnit * units));
  }

  /** Returns the power in watts that the model says. */
  public double watts(int units) {
    return staticWatts + units * unitWatts;
  }

  /** Returns the largest relative error of throughput over the rows; 0.05 is 5 %. */
  public double worstThroughputError() {
    return rows.stream()
        .mapToDouble(row -> Math.abs(throughput(row.units()) / row.throughput() - 1))
        .max()
        .orElse(0);
  }

  /**
   * Returns whether there are no more distinct unit counts than parameters, so that the fit proves
   * nothing.
   */
  public boolean exactByConstruction() {
    return rows.stream().mapToInt(Row::units).distinct().count() <= PARAMETERS;
  }

  /** Fits each kernel of the rows, in order of first appearance. */
  public static List<Calibration> fit(List<Row> rows) {
    KernelModel.require("rows to calibrate", rows.size(), 1, MAX_ROWS);
    Map<String, List<Row>> byKernel = new LinkedHashMap<>();
    for (Row row : rows) {
      byKernel.computeIfAbsent(row.kernel(), any -> new ArrayList<>()).add(row);
    }
    return byKernel.entrySet().stream().map(e -> fitOne(e.getKey(), e.getValue())).toList();
  }

  private static Calibration fitOne(String kernel, List<Row> rows) {
    if (rows.stream().mapToInt(Row::units).distinct().count() < PARAMETERS) {
      throw InvalidInputException.of(
          "rows of kernel " + kernel,
          rows.size(),
          "must have at least 2 different numbers of units",
          "measure another variant");
    }
    Line time = new Line();
    Line power = new Line();
    for (Row row : rows) {
      time.add(1.0 / row.units(), 1 / row.throughput(), row.throughput() * row.throughput());
      power.add(row.units(), row.watts(), 1);
    }
    double slope = time.slope();
    double overhead = time.intercept();
    if (overhead < 0) {
      overhead = 0;
      slope = time.slopeThroughOrigin();
    }
    if (!(slope > 0)) {
      throw InvalidInputException.of(
          "rows of kernel " + kernel,
          "throughput",
          "must grow with the units",
          "check that the columns are kernel, units, throughput, watts");
    }
    return new Calibration(kernel, 1 / slope, overhead, power.intercept(), power.slope(), rows);
  }

  /**
   * Reads rows: kernel, units, throughput, watts, separated by commas; comments after a hash.
   *
   * @param lines the file's lines
   * @param source the name that messages use
   */
  public static List<Row> parse(List<String> lines, String source) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String raw = lines.get(i);
      int hash = raw.indexOf('#');
      String text = (hash < 0 ? raw : raw.substring(0, hash)).strip();
      if (text.isEmpty() || text.startsWith("kernel,")) {
        continue;
      }
      rows.add(parseRow(text, source + " line " + (i + 1)));
      KernelModel.require("rows of " + source, rows.size(), 1, MAX_ROWS);
    }
    return rows;
  }

  private static Row parseRow(String text, String where) {
    String[] cells = text.split(",", -1);
    try {
      if (cells.length == 4) {
        return new Row(
            cells[0].strip(),
            Integer.parseInt(cells[1].strip()),
            Double.parseDouble(cells[2].strip()),
            Double.parseDouble(cells[3].strip()));
      }
    } catch (NumberFormatException e) {
      throw InvalidInputException.of(
          where, '"' + text + '"', "must be numbers after the name", "correct the line");
    }
    throw InvalidInputException.of(
        where, '"' + text + '"', "must be kernel, units, throughput, watts", "correct the line");
  }

  /** Sums a weighted least-squares line. */
  private static final class Line {
    private double weight;
    private double x;
    private double y;
    private double xx;
    private double xy;

    void add(double atX, double atY, double w) {
      weight += w;
      x += w * atX;
      y += w * atY;
      xx += w * atX * atX;
      xy += w * atX * atY;
    }

    double slope() {
      return (weight * xy - x * y) / (weight * xx - x * x);
    }

    double slopeThroughOrigin() {
      return xy / xx;
    }

    double intercept() {
      return (y - slope() * x) / weight;
    }
  }
}
