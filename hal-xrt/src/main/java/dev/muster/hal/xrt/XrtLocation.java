package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says where XRT is on this machine and where it was looked for; found without loading anything.
 *
 * @param libraryFolder the folder that holds the libraries, if they are there
 * @param version version of the library as in its file name, e.g. {@code "2.13.0"}, if found
 * @param looked every place that was looked at with what was found, in order
 */
public record XrtLocation(
    Optional<Path> libraryFolder, Optional<String> version, List<String> looked) {
  /** Names the system property that says where XRT is. */
  public static final String PROPERTY = "dev.muster.xrt.root";

  private static final String LIBRARY = "libxrt_coreutil.so.2";
  private static final Path VENDOR = Path.of("/opt/xilinx/xrt");
  private static final List<String> MULTIARCH = List.of("x86_64-linux-gnu", "aarch64-linux-gnu");

  /** Creates a location with its own copy of the list. */
  public XrtLocation {
    looked = List.copyOf(looked);
  }

  /**
   * Looks in the system property, {@code XILINX_XRT}, the vendor's folder and Debian's folders.
   *
   * @param mode the driver that must be there too
   */
  public static XrtLocation find(XrtMode mode) {
    return find(mode, System.getProperty(PROPERTY), System.getenv(), Path.of("/"));
  }

  /** Looks below another root and with other settings, for tests. */
  static XrtLocation find(
      XrtMode mode, @Nullable String property, Map<String, String> environment, Path slash) {
    List<String> looked = new ArrayList<>();
    List<Path> places = new ArrayList<>();
    List<String> names = new ArrayList<>();
    if (property != null) {
      // What was asked for by name is used or refused, never replaced by something else.
      return check(mode, List.of(Path.of(property, "lib")), List.of(PROPERTY), looked);
    }
    String variable = environment.get("XILINX_XRT");
    if (variable != null && !variable.isBlank()) {
      places.add(Path.of(variable, "lib"));
      names.add("XILINX_XRT");
    }
    places.add(slash.resolve(VENDOR.toString().substring(1)).resolve("lib"));
    names.add("vendor's package");
    for (String triplet : MULTIARCH) {
      places.add(slash.resolve("usr/lib").resolve(triplet));
      names.add("distribution's package");
    }
    return check(mode, places, names, looked);
  }

  private static XrtLocation check(
      XrtMode mode, List<Path> places, List<String> names, List<String> looked) {
    for (int i = 0; i < places.size(); i++) {
      Path folder = places.get(i).toAbsolutePath().normalize();
      String missing =
          !Files.isRegularFile(folder.resolve(LIBRARY))
              ? LIBRARY
              : !Files.isRegularFile(folder.resolve(mode.driverFile())) ? mode.driverFile() : null;
      looked.add(
          folder + " (" + names.get(i) + "): " + (missing == null ? "found" : "no " + missing));
      if (missing == null) {
        return new XrtLocation(Optional.of(folder), version(folder), looked);
      }
    }
    return new XrtLocation(Optional.empty(), Optional.empty(), looked);
  }

  private static Optional<String> version(Path folder) {
    try {
      String name = String.valueOf(folder.resolve(LIBRARY).toRealPath().getFileName());
      int at = name.indexOf(".so.");
      return at < 0 ? Optional.empty() : Optional.of(name.substring(at + 4));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the folder of the libraries.
   *
   * @throws DeviceException of kind UNAVAILABLE that tells where it was looked for
   */
  Path require() {
    return libraryFolder.orElseThrow(
        () ->
            new DeviceException(
                DeviceException.Kind.UNAVAILABLE,
                "XRT is not installed; looked at "
                    + String.join("; ", looked)
                    + ". Install it (Debian, Ubuntu: apt install libxrt1; or the vendor's package),"
                    + " or name its folder: -D"
                    + PROPERTY
                    + "=/opt/xilinx/xrt",
                null));
  }
}
