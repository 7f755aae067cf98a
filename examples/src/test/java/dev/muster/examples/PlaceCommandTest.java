package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.PaperExamples;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.examples.dpfair.PlacementJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class PlaceCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void thePrintedExampleIsThePapersFirst() {
    assertThat(PlacementJson.parseProblem(PlacementJson.example(), "example"))
        .isEqualTo(PaperExamples.example1());
  }

  @Test
  void plansAndProblemsSurviveWritingAndReading() {
    PlacementPlan plan =
        ExactPlacer.create()
            .place(PaperExamples.example1().withMirrored(true))
            .plan()
            .orElseThrow();
    assertThat(PlacementJson.parsePlan(PlacementJson.write(plan), "plan")).isEqualTo(plan);
    assertThat(PlacementJson.parseProblem(PlacementJson.write(plan.problem()), "problem"))
        .isEqualTo(plan.problem());
  }

  @Test
  void everyModePlacesTheExample() throws IOException {
    Path file = example();
    assertThat(run("place", file.toString())).isZero();
    assertThat(out.toString()).contains("optimal", "34.500 mW");
    out.getBuffer().setLength(0);
    assertThat(run("place", file.toString(), "--mode", "faithful")).isZero();
    assertThat(out.toString()).contains("31.500 mW", "F2+F3");
    assertThat(run("place", file.toString(), "--mode", "exact", "--mirror")).isZero();
    assertThat(run("place", file.toString(), "--mode", "large", "--search-slice")).isZero();
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aPlanCanBeCarriedOut() throws IOException {
    assertThat(run("place", example().toString(), "--mirror", "--run", "1000")).isZero();
    assertThat(out.toString())
        .contains("for 1000 slices", "latest start 0.000 ms, latest end 0.000 ms")
        .contains(" 0 rejected, 0 failed");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void theExampleProgramRuns() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      PeriodicPlan.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("W (modelled)", "card-a", "4000 runs completed");
  }

  @Test
  void theWrittenPlanIsReadAgain() throws IOException {
    Path plan = folder.resolve("plan.json");
    assertThat(run("place", example().toString(), "--mode", "exact", "--json", plan.toString()))
        .isZero();
    assertThat(PlacementJson.readPlan(plan))
        .isEqualTo(ExactPlacer.create().place(PaperExamples.example1()).plan().orElseThrow());
  }

  @Test
  void aProblemWithoutPlanSaysWhy() throws IOException {
    Path file = folder.resolve("none.json");
    Files.writeString(
        file, PlacementJson.example().replace("\"sliceUs\": 60000", "\"sliceUs\": 45000"));
    assertThat(run("place", file.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("no plan (INFEASIBLE)");
  }

  @Test
  void badInputIsRefusedWithItsPlace() throws IOException {
    Path file = folder.resolve("bad.json");
    Files.writeString(file, "{\n  \"schemaVersion\": 1,\n  \"sliceUs\": x\n}");
    assertThat(run("place", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("line 3");
    Files.writeString(file, PlacementJson.example().replace("\"weight\": 1", "\"wieght\": 1"));
    assertThat(run("place", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("tasks[0].wieght");
    assertThat(run("place", folder.resolve("missing.json").toString())).isEqualTo(2);
    assertThat(run("place")).isEqualTo(2);
  }

  @Test
  void reproductionPrintsThePublishedAndTheirReadings() {
    assertThat(run("reproduce", "padps")).isZero();
    assertThat(out.toString())
        .contains("620", "404", "rank 5", "464 accepted", "496 accepted", "artefact")
        .contains("78.3", "29.2", "95.4", "53.7")
        .contains("30.5 mW", "33.5 mW", "34.5 mW");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  private Path example() throws IOException {
    Path file = folder.resolve("example.json");
    Files.writeString(file, PlacementJson.example());
    return file;
  }

  private int run(String... args) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(args);
  }
}
