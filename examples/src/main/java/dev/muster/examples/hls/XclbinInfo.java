package dev.muster.examples.hls;

import dev.muster.api.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads what {@code xclbinutil --info} prints: kernels, compute units and clocks, no resources.
 *
 * @param uuid identifies the bitstream
 * @param platform the platform's VBNV name
 * @param units compute units by kernel
 * @param clockMhz frequency by clock name
 */
public record XclbinInfo(
    String uuid,
    String platform,
    SortedMap<String, List<String>> units,
    SortedMap<String, Integer> clockMhz) {
  /** Reads a file. */
  public static XclbinInfo read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /**
   * Parses the text.
   *
   * @throws InvalidInputException if the text is not such information
   */
  public static XclbinInfo parse(String text, String source) {
    ReportText report = new ReportText(text, source);
    String uuid = report.value("UUID (xclbin):");
    if (!uuid.matches("[0-9a-fA-F-]{32,36}")) {
      throw InvalidInputException.of(
          source + " UUID (xclbin)", uuid, "must be a UUID", "use unedited output");
    }
    SortedMap<String, List<String>> units = new TreeMap<>();
    for (String kernel : report.value("Kernels:").split("\\s*,\\s*", -1)) {
      units.put(kernel, new ArrayList<>());
    }
    readUnits(report, units);
    return new XclbinInfo(uuid, report.value("Platform VBNV:"), units, clocks(report));
  }

  private static void readUnits(ReportText report, SortedMap<String, List<String>> units) {
    List<String> current = List.of();
    for (int i = 0; i < report.lines.size(); i++) {
      String line = report.lines.get(i).strip();
      if (line.startsWith("Kernel:")) {
        String kernel = line.substring("Kernel:".length()).strip();
        List<String> known = units.get(kernel);
        if (known == null) {
          throw InvalidInputException.of(
              report.where(i), kernel, "must be one of " + units.keySet(), "use unedited output");
        }
        current = known;
      } else if (line.startsWith("Instance:")) {
        String unit = line.substring("Instance:".length()).strip();
        if (unit.isEmpty() || units.values().stream().noneMatch(isSame(current))) {
          throw InvalidInputException.of(
              report.where(i), line, "must name a unit below a kernel", "use unedited output");
        }
        current.add(unit);
      }
    }
    units.forEach(
        (kernel, list) -> {
          if (list.isEmpty()) {
            throw report.missing("Instance: of kernel " + kernel);
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // asks which list it is, not what is in it
  private static java.util.function.Predicate<List<String>> isSame(List<String> list) {
    return other -> other == list;
  }

  /** Reads the clocks; the heading is "Scalable Clocks", in old versions "Clocks". */
  private static SortedMap<String, Integer> clocks(ReportText report) {
    SortedMap<String, Integer> clocks = new TreeMap<>();
    String name = "";
    int start =
        Arrays.asList("Scalable Clocks", "Clocks").stream()
            .filter(h -> report.lines.stream().anyMatch(line -> line.strip().equals(h)))
            .mapToInt(h -> report.find(h, 0))
            .findFirst()
            .orElseThrow(() -> report.missing("Scalable Clocks"));
    for (int i = start; i < report.lines.size(); i++) {
      String line = report.lines.get(i).strip();
      if (line.startsWith("Kernel:")) {
        break;
      } else if (line.startsWith("Name:")) {
        name = line.substring("Name:".length()).strip();
      } else if (line.startsWith("Frequency:")) {
        String mhz = line.substring("Frequency:".length()).replace("MHz", "").strip();
        long value = ReportText.count(mhz, report.where(i), "Frequency");
        if (name.isEmpty() || value == 0 || value > 10_000) {
          throw InvalidInputException.of(
              report.where(i),
              line,
              "must give a named clock 1 to 10000 MHz",
              "use unedited output");
        }
        clocks.put(name, (int) value);
      }
    }
    if (clocks.isEmpty()) {
      throw report.missing("Frequency: of a clock");
    }
    return clocks;
  }
}
