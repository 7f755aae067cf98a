package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says which XRT a process uses and how.
 *
 * @param mode which driver
 * @param root folder that has XRT's {@code lib} below it, or {@code null} to look for one
 * @param emulation what the software emulation needs, else {@code null}
 * @param settings numbers for {@code xrt.ini} keys such as {@code Runtime.noop_completion_delay_us}
 */
public record XrtOptions(
    XrtMode mode,
    @Nullable Path root,
    @Nullable Emulation emulation,
    Map<String, Integer> settings) {
  /**
   * Creates options.
   *
   * @throws InvalidInputException if software emulation lacks its folders or a number is negative
   */
  public XrtOptions {
    settings = Map.copyOf(new TreeMap<>(settings));
    if (mode == XrtMode.SOFTWARE_EMULATION && emulation == null) {
      throw InvalidInputException.of(
          "XRT emulation", null, "must be given in mode " + mode, "name its folders");
    }
    settings.forEach(
        (key, value) -> {
          if (value < 0) {
            throw InvalidInputException.of("XRT setting " + key, value, "must be >= 0", "fix it");
          }
        });
  }

  /**
   * Locates what the software emulation needs.
   *
   * @param vitis folder that has the device program at {@code
   *     data/emulation/unified/cpu_em/generic_pcie/model/genericpciemodel}
   * @param cards folder that has the {@code emconfig.json} which says how many cards there are
   * @param runs folder to run device processes in
   * @param user names the folder of sockets below {@code /tmp}; unique to this process
   */
  public record Emulation(Path vitis, Path cards, Path runs, String user) {
    /** Returns the device program. */
    Path program() {
      return vitis.resolve("data/emulation/unified/cpu_em/generic_pcie/model/genericpciemodel");
    }
  }

  /** Uses real cards, with XRT wherever it is found. */
  public static XrtOptions ofHardware() {
    return new XrtOptions(XrtMode.HARDWARE, null, null, Map.of());
  }

  /** Uses the driver that computes nothing, with XRT wherever it is found. */
  public static XrtOptions ofNoop() {
    return new XrtOptions(XrtMode.NOOP, null, null, Map.of());
  }

  /** Returns these options with a folder that has XRT's {@code lib} below it. */
  public XrtOptions withRoot(Path value) {
    return new XrtOptions(mode, value, emulation, settings);
  }

  /** Returns these options with one more number for {@code xrt.ini}. */
  public XrtOptions withSetting(String key, int value) {
    Map<String, Integer> more = new TreeMap<>(settings);
    more.put(key, value);
    return new XrtOptions(mode, root, emulation, more);
  }
}
