package dev.muster.hal.xrt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.EnergyReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PciCardTest {
  private static final String BDF = "0000:3b:00.1";
  @TempDir Path root;

  private Path card(String bdf, String driver) throws IOException {
    Path folder = Files.createDirectories(root.resolve("devices").resolve(bdf));
    Path target = Files.createDirectories(root.resolve("drivers").resolve(driver));
    Files.createSymbolicLink(folder.resolve("driver"), target);
    return folder;
  }

  private PciCard only() {
    assertThat(PciCard.find(root.resolve("devices"))).hasSize(1);
    return PciCard.find(root.resolve("devices")).getFirst();
  }

  private static void write(Path folder, String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @Test
  void findsUserFunctionsOfTheDriverByAddress() throws IOException {
    card("0000:5e:00.1", "xocl");
    card("0000:3b:00.1", "xocl");
    card("0000:3b:00.0", "xclmgmt");
    assertThat(PciCard.find(root.resolve("devices")))
        .extracting(PciCard::bdf)
        .containsExactly("0000:3b:00.1", "0000:5e:00.1");
    assertThat(PciCard.find(root.resolve("nosuch"))).isEmpty();
  }

  @Test
  void readsPowerInMicrowattsFromTheCardsController() throws IOException {
    Path folder = card(BDF, "xocl");
    write(folder, "xmc.u.1/xmc_power", "21400000\n");
    write(folder, "xmc.u.1/xmc_fpga_temp", "47\n");
    write(folder, "rom.u.1/VBNV", "xilinx_u250_gen3x16_xdma_shell_4_1\n");
    assertThat(only().powerWatts()).hasValue(21.4);
    assertThat(only().temperatureCelsius()).hasValue(47);
    assertThat(only().platform()).contains("xilinx_u250_gen3x16_xdma_shell_4_1");
    assertThat(only().powerSource()).contains("xmc_power");
  }

  @Test
  void fallsBackToTheHardwareMonitor() throws IOException {
    Path folder = card(BDF, "xocl");
    write(folder, "xmc.u.1/xmc_power", "0\n");
    write(folder, "hwmon/hwmon3/power1_input", "17400000\n");
    assertThat(only().powerWatts()).hasValue(17.4);
    assertThat(only().powerSource()).contains("hwmon");
  }

  @Test
  void whatIsAbsentZeroOrNonsenseHasNoReading() throws IOException {
    Path folder = card(BDF, "xocl");
    assertThat(only().powerWatts()).isEmpty();
    assertThat(only().powerSource()).isEqualTo("none");
    write(folder, "xmc.u.1/xmc_power", "N/A");
    assertThat(only().powerWatts()).isEmpty();
    write(folder, "xmc.u.1/xmc_power", "99999999999999");
    assertThat(only().powerWatts()).isEmpty();
  }

  @Test
  void energyNeedsTwoSamplesWithinTheRun() {
    CardMeter meter = new CardMeter(() -> OptionalDouble.of(20));
    meter.sample(0);
    CardMeter.Mark mark = meter.mark();
    meter.sample(1_000_000_000L);
    assertThat(meter.since(mark, 1_500_000_000L)).isNull();
    meter.sample(2_000_000_000L);
    assertThat(meter.since(mark, 2_500_000_000L))
        .isEqualTo(new EnergyReading(50, EnergyReading.Source.MEASURED));
  }
}
