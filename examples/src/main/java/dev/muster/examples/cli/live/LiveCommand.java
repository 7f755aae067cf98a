package dev.muster.examples.cli.live;

import dev.muster.api.InvalidInputException;
import dev.muster.api.SchedulingPolicy;
import dev.muster.core.live.Calibration;
import dev.muster.core.live.EventLog;
import dev.muster.examples.apps.Apps;
import dev.muster.examples.apps.CalibrationFile;
import dev.muster.examples.apps.LiveReport;
import dev.muster.examples.apps.LiveRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Runs real work through the live scheduler and prints what it measured. */
@Command(
    name = "live",
    mixinStandardHelpOptions = true,
    description = {
      "Runs real applications through the live scheduler.",
      "",
      "Compression, vector addition, nearest neighbours, k-means and an image filter run on the "
          + "cores of this machine and on two simulated cards that take real time and return the "
          + "same bytes. The load is open-loop; latency counts from when a task was due."
    })
public final class LiveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "SporkE",
      description = "online policy (default: ${DEFAULT-VALUE})")
  private String policy;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "length of the load, 1 to 3600 (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--load",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description = "work offered, as a share of this machine's cores (default: ${DEFAULT-VALUE})")
  private double load;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "seed of inputs and arrivals (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(names = "--record", paramLabel = "FILE", description = "record the run, for replay")
  private @Nullable Path recording;

  @Option(
      names = "--calibration",
      paramLabel = "FILE",
      description = "start from the service times learned there, if it exists, and save them")
  private @Nullable Path calibrationFile;

  @Option(names = "--json", paramLabel = "FILE", description = "write the figures as JSON")
  private @Nullable Path json;

  @Override
  public Integer call() throws InterruptedException {
    try {
      return run();
    } catch (InvalidInputException | IOException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private int run() throws InterruptedException, IOException {
    if (seconds < 1 || seconds > 3_600) {
      throw InvalidInputException.of(
          "--seconds", seconds, "must be between 1 and 3600", "choose a length");
    }
    if (!(load > 0 && load <= 4)) {
      throw InvalidInputException.of(
          "--load", load, "must be above 0 and at most 4", "choose a share of the cores");
    }
    SchedulingPolicy chosen = OnlinePolicies.make(policy);
    EventLog log = recording == null ? null : EventLog.to(recording);
    Calibration calibration =
        calibrationFile == null || !Files.exists(calibrationFile)
            ? Calibration.create()
            : CalibrationFile.load(calibrationFile);
    LiveReport report =
        new LiveRun(Apps.prepare(seed), Duration.ofSeconds(seconds), load, seed)
            .run(chosen, log, calibration);
    if (calibrationFile != null) {
      CalibrationFile.save(calibration, calibrationFile);
    }
    PrintWriter out = spec.commandLine().getOut();
    report.print(out);
    if (json != null) {
      ObjectNode root = JsonNodeFactory.instance.objectNode();
      root.put("seed", seed);
      root.set("live", report.toJson());
      Files.writeString(json, root.toPrettyString() + "\n");
    }
    return report.wrong() == 0 ? 0 : 1;
  }
}
