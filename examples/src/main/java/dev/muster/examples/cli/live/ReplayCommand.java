package dev.muster.examples.cli.live;

import dev.muster.api.InvalidInputException;
import dev.muster.hal.sim.Replay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a recorded live run in simulation and compares the decisions. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Replays a recorded live run in simulation and compares every decision.")
public final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "what \"muster live --record\" wrote")
  private Path file;

  @Override
  public Integer call() {
    Replay.Result result;
    try {
      result = Replay.run(file, OnlinePolicies::make);
    } catch (InvalidInputException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "cannot read " + file + ": " + e + "; name a recording", e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: %d events replayed, %d decisions the same%n",
        result.policy(),
        result.events(),
        result.decisions());
    if (!result.complete() && result.difference() == null) {
      out.println("The recording has no end: the run it is from was cut short.");
    }
    if (result.difference() != null) {
      out.println("first difference: " + result.difference());
    }
    out.flush();
    return result.difference() == null ? 0 : 1;
  }
}
