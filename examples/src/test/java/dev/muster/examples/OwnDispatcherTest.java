package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OwnDispatcherTest {
  private static final Path SOURCE =
      Path.of("src/main/java/dev/muster/examples/OwnDispatcher.java");

  @Test
  void aNewDispatcherFitsSixtyLines() throws IOException {
    assertThat(Files.readAllLines(SOURCE)).hasSizeLessThanOrEqualTo(60);
  }

  @Test
  void aNewDispatcherRunsWithoutTouchingTheCore() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      OwnDispatcher.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.endsWith(" 0 late"))
        .anyMatch(line -> line.startsWith("first to finish"))
        .anyMatch(line -> line.startsWith("SporkE"));
  }
}
