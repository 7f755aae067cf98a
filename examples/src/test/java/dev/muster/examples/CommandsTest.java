package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class CommandsTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void demoComparesPoliciesOnTheBundledTraceWithinEightyColumns() {
    assertThat(run("demo", "--scale", "0.5", "--live-seconds", "1")).isZero();
    assertThat(out.toString())
        .contains("SporkE", "SporkB", "SporkC", "CPU-dynamic", "FPGA-static")
        .contains("live, SporkE", "wrong bytes 0")
        .contains("(modelled)", "(measured)", "times less energy than CPU-dynamic");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void jsonHasTheSameBytesForAnyNumberOfThreadsAndWheneverRun() throws IOException {
    byte[] first = json("1", "a.json");
    assertThat(json("2", "b.json")).isEqualTo(first);
    assertThat(json("2", "c.json")).isEqualTo(first);
    assertThat(new String(first, java.nio.charset.StandardCharsets.UTF_8))
        .contains("\"schemaVersion\" : 1", "\"deadlineMisses\" : 0");
  }

  @Test
  void anotherSeedGivesOtherFigures() throws IOException {
    assertThat(run("simulate", "--workers", "2", "--json", folder.resolve("a").toString()))
        .isZero();
    assertThat(
            run(
                "simulate",
                "--workers",
                "2",
                "--seed",
                "2",
                "--json",
                folder.resolve("b").toString()))
        .isZero();
    assertThat(Files.readAllBytes(folder.resolve("a")))
        .isNotEqualTo(Files.readAllBytes(folder.resolve("b")));
  }

  @Test
  void everyPolicyOfTheCatalogRuns() {
    String all =
        "SporkE,SporkB,SporkC,Spork-adaptive,SporkE-RR,SporkE-IP,CPU-dynamic,FPGA-dynamic,"
            + "MArk-ideal,SporkE-ideal,SporkC-ideal,INFaaS-like,AutoScale,Serverless,"
            + "FPGA-static,FPGA-static:50,fixed:fpga:50,dynamic:cpu,spork:3:1";
    assertThat(run("simulate", "--policy", all, "--workers", "3", "--minutes", "20")).isZero();
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    for (String name : all.split(",", -1)) {
      assertThat(out.toString()).containsIgnoringCase(name.replaceAll(":50$", ""));
    }
  }

  @Test
  void aFleetThatRunsNothingShowsNoRatiosAndSaysWhatItLeft() throws IOException {
    Path json = folder.resolve("nothing.json");
    Path csv = folder.resolve("nothing.csv");
    assertThat(
            run(
                "simulate",
                "--policy",
                "fixed:cpu:0",
                "--workers",
                "2",
                "--minutes",
                "2",
                "--json",
                json.toString(),
                "--csv",
                csv.toString()))
        .isZero();
    assertThat(out.toString())
        .contains("did not run 100.0% of the tasks")
        .doesNotContain("Infinity", "NaN");
    assertThat(Files.readString(json)).contains("\"energyEfficiency\" : null");
    assertThat(Files.readString(csv)).doesNotContain("Infinity", "NaN");
  }

  @Test
  void thePrintedFleetIsTheDefaultFleet() throws IOException {
    assertThat(run("simulate", "--print-fleet")).isZero();
    Path fleet = folder.resolve("fleet.properties");
    Files.writeString(fleet, out.toString());
    Path a = folder.resolve("a");
    Path b = folder.resolve("b");
    assertThat(run("simulate", "--workers", "2", "--json", a.toString())).isZero();
    assertThat(
            run("simulate", "--workers", "2", "--fleet", fleet.toString(), "--json", b.toString()))
        .isZero();
    assertThat(Files.readAllBytes(b)).isEqualTo(Files.readAllBytes(a));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policy Sporky|use one of SporkE, SporkB",
        "--policy spork:1|write spork:E:C",
        "--policy spork:0:0|objective weights",
        "--policy SporkE:3|takes no argument",
        "--policy fixed:gpu:2|must be one of [cpu, fpga]",
        "--policy FPGA-static:-1|number of workers",
        "--bias 1.5|[0.5, 1)",
        "--bias NaN|[0.5, 1)",
        "--workers -1|mean workers",
        "--workers NaN|mean workers",
        "--minutes 0|slots",
        "--seeds 0|--seeds",
        "--deadline 0.1|deadline factor",
        "--interval 0|--interval",
        "--interval Infinity|--interval",
        "--threads 0|--threads",
        "--trace no-such.csv|no-such.csv",
        "--fleet no-such.properties|no-such.properties",
        "--json /no/such/folder/x.json|output file"
      })
  void badInputIsExplainedInOneLineWithExitCodeTwo(String arguments, String expected) {
    assertThat(run(("simulate " + arguments).split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).contains(expected).doesNotContain("\tat ");
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "types = a;a.spin-up = 5|a.spin-up",
        "types = a;a.spin-up = 999999min|at most",
        "types = a;a.busy-watts = -1|a.busy-watts",
        "types = a;a.busy-watts = NaN|a.busy-watts",
        "types = a;a.busy-wats = 1|are unknown",
        "types = a;a.speedup = 0|speedup",
        "types = a;a.speedup = 1;a.speedup = 2|given twice",
        "types = a, a|must be unique",
        "a.speedup = 1|must list the worker types"
      })
  void impossibleFleetsAreRefused(String text, String expected) throws IOException {
    Path fleet = folder.resolve("f.properties");
    Files.writeString(fleet, text.replace(';', '\n'));
    assertThat(run("simulate", "--policy", "dynamic:a", "--fleet", fleet.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(expected).doesNotContain("\tat ");
  }

  @Test
  void aMalformedTraceIsRefusedNamingLineAndColumn() throws IOException {
    Path trace = folder.resolve("t.csv");
    Files.writeString(trace, "function,avg_ms,m0,m1\nf,20,1,-3\n");
    assertThat(run("demo", "--trace", trace.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("t.csv line 2, column m1", "-3");
  }

  private byte[] json(String threads, String name) throws IOException {
    Path file = folder.resolve(name);
    assertThat(
            run(
                "demo",
                "--scale",
                "0.3",
                "--live-seconds",
                "0",
                "--threads",
                threads,
                "--json",
                file.toString()))
        .isZero();
    return Files.readAllBytes(file);
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }
}
