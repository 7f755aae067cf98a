package dev.muster.examples.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import dev.muster.core.live.Calibration;
import dev.muster.core.live.EventLog;
import dev.muster.core.spork.Spork;
import dev.muster.hal.sim.Replay;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LiveRunTest {
  @Test
  void computesTheRightBytesOnCoresAndCardsAndReplaysTheSame() throws Exception {
    Apps apps = Apps.prepare(7); // checks every output it prepares
    StringWriter recording = new StringWriter();
    LiveReport report =
        new LiveRun(apps, Duration.ofMillis(700), 0.4, 7)
            .run(Spork.energy(), EventLog.to(recording));
    assertThat(report.wrong()).isZero();
    assertThat(report.stats().completed()).isEqualTo(report.stats().accepted()).isPositive();
    Replay.Result replay =
        Replay.run(new StringReader(recording.toString()), "recording", name -> Spork.energy());
    assertThat(replay.difference()).isNull();
    assertThat(replay.complete()).isTrue();
    StringWriter text = new StringWriter();
    report.print(new PrintWriter(text));
    assertThat(text.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(report.toJson().get("wrongResults").asInt()).isZero();
  }

  @Test
  void loadsTheCalibrationItSaved(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("calibration.json");
    Calibration.Entry entry = new Calibration.Entry("lz4", "cpu", "cpu", 1_000, 3, 2, 64);
    CalibrationFile.save(Calibration.from(List.of(entry)), file);
    assertThat(CalibrationFile.load(file).entries()).containsExactly(entry);
    Files.writeString(file, "{\"not\": \"a list\"}");
    assertThatThrownBy(() -> CalibrationFile.load(file)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void makesTheSameInputsFromTheSameSeed() {
    App app = new KMeans();
    assertThat(app.input(new SplittableRandom(3))).isEqualTo(app.input(new SplittableRandom(3)));
    byte[] input = app.input(new SplittableRandom(3));
    byte[] output = app.run(input);
    output[output.length - 1] ^= 1; // puts the last value with another mean
    assertThat(app.isRight(input, output)).isFalse();
  }
}
