package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.Origin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the utilisation of kernels after place and route, {@code impl_1_kernel_util_routed.rpt} and
 * its placed and full forms.
 *
 * <p>Block RAM counts 36 Kb blocks here, halves included, and becomes 18 Kb ones. What the platform
 * leaves is the row "User Budget": the right capacity to plan with, not the whole device.
 *
 * @param budget what the platform leaves to kernels
 * @param units the compute units, without the sums per kernel
 */
public record KernelUtilization(Footprint budget, List<DesignReport> units) {
  private static final Pattern CELL =
      Pattern.compile("([0-9]{1,12}(?:\\.[05]0*)?)\\s*(?:\\[\\s*([0-9.<]{1,8})\\s*%\\s*\\])?");

  /** Creates the result. */
  public KernelUtilization {
    units = List.copyOf(units);
  }

  /** Reads a file. */
  public static KernelUtilization read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /**
   * Parses a report.
   *
   * @throws InvalidInputException if the text is not such a report
   */
  public static KernelUtilization parse(String text, String source) {
    ReportText report = new ReportText(text, source);
    Footprint budget = null;
    List<DesignReport> units = new ArrayList<>();
    @Nullable String kernel = null;
    for (ReportText.Row row : report.barred("LUT")) {
      String name = row.text("Name");
      switch (name) {
        case "Platform", "Used Resources", "Unused Resources" -> footprint(row);
        case "User Budget" -> budget = footprint(row);
        default -> {
          boolean isUnit = kernel != null && name.startsWith(kernel + "_");
          if (isUnit) {
            units.add(
                new DesignReport(
                    source,
                    name,
                    null,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    footprint(row),
                    null,
                    Origin.ROUTED));
          } else {
            kernel = name.replaceFirst("\\s*\\([0-9]+\\)$", "");
            footprint(row);
          }
        }
      }
    }
    if (budget == null) {
      throw report.missing("User Budget");
    }
    if (units.isEmpty()) {
      throw report.missing("row of a compute unit");
    }
    return new KernelUtilization(budget, units);
  }

  private static Footprint footprint(ReportText.Row row) {
    return new Footprint(
        cell(row, "LUT", 1),
        cell(row, "REG", 1),
        cell(row, "BRAM", 2),
        cell(row, "DSP", 1),
        row.cells().containsKey("URAM") ? cell(row, "URAM", 1) : 0);
  }

  private static long cell(ReportText.Row row, String column, int unitsEach) {
    String text = row.text(column);
    Matcher matcher = CELL.matcher(text);
    if (!matcher.matches()) {
      throw InvalidInputException.of(
          row.where() + ' ' + column,
          text,
          "must look like \"123 [ 4.56%]\"",
          "use an unedited report");
    }
    long tenths = ReportText.scaled(matcher.group(1), 1, row.where(), column);
    if (tenths * unitsEach % 10 != 0) {
      throw InvalidInputException.of(
          row.where() + ' ' + column, text, "must be whole", "use an unedited report");
    }
    return tenths * unitsEach / 10;
  }
}
