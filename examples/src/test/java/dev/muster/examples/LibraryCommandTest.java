package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.library.LibraryVariant;
import dev.muster.examples.hls.LibraryJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class LibraryCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void searchesWithAProgramOfTheUsers() throws IOException {
    Path library = folder.resolve("found.json");
    Path evaluator =
        program(
            """
            #!/bin/sh
            if [ "$1" = 3 ]; then exit 1; fi
            echo $((100 / ($1 + 1) + $2)) $((1000 * ($1 + 1))) 2000 4 8 0
            """);
    assertThat(
            run(
                "library",
                "search",
                "--evaluator",
                evaluator.toString(),
                "--options",
                "4,2",
                "--app",
                "fir",
                "--out",
                library.toString(),
                "--evaluations",
                "40"))
        .isZero();
    assertThat(out.toString()).contains("designs evaluated, 3 on the frontier of fir");
    assertThat(LibraryJson.read(library).variants("fir"))
        .extracting(LibraryVariant::id)
        .containsExactly("design-2-0", "design-1-0", "design-0-0");
  }

  @Test
  void saysWhatIsWrongWithAnEvaluator() throws IOException {
    assertThat(search(folder.resolve("none"))).isEqualTo(2);
    assertThat(err.toString()).contains("must be an executable file");
    assertThat(search(program("#!/bin/sh\necho 1 2 x\n"))).isEqualTo(2);
    assertThat(err.toString()).contains("must be six whole numbers", "1 2 x");
    assertThat(search(program("#!/nowhere/sh\n"))).isEqualTo(2);
    assertThat(err.toString()).contains("cannot be run");
    assertThat(search(program("#!/bin/sh\nexit 1\n"))).isEqualTo(2);
    assertThat(err.toString()).contains("search of 8 designs: 0 can be built");
    assertThat(search(program("#!/bin/sh\necho 5 999999999 1 1 1 1\n"))).isEqualTo(2);
    assertThat(err.toString()).contains("8 can be built and none of them fits xcu200");
  }

  @Test
  void doesNotWaitForAnEvaluatorThatNeverEnds() throws IOException {
    assertThat(search(program("#!/bin/sh\nsleep 3600\n"), "--timeout", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("did not end within 1.0 s");
    assertThat(search(program("#!/bin/sh\n"), "--timeout", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("must be between 1 ms and 30 days");
  }

  @Test
  void buildsFromTheDatasetAloneAndRefusesWhatHoldsNoResources() throws IOException {
    Path csv =
        Files.writeString(
            folder.resolve("d.csv"),
            """
            Version,Device,Clock_Period_nsec,Latency_msec,Synthesis_Time_sec,\
            BRAM_Utilization_percentage,DSP_Utilization_percentage,\
            FF_Utilization_percentage,LUT_Utilization_percentage
            w1.cpp,xcu200-fsgd2104-2-e,10,41.94331,48,0,0,0,1
            w2.cpp,xcu200-fsgd2104-2-e,3.33,0,48,101,101,101,101
            w3.cpp,xcu200-fsgd2104-2-e,5,20.5,48,1,0,2,3
            """);
    Path library = folder.resolve("l.json");
    assertThat(build(csv, library)).isZero();
    assertThat(LibraryJson.read(library).variants("app"))
        .extracting(LibraryVariant::id, LibraryVariant::execMillis, LibraryVariant::freqMhz)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("w3.cpp@200MHz", 21L, 200),
            org.assertj.core.groups.Tuple.tuple("w1.cpp@100MHz", 42L, 100));
    Path timing = Files.writeString(folder.resolve("x_timing_summary_routed.rpt"), "nothing");
    assertThat(build(timing, library)).isEqualTo(2);
    assertThat(err.toString()).contains("Design Timing Summary");
    assertThat(build(csv, folder.resolve("no/folder.json"))).isEqualTo(2);
    assertThat(err.toString()).contains("folder.json cannot be written");
    assertThat(build(csv, library, "--runs", "9223372036854775807")).isEqualTo(2);
    assertThat(err.toString()).contains("longer than 292 years");
    assertThat(build(csv, library, "--app", " ")).isEqualTo(2);
  }

  private int build(Path report, Path library, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("library", "build", report.toString(), "--out", library.toString()));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--app")) {
      arguments.addAll(List.of("--app", "app"));
    }
    return run(arguments.toArray(String[]::new));
  }

  @Test
  void scoresPredictorsWithinEightyColumns() {
    assertThat(run("library", "score", "--seeds", "1")).isZero();
    assertThat(out.toString())
        .contains("boosted trees", "a + b/n", "linear scaling", "R2", "F1", "can be built");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run("library", "score", "--share", "0")).isEqualTo(2);
  }

  private int search(Path evaluator, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "library",
                "search",
                "--evaluator",
                evaluator.toString(),
                "--options",
                "4,2",
                "--app",
                "fir",
                "--out",
                folder.resolve("out.json").toString(),
                "--evaluations",
                "100"));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private Path program(String text) throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "evaluator", ".sh"), text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }
}
