package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.library.LibraryVariant;
import dev.muster.examples.hls.LibraryJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
  }

  @Test
  void scoresPredictorsWithinEightyColumns() {
    assertThat(run("library", "score", "--seeds", "1")).isZero();
    assertThat(out.toString()).contains("boosted trees", "R2", "F1", "can be built");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run("library", "score", "--share", "0")).isEqualTo(2);
  }

  private int search(Path evaluator) {
    return run(
        "library",
        "search",
        "--evaluator",
        evaluator.toString(),
        "--options",
        "4,2",
        "--app",
        "fir",
        "--out",
        folder.resolve("out.json").toString());
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
