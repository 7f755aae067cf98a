package dev.muster.examples.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows how far a command is, on standard error, if that is a terminal. */
final class Progress {
  private static final int WIDTH = 40;

  private final PrintWriter err;
  private final boolean shown;
  private int total;
  private int done;

  private Progress(PrintWriter err, boolean shown) {
    this.err = err;
    this.shown = shown;
  }

  /** Creates a bar that is shown only when the JVM is attached to a terminal. */
  @SuppressWarnings("SystemConsoleNull") // it is null where the JVM has no terminal at all
  static Progress onTerminal(PrintWriter err) {
    Console console = System.console();
    return new Progress(err, console != null && console.isTerminal());
  }

  synchronized void start(int steps) {
    total = steps;
    done = 0;
    show();
  }

  synchronized void step() {
    done++;
    show();
  }

  /** Wipes the bar. */
  synchronized void stop() {
    if (shown) {
      err.print("\r" + " ".repeat(WIDTH + 16) + "\r");
      err.flush();
    }
  }

  private void show() {
    if (shown) {
      int filled = total == 0 ? WIDTH : WIDTH * done / total;
      err.printf(
          Locale.ROOT,
          "\r[%s%s] %d/%d runs",
          "#".repeat(filled),
          "-".repeat(WIDTH - filled),
          done,
          total);
      err.flush();
    }
  }
}
