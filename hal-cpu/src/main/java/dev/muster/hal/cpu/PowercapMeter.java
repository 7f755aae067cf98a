package dev.muster.hal.cpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the energy counters of the processor packages (RAPL) through Linux's powercap files.
 *
 * <p>Every package zone {@code intel-rapl:N} under the root has a counter {@code energy_uj} in
 * microjoules that wraps at {@code max_energy_range_uj}; sub-zones are parts of their package and
 * are not added. A wrap between two readings is corrected, two are not: read at least once in the
 * minutes a wrap takes. Safe for all threads.
 */
public final class PowercapMeter {
  /** Names where Linux shows the counters. */
  public static final Path DEFAULT_ROOT = Path.of("/sys/class/powercap");

  private static final int MAX_DIGITS = 20;

  private final List<Zone> zones;

  private PowercapMeter(List<Zone> zones) {
    this.zones = zones;
  }

  /**
   * Opens the counters under a root.
   *
   * @param root {@link #DEFAULT_ROOT}, or a folder with the same layout
   * @return empty if there is no counter there or one of them cannot be read (on many systems only
   *     by root)
   */
  public static Optional<PowercapMeter> open(Path root) {
    List<Zone> zones = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(root, "intel-rapl:*")) {
      for (Path folder : all) {
        if (String.valueOf(folder.getFileName()).matches("intel-rapl:\\d+")
            && number(folder.resolve("max_energy_range_uj")) > 0
            && isPackage(folder)) {
          zones.add(new Zone(folder));
        }
      }
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
    zones.sort(Comparator.comparing(zone -> zone.folder));
    return zones.isEmpty() ? Optional.empty() : Optional.of(new PowercapMeter(List.copyOf(zones)));
  }

  /** Returns the names of the zones that are added up. */
  public List<String> zones() {
    return zones.stream().map(zone -> String.valueOf(zone.folder.getFileName())).toList();
  }

  /** Returns the energy since the meter was opened, in joules; empty if a read fails. */
  public Optional<Double> joules() {
    Reading reading = read(0);
    return reading == null ? Optional.empty() : Optional.of(reading.joules());
  }

  synchronized @Nullable Reading read(long mark) {
    long sum = 0;
    try {
      for (Zone zone : zones) {
        sum += zone.microjoules();
      }
    } catch (IOException | NumberFormatException e) {
      return null;
    }
    return new Reading(sum * 1e-6, mark);
  }

  /** Tells a package from the platform zone, which contains the packages. */
  private static boolean isPackage(Path folder) throws IOException {
    return text(folder.resolve("name")).startsWith("package");
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(text(file));
  }

  private static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(MAX_DIGITS), StandardCharsets.US_ASCII).strip();
    }
  }

  /**
   * Holds the energy since opening, and what the reader wants to remember with it.
   *
   * @param joules energy in joules
   * @param mark the reader's
   */
  record Reading(double joules, long mark) {}

  /** Follows one counter across its wraps. */
  private static final class Zone {
    final Path folder;
    private final long range;
    private long last;
    private long total;

    Zone(Path folder) throws IOException {
      this.folder = folder;
      range = number(folder.resolve("max_energy_range_uj"));
      last = number(folder.resolve("energy_uj"));
    }

    long microjoules() throws IOException {
      long now = number(folder.resolve("energy_uj"));
      total += now >= last ? now - last : now + range - last;
      last = now;
      return total;
    }
  }
}
