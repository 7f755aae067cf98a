package dev.muster.examples.cli;

import dev.muster.hal.cpu.PowercapMeter;
import dev.muster.hal.xrt.PciCard;
import dev.muster.hal.xrt.XrtLocation;
import dev.muster.hal.xrt.XrtMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lists what each HAL finds on this machine, and where it looked; loads no native code. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    description = "Lists the devices that tasks can run on, and where they were looked for.")
public final class DevicesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--sysfs", hidden = true, description = "where PCIe devices are shown")
  private Path sysfs = PciCard.DEFAULT_ROOT;

  @Option(names = "--json", paramLabel = "FILE", description = "write the list as JSON")
  private @Nullable Path json;

  @Override
  public Integer call() {
    ObjectNode report = JsonNodeFactory.instance.objectNode();
    PrintWriter out = spec.commandLine().getOut();
    cpu(out, report.putObject("cpu"));
    xrt(out, report.putObject("xrt"));
    report.putObject("sim").put("cards", "any number");
    out.println("sim   any number of simulated cards");
    out.flush();
    if (json != null) {
      try {
        Files.writeString(json, report.toPrettyString() + "\n");
      } catch (IOException e) {
        throw new ParameterException(
            spec.commandLine(), "--json " + json + " cannot be written: " + e.getMessage(), e);
      }
    }
    return 0;
  }

  private static void cpu(PrintWriter out, ObjectNode report) {
    int cores = Runtime.getRuntime().availableProcessors();
    boolean metered = PowercapMeter.open(PowercapMeter.DEFAULT_ROOT).isPresent();
    report.put("cores", cores).put("power", metered ? "measured" : "modelled");
    out.println("cpu   " + cores + " cores");
    out.println(
        "      power "
            + (metered ? "measured by " : "modelled; no readable meter in ")
            + PowercapMeter.DEFAULT_ROOT);
  }

  private void xrt(PrintWriter out, ObjectNode report) {
    XrtLocation location = XrtLocation.find(XrtMode.HARDWARE);
    ArrayNode looked = report.putArray("looked");
    location.looked().forEach(looked::add);
    report.put("version", location.version().orElse(null));
    out.println(
        "xrt   "
            + location.libraryFolder().map(folder -> "library in " + folder).orElse("no library")
            + location.version().map(version -> ", version " + version).orElse(""));
    location.looked().forEach(place -> out.println("      looked in " + place));
    List<PciCard> cards = PciCard.find(sysfs);
    ArrayNode found = report.putArray("cards");
    out.println(
        "      "
            + (cards.isEmpty() ? "no card" : cards.size() + " cards")
            + " with driver xocl in "
            + sysfs);
    for (PciCard card : cards) {
      describe(out, found.addObject(), card);
    }
  }

  private static void describe(PrintWriter out, ObjectNode report, PciCard card) {
    String platform = card.platform().orElse("platform unknown");
    report.put("id", card.bdf()).put("platform", platform);
    out.println("      " + card.bdf() + "  " + platform);
    card.powerWatts()
        .ifPresent(
            watts -> {
              report.put("powerWatts", watts).put("powerSource", card.powerSource());
              out.printf("        %.1f W (measured, %s)%n", watts, card.powerSource());
            });
    card.temperatureCelsius()
        .ifPresent(
            celsius -> {
              report.put("temperatureCelsius", celsius);
              out.printf("        %.0f degrees Celsius (measured)%n", celsius);
            });
  }
}
