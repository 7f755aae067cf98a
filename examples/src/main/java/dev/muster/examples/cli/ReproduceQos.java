package dev.muster.examples.cli;

import dev.muster.api.MusterException;
import dev.muster.examples.qos.QosReproduction;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reproduces the evaluation of QoS over regions, and compares the form that does better. */
@Command(
    name = "qos",
    mixinStandardHelpOptions = true,
    description = "Reproduces FIFO and managers M1-M4, and compares the better policy with M4.")
public final class ReproduceQos implements Callable<Integer> {
  @Option(
      names = "--seeds",
      defaultValue = "100",
      description = "Random workloads per scenario (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--first-seed",
      defaultValue = "100000",
      description = "First seed (default: ${DEFAULT-VALUE}; none from there on was tuned with).")
  private long firstSeed;

  @Option(names = "--json", description = "Also writes the figures as JSON.")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (seeds < 2 || seeds > 100_000) {
      throw new ParameterException(
          spec.commandLine(), "--seeds: " + seeds + " must be between 2 and 100000");
    }
    try {
      QosReproduction result = QosReproduction.run(firstSeed, seeds);
      PrintWriter out = spec.commandLine().getOut();
      out.print(result.text());
      out.flush();
      if (json != null) {
        Files.writeString(json, result.json(), StandardCharsets.UTF_8);
      }
      return 0;
    } catch (MusterException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
