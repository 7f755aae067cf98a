package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Holds the README against the program it shows. */
final class EmbeddingTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path SOURCE =
      Path.of("src", "main", "java", "dev", "muster", "examples", "Embedding.java");

  @Test
  void readmeShowsTheProgramAndItsOutput() throws Exception {
    String readme = Files.readString(README);
    String source = Files.readString(SOURCE);
    String program = source.substring(source.indexOf("import "));
    assertThat(program.lines().count()).isLessThanOrEqualTo(40);
    assertThat(readme).contains(program);
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Embedding.main(new String[0]);
    } finally {
      System.setOut(console);
    }
    assertThat(readme).contains("```\n" + printed.toString(StandardCharsets.UTF_8) + "```");
  }
}
