package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.Origin;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the solution data of Vitis HLS, {@code <solution>_data.json}.
 *
 * <p>Resources come as counts where the tool wrote them, else as shares in whole percent ({@code
 * "~0"} for less than one), which need the device's totals and are rounded up.
 */
public final class SolutionDataJson {
  private SolutionDataJson() {}

  /**
   * Reads a file.
   *
   * @param device totals for reports that give percent only, or {@code null}
   */
  public static DesignReport read(Path file, @Nullable LibraryDevice device) {
    return parse(ReportFile.read(file), file.toString(), device);
  }

  /**
   * Parses a report.
   *
   * @throws InvalidInputException if the text is not such a report
   */
  public static DesignReport parse(String text, String source, @Nullable LibraryDevice device) {
    JsonNode root = LibraryJson.tree(text, source);
    JsonNode metrics = required(required(root, "ModuleInfo", source), "Metrics", source);
    String top = top(root, metrics, source);
    JsonNode area = required(required(metrics, top, source + " Metrics"), "Area", source);
    JsonNode clock = required(root, "ClockInfo", source);
    String period = text(clock, "ClockPeriod", source);
    long picos = ReportText.scaled(period, 3, source, "ClockInfo/ClockPeriod");
    if (picos == 0) {
      throw InvalidInputException.of(
          source + " ClockInfo/ClockPeriod", period, "must be > 0", "use an unedited file");
    }
    return new DesignReport(
        source,
        top,
        null,
        OptionalLong.of(picos),
        ReportText.countOrUnknown(text(clock, "Latency", source), source, "ClockInfo/Latency"),
        footprint(area, source, device),
        null,
        Origin.HLS_ESTIMATE);
  }

  private static String top(JsonNode root, JsonNode metrics, String source) {
    if (root.hasNonNull("Top")) {
      return root.get("Top").asString();
    }
    Iterator<String> names = metrics.propertyNames().iterator();
    if (names.hasNext()) {
      String only = names.next();
      if (!names.hasNext()) {
        return only;
      }
    }
    throw InvalidInputException.of(
        source, "Top", "is missing", "add the name of the top function as \"Top\"");
  }

  private static Footprint footprint(JsonNode area, String source, @Nullable LibraryDevice device) {
    Footprint total = device == null ? null : device.total();
    return new Footprint(
        count(area, "LUT", "LUT", total == null ? -1 : total.lut(), source),
        count(area, "FF", "FF", total == null ? -1 : total.ff(), source),
        count(area, "BRAM_18K", "BRAM", total == null ? -1 : total.bram(), source),
        count(area, "DSP", "DSP", total == null ? -1 : total.dsp(), source),
        area.has("URAM") || area.has("UTIL_URAM")
            ? count(area, "URAM", "URAM", total == null ? -1 : total.uram(), source)
            : 0);
  }

  private static long count(JsonNode area, String name, String unit, long total, String source) {
    if (area.hasNonNull(name)) {
      return ReportText.count(text(area, name, source), source, "Area/" + name);
    }
    String share = text(area, "UTIL_" + unit, source);
    long available =
        area.hasNonNull("AVAIL_" + unit)
            ? ReportText.count(text(area, "AVAIL_" + unit, source), source, "AVAIL_" + unit)
            : total;
    if (available < 0) {
      throw InvalidInputException.of(
          source + " Area/UTIL_" + unit,
          share,
          "is a share of an unknown device",
          "name the device, e.g. with --device");
    }
    long percent = share.equals("~0") ? 1 : ReportText.count(share, source, "UTIL_" + unit);
    if (percent > 100) {
      throw InvalidInputException.of(
          source + " Area/UTIL_" + unit,
          share,
          "exceeds the device",
          "drop the design, it cannot be built");
    }
    return Math.ceilDiv(Math.multiplyExact(percent, available), 100L);
  }

  private static String text(JsonNode node, String name, String source) {
    JsonNode value = required(node, name, source);
    if (!value.isString() && !value.isNumber()) {
      throw InvalidInputException.of(
          source + ' ' + name, value, "must be a text or number", "use an unedited file");
    }
    return value.asString();
  }

  private static JsonNode required(JsonNode node, String name, String source) {
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      throw InvalidInputException.of(
          source, name, "is missing", "use the data file next to the solution");
    }
    return value;
  }
}
