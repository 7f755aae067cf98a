package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine command =
      Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

  @Test
  void versionIsTheOneOfTheBuild() {
    assertThat(command.execute("--version")).isZero();
    assertThat(out.toString()).matches("(?s)muster \\d+\\.\\d+\\.\\d+.*").doesNotContain("${");
  }

  @Test
  void helpGoesToStandardOutput() {
    assertThat(command.execute("--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: muster");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void badUsageIsExitCodeTwoAndLeavesStandardOutputClean() {
    assertThat(command.execute("--no-such-option")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("--no-such-option", "Usage: muster");
  }

  @Test
  void missingCommandIsBadUsage() {
    assertThat(command.execute()).isEqualTo(2);
    assertThat(err.toString()).contains("Missing command");
  }
}
