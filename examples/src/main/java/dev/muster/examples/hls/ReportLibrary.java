package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Turns tool reports into library variants; the kind of a report is told by its file name. */
public final class ReportLibrary {
  private ReportLibrary() {}

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
    Path fileName = file.getFileName();
    String name = fileName == null ? "" : fileName.toString();
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
    }
    throw InvalidInputException.of(
        file.toString(),
        name,
        "is of no known kind",
        "name it as the tool did: *csynth.xml, *_data.json, *.xtxt or *kernel_util_*.rpt");
  }

  private static LibraryVariant variant(
      DesignReport report, String fileName, long runs, long execMillis) {
    long millis =
        execMillis > 0
            ? execMillis
            : Math.max(
                1, Math.ceilDiv(Math.multiplyExact(report.latencyNanos(), runs), 1_000_000L));
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
