package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Turns tool reports into library variants; the kind of a report is told by its file name. */
public final class ReportLibrary {
  private ReportLibrary() {}

  /**
   * Reads the designs of reports that belong together.
   *
   * <p>A timing summary among them must be met, and what {@code xclbinutil --info} printed gives
   * the clock and the bitstream of the routed designs.
   *
   * @throws InvalidInputException if a file is of no known kind, broken, or lacks a time
   */
  public static List<LibraryVariant> read(
      List<Path> files, LibraryDevice device, long runs, long execMillis) {
    List<LibraryVariant> designs = new ArrayList<>();
    XclbinInfo info = null;
    for (Path file : files) {
      String name = nameOf(file);
      if (name.contains("timing_summary") && name.endsWith(".rpt")) {
        requireMet(TimingSummary.read(file), name);
      } else if (name.endsWith(".info")) {
        info = XclbinInfo.read(file);
      } else {
        designs.addAll(read(file, device, runs, execMillis));
      }
    }
    if (designs.isEmpty()) {
      throw InvalidInputException.of(
          "reports",
          files.stream().map(ReportLibrary::nameOf).toList(),
          "hold no resources of a design",
          "add the utilisation report or the HLS report of the same build");
    }
    return info == null ? designs : withBitstream(designs, info);
  }

  private static void requireMet(TimingSummary timing, String name) {
    if (!timing.isMet()) {
      throw InvalidInputException.of(
          name + " worst slack (ps)",
          timing.worstSlackPicos(),
          "is below 0: the design does not run at its clock",
          "lower the clock or close timing before adding it");
    }
  }

  private static List<LibraryVariant> withBitstream(List<LibraryVariant> designs, XclbinInfo info) {
    if (designs.stream().noneMatch(design -> isInside(design, info))) {
      throw InvalidInputException.of(
          "xclbinutil --info: kernels",
          info.units().keySet(),
          "are none of the kernels of the reports",
          "give reports of the build that this bitstream came from");
    }
    int mhz = kernelMhz(info);
    List<LibraryVariant> result = new ArrayList<>();
    for (LibraryVariant design : designs) {
      result.add(
          isInside(design, info)
              ? new LibraryVariant(
                  design.id(),
                  info.uuid(),
                  design.kernel(),
                  design.units(),
                  mhz,
                  design.execMillis(),
                  design.footprint(),
                  design.powerMilliwatts(),
                  design.origin())
              : design);
    }
    return result;
  }

  /**
   * Returns the clock that kernels run at: DATA_CLK; KERNEL_CLK is the second one of RTL kernels.
   */
  private static int kernelMhz(XclbinInfo info) {
    return info.clockMhz().entrySet().stream()
        .filter(clock -> clock.getKey().contains("DATA"))
        .findFirst()
        .or(() -> info.clockMhz().entrySet().stream().findFirst())
        .map(Map.Entry::getValue)
        .orElse(0);
  }

  /** Tells whether a bitstream holds the kernel or compute unit of a design. */
  private static boolean isInside(LibraryVariant design, XclbinInfo info) {
    String name = design.kernel();
    return name != null
        && info.units().entrySet().stream()
            .anyMatch(e -> e.getKey().equals(name) || e.getValue().contains(name));
  }

  /** Returns what all runs of a task take, rounded up. */
  private static long millis(long nanosOfRun, long runs) {
    if (nanosOfRun > Long.MAX_VALUE / runs) {
      throw InvalidInputException.of(
          "runs of a task", runs, "take longer than 292 years", "correct the options");
    }
    return Math.max(1, Math.ceilDiv(nanosOfRun * runs, 1_000_000L));
  }

  private static String nameOf(Path file) {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }

  /**
   * Reads the designs of one report.
   *
   * @param device what the designs are for
   * @param runs kernel runs that make one task, at least 1
   * @param execMillis measured time of one task, 0 when there is none; routed reports need it
   * @throws InvalidInputException if the file is of no known kind, broken, or lacks a time
   */
  public static List<LibraryVariant> read(
      Path file, LibraryDevice device, long runs, long execMillis) {
    if (runs < 1 || execMillis < 0) {
      throw InvalidInputException.of(
          "runs and measured time (ms)",
          runs + ", " + execMillis,
          "must be >= 1 and >= 0",
          "correct the options");
    }
    String name = nameOf(file);
    if (name.endsWith("csynth.xml")) {
      return List.of(variant(CsynthXml.read(file), name, runs, execMillis));
    } else if (name.endsWith("_data.json")) {
      return List.of(variant(SolutionDataJson.read(file, device), name, runs, execMillis));
    } else if (name.endsWith(".xtxt")) {
      return SystemEstimate.read(file).stream()
          .map(report -> variant(report, name, runs, execMillis))
          .toList();
    } else if (name.contains("util") && name.endsWith(".rpt")) {
      return List.of(routed(KernelUtilization.read(file), name, execMillis));
    } else if (name.endsWith(".csv")) {
      return dataset(GnwsisCsv.read(file), device, runs);
    }
    throw InvalidInputException.of(
        file.toString(),
        name,
        "is of no known kind",
        "name it as the tool did: *csynth.xml, *_data.json, *.xtxt, *kernel_util_*.rpt, *.csv");
  }

  private static LibraryVariant variant(
      DesignReport report, String fileName, long runs, long execMillis) {
    long millis = execMillis > 0 ? execMillis : millis(report.latencyNanos(), runs);
    return new LibraryVariant(
        id(report.name() + "@" + fileName),
        null,
        report.name(),
        1,
        (int) (report.clockPicos().isEmpty() ? 0 : 1_000_000 / report.clockPicos().getAsLong()),
        millis,
        report.used(),
        OptionalLong.empty(),
        report.origin());
  }

  /** Takes the designs of the dataset, each at the most its rounded shares can mean. */
  private static List<LibraryVariant> dataset(GnwsisCsv csv, LibraryDevice device, long runs) {
    List<LibraryVariant> designs = new ArrayList<>();
    for (GnwsisCsv.Point point : csv.points()) {
      designs.add(
          new LibraryVariant(
              id(point.version() + "@" + 1_000_000 / point.clockPicos() + "MHz"),
              null,
              null,
              1,
              (int) (1_000_000 / point.clockPicos()),
              millis(point.latencyNanos(), runs),
              point.footprintAtMost(device),
              OptionalLong.empty(),
              Origin.HLS_ESTIMATE));
    }
    return designs;
  }

  /** Takes the units of one link together: they are in one bitstream and share the work. */
  private static LibraryVariant routed(KernelUtilization routed, String fileName, long execMillis) {
    if (execMillis == 0) {
      throw InvalidInputException.of(
          fileName, "no time", "is in a utilisation report", "give the measured --exec-ms");
    }
    Footprint sum =
        routed.units().stream().map(DesignReport::used).reduce(Footprint.NONE, Footprint::plus);
    return new LibraryVariant(
        id(routed.units().get(0).name() + "@" + fileName),
        null,
        routed.units().get(0).name(),
        routed.units().size(),
        0,
        execMillis,
        sum,
        OptionalLong.empty(),
        Origin.MEASURED);
  }

  private static String id(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100);
  }
}
