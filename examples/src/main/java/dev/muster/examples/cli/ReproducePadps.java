package dev.muster.examples.cli;

import dev.muster.examples.dpfair.PadpsReproduction;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reproduces Examples 1 to 3 and Figures 5 to 8 of PADPS-FR. */
@Command(
    name = "padps",
    mixinStandardHelpOptions = true,
    description = "Reproduces the examples and figures of PADPS-FR, and says what they rest on.")
public final class ReproducePadps implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(PadpsReproduction.text());
    out.flush();
  }
}
