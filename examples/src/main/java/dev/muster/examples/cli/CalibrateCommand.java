package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.hal.sim.device.Calibration;
import dev.muster.hal.sim.device.DevicePresets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Fits the simulator's parameters to measurements and prints what they leave unexplained. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description = {
      "Fits the device model to rows of kernel, units, throughput, watts.",
      "1/throughput = overhead + 1/(units * bandwidth); power = static + units * dynamic."
    })
public final class CalibrateCommand implements Callable<Integer> {
  private static final long MAX_BYTES = 1 << 20;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "The rows, separated by commas.")
  private @Nullable Path file;

  @Option(names = "--json", description = "Also writes the parameters as JSON.")
  private @Nullable Path json;

  @Option(names = "--print-preset", description = "Prints a device file to edit, and stops.")
  private @Nullable String preset;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      if (preset != null) {
        out.print(DevicePresets.text(preset));
        out.flush();
        return 0;
      }
      if (json != null) {
        Output.requireWritable(json);
      }
      List<Calibration> fits = Calibration.fit(rows());
      fits.forEach(fit -> print(out, fit));
      out.flush();
      if (json != null) {
        Output.write(json, json(fits));
      }
      return 0;
    } catch (InvalidInputException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private List<Calibration.Row> rows() {
    Path from = file;
    if (from == null) {
      throw new ParameterException(
          spec.commandLine(), "Missing FILE; its rows are kernel, units, throughput, watts");
    }
    try {
      if (Files.size(from) > MAX_BYTES) {
        throw InvalidInputException.of(
            from.toString(), Files.size(from), "must have at most 1 MiB", "split it");
      }
      return Calibration.parse(Files.readAllLines(from), from.toString());
    } catch (IOException e) {
      throw InvalidInputException.of(
          from.toString(), e.getMessage(), "cannot be read as UTF-8 text", "check the path");
    }
  }

  private static void print(PrintWriter out, Calibration fit) {
    line(out, "%s (modelled from the rows given)", fit.kernel());
    line(
        out,
        "  bandwidth of a unit  %12.5g   overhead %.5g s",
        fit.bandwidthPerUnit(),
        fit.overheadSeconds());
    line(
        out,
        "  static power         %10.4g W   a unit   %.4g W",
        fit.staticWatts(),
        fit.unitWatts());
    line(out, "  units   measured      model   error     power      model   error");
    for (Calibration.Row row : fit.rows()) {
      double throughput = fit.throughput(row.units());
      double watts = fit.watts(row.units());
      line(
          out,
          "  %5d %10.5g %10.5g %+6.2f %% %8.4g W %8.4g W %+6.2f W",
          row.units(),
          row.throughput(),
          throughput,
          100 * (throughput / row.throughput() - 1),
          row.watts(),
          watts,
          watts - row.watts());
    }
    line(
        out,
        "  largest error of throughput %.2f %%%s",
        100 * fit.worstThroughputError(),
        fit.exactByConstruction() ? "; two rows fit two parameters always" : "");
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation's library is not a dependency
  private static void line(PrintWriter out, String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private static ObjectNode json(List<Calibration> fits) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    for (Calibration fit : fits) {
      ObjectNode node = root.putObject(fit.kernel());
      node.put("bandwidthPerUnit", fit.bandwidthPerUnit());
      node.put("overheadSeconds", fit.overheadSeconds());
      node.put("staticWatts", fit.staticWatts());
      node.put("unitWatts", fit.unitWatts());
      node.put("worstThroughputError", fit.worstThroughputError());
    }
    return root;
  }
}
