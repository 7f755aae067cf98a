package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.predict.AdditiveModel;
import dev.muster.hal.sim.joblog.DriftingLog;
import dev.muster.hal.sim.joblog.JobRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class PredictCommandTest {
  @TempDir private Path folder = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(args);
  }

  private Path swf() throws IOException {
    List<String> lines = new ArrayList<>(List.of("; a generated log"));
    for (JobRecord job : DriftingLog.builder().jobs(1000).build().generate()) {
      lines.add(
          "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 1 1 1"
              .formatted(
                  job.submitted().id(),
                  job.submitted().submitSeconds(),
                  job.outcome().waitSeconds(),
                  job.outcome().runSeconds(),
                  job.outcome().processors(),
                  job.submitted().processors(),
                  job.submitted().requestedSeconds(),
                  job.submitted().user()));
    }
    return Files.write(folder.resolve("log.swf"), lines);
  }

  @Test
  void trainsAModelThatLoads() throws IOException {
    Path model = folder.resolve("model.json");
    assertThat(run("predict", "train", "--log", swf().toString(), "--out", model.toString()))
        .isZero();
    assertThat(out.toString()).contains("1000 in the log, 1000 ran");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80 || line.contains("/"));
    try (InputStream in = Files.newInputStream(model)) {
      assertThat(AdditiveModel.load(in, "model").coreTrees()).isEqualTo(64);
    }
  }

  @Test
  void evaluatesLogsAndGeneratedOnes() throws IOException {
    Path json = folder.resolve("figures.json");
    assertThat(
            run(
                "predict",
                "eval",
                swf().toString(),
                "--drift",
                "0.25",
                "--jobs",
                "1000",
                "--trees",
                "8",
                "--json",
                json.toString()))
        .isZero();
    assertThat(out.toString()).contains("generated, drift 0.25", "ADD gated", "RECENT-ONLY");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80 || line.contains("/"));
    assertThat(Files.readString(json)).contains("maeHours", "\"predicted\" : 500");
  }

  @Test
  void readsCsvByNamedColumns() throws IOException {
    List<String> lines = new ArrayList<>(List.of("when,seconds,owner"));
    for (int i = 0; i < 200; i++) {
      lines.add("%d,%d,u%d".formatted(i * 10_000, 100 + i % 7, i % 7));
    }
    Path csv = Files.write(folder.resolve("log.csv"), lines);
    assertThat(
            run(
                "predict",
                "eval",
                "--column",
                "SUBMIT=when",
                "--column",
                "RUN=seconds:seconds",
                "--column",
                "USER=owner",
                csv.toString()))
        .isZero();
    assertThat(out.toString()).contains("200 jobs, 100 predicted");
  }

  @Test
  void refusesBadInputWithExitCode2() throws IOException {
    assertThat(run("predict", "eval")).isEqualTo(2);
    assertThat(run("predict", "eval", folder.resolve("none.swf").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is no file");
    Path bad = Files.writeString(folder.resolve("bad.swf"), "1 2 x\n");
    assertThat(run("predict", "eval", bad.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("line 1, column 3");
    assertThat(run("predict", "eval", "--drift", "9")).isEqualTo(2);
    assertThat(run("predict", "train", "--log", swf().toString(), "--out", folder.toString()))
        .isEqualTo(2);
    assertThat(run("predict", "eval", "--trees", "-1", "--drift", "0")).isEqualTo(2);
    assertThat(run("predict")).isEqualTo(2);
  }
}
