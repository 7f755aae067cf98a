package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class DevicesCommandTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine command =
      Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

  @Test
  void listsCardsWithTheirSensors() throws IOException {
    Path card = Files.createDirectories(folder.resolve("devices/0000:3b:00.1"));
    Path driver = Files.createDirectories(folder.resolve("drivers/xocl"));
    Files.createSymbolicLink(card.resolve("driver"), driver);
    Files.createDirectories(card.resolve("xmc.u.1"));
    Files.writeString(card.resolve("xmc.u.1/xmc_power"), "21400000\n");
    Path json = folder.resolve("devices.json");

    int status =
        command.execute("devices", "--sysfs", folder.resolve("devices") + "", "--json", json + "");

    assertThat(status).isZero();
    assertThat(out.toString()).contains("0000:3b:00.1", "21.4 W (measured", "cores", "looked in");
    assertThat(Files.readString(json)).contains("\"powerWatts\" : 21.4");
  }

  @Test
  void anUnwritableReportIsBadUsage() {
    assertThat(command.execute("devices", "--json", folder + "")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot be written");
  }
}
