package dev.muster.examples;

import dev.muster.api.DeviceException;
import dev.muster.api.MusterException;
import dev.muster.examples.cli.CalibrateCommand;
import dev.muster.examples.cli.DemoCommand;
import dev.muster.examples.cli.DevicesCommand;
import dev.muster.examples.cli.LibraryCommand;
import dev.muster.examples.cli.PlaceCommand;
import dev.muster.examples.cli.PredictCommand;
import dev.muster.examples.cli.Reproduce;
import dev.muster.examples.cli.SimulateCommand;
import dev.muster.examples.cli.live.LiveCommand;
import dev.muster.examples.cli.live.ReplayCommand;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Starts the {@code muster} command.
 *
 * <p>Exit codes: 0 when the command did its work, 1 when it failed, 2 when it was called wrongly.
 */
@Command(
    name = "muster",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Schedules work over fleets of FPGAs and CPUs.",
    subcommands = {
      CalibrateCommand.class, //
      DemoCommand.class,
      LibraryCommand.class,
      PlaceCommand.class,
      PredictCommand.class,
      Reproduce.class,
      SimulateCommand.class,
      DevicesCommand.class,
      LiveCommand.class,
      ReplayCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  /**
   * Runs the command and ends the JVM with its exit code.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Creates the command with all its subcommands. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::explain);
  }

  /** Explains a failure that the SDK reports in one line; anything else keeps its stack trace. */
  private static int explain(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(failure instanceof MusterException)) {
      throw failure;
    }
    command.getErr().println("muster: " + failure.getMessage());
    return failure instanceof DeviceException ? 1 : 2;
  }

  /** Refuses a call that names no subcommand, since there is nothing to do by default. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** Reads the version that the build wrote next to this class. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      var properties = new Properties();
      try (InputStream in = Main.class.getResourceAsStream("version.properties")) {
        if (in == null) {
          throw new IOException("version.properties is missing; build again: ./muster build");
        }
        properties.load(in);
      }
      return new String[] {
        "muster " + properties.getProperty("version"),
        "Java " + Runtime.version() + ", " + System.getProperty("os.name")
      };
    }
  }
}
