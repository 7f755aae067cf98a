package dev.muster.hal.xrt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Views one card through the files that its driver shows; no native code is involved.
 *
 * <p>The driver refreshes what it shows once a second, so reading more often gives nothing new. A
 * sensor that is absent or shows 0, which is how the driver shows an absent one, has no reading.
 *
 * @param bdf its PCIe address, which names it for good
 * @param folder where its files are
 */
public record PciCard(String bdf, Path folder) {
  /** Names where Linux shows PCIe devices. */
  public static final Path DEFAULT_ROOT = Path.of("/sys/bus/pci/devices");

  private static final String DRIVER = "xocl";
  private static final double PLAUSIBLE_WATTS = 1000;

  /**
   * Finds the cards whose user function has XRT's driver.
   *
   * @param root {@link #DEFAULT_ROOT}, or a folder with the same layout
   * @return by address; empty if there is none, or no such folder
   */
  public static List<PciCard> find(Path root) {
    List<PciCard> cards = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
      for (Path folder : all) {
        Path driver = folder.resolve("driver");
        if (Files.exists(driver)
            && String.valueOf(driver.toRealPath().getFileName()).equals(DRIVER)) {
          cards.add(new PciCard(String.valueOf(folder.getFileName()), folder));
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    cards.sort(Comparator.comparing(PciCard::bdf));
    return List.copyOf(cards);
  }

  /** Returns the name of the shell, if the driver shows one. */
  public Optional<String> platform() {
    return text("rom*", "VBNV");
  }

  /** Returns the power of the whole card in watts, as its controller measured it. */
  public OptionalDouble powerWatts() {
    OptionalDouble own = scaled(text("xmc*", "xmc_power"), 1e-6);
    OptionalDouble watts = own.isPresent() ? own : scaled(hwmon("power1_input"), 1e-6);
    return watts.isPresent() && watts.getAsDouble() > PLAUSIBLE_WATTS
        ? OptionalDouble.empty()
        : watts;
  }

  /** Returns where power readings come from, with their resolution in time. */
  public String powerSource() {
    return scaled(text("xmc*", "xmc_power"), 1e-6).isPresent()
        ? "xmc_power, card controller, 1 s"
        : hwmon("power1_input").isPresent() ? "hwmon power1_input, 1 s" : "none";
  }

  /** Returns the temperature of the FPGA in degrees Celsius. */
  public OptionalDouble temperatureCelsius() {
    return scaled(text("xmc*", "xmc_fpga_temp"), 1);
  }

  private Optional<String> hwmon(String file) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder.resolve("hwmon"), "hwmon*")) {
      for (Path one : all) {
        Optional<String> text = read(one.resolve(file));
        if (text.isPresent()) {
          return text;
        }
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<String> text(String subdevice, String file) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, subdevice)) {
      for (Path one : all) {
        Optional<String> text = read(one.resolve(file));
        if (text.isPresent()) {
          return text;
        }
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static Optional<String> read(Path file) {
    try (var in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(128), StandardCharsets.US_ASCII).strip();
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static OptionalDouble scaled(Optional<String> text, double unit) {
    try {
      double value = text.isEmpty() ? 0 : Long.parseLong(text.get()) * unit;
      return value > 0 ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }
}
