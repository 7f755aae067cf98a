package dev.muster.examples.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands that set modelled figures beside a paper's published ones. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = "Sets modelled figures beside those that a paper published.",
    subcommands = {ReproducePadps.class, ReproduceQos.class})
public final class Reproduce implements Runnable {
  @Spec private CommandSpec spec;

  /** Refuses a call that names no paper. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing what to reproduce");
  }
}
