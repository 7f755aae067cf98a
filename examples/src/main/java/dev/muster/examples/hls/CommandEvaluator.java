package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Evaluates designs by a program of the user's, for instance a script that runs HLS.
 *
 * <p>The program gets the option taken for each directive as arguments, from 0, and prints six
 * whole numbers: milliseconds, LUT, FF, BRAM18, DSP, URAM. An exit code other than 0 says that the
 * design cannot be built.
 */
public final class CommandEvaluator implements DesignSearch.Evaluator {
  private static final int FIGURES = 6;
  private static final int MAX_OUTPUT = 4096;
  private static final Duration LONGEST = Duration.ofDays(30);

  private final Path program;
  private final Duration timeout;

  private CommandEvaluator(Path program, Duration timeout) {
    this.program = program;
    this.timeout = timeout;
  }

  /**
   * Creates an evaluator.
   *
   * @param program an executable file
   * @param timeout how long one evaluation may take
   * @throws InvalidInputException if there is no such program, or the time is not in range
   */
  public static CommandEvaluator of(Path program, Duration timeout) {
    if (!program.toFile().canExecute() || program.toFile().isDirectory()) {
      throw InvalidInputException.of(
          "evaluator", program, "must be an executable file", "check the path and its permissions");
    }
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw InvalidInputException.of(
          "evaluation timeout", timeout, "must be between 1 ms and 30 days", "use an hour");
    }
    return new CommandEvaluator(program.toAbsolutePath().normalize(), timeout);
  }

  @Override
  public Optional<LibraryVariant> evaluate(List<Integer> choice) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    choice.forEach(option -> command.add(option.toString()));
    try {
      // A file, not a pipe: reading a pipe would wait for a program that never ends.
      Path output = Files.createTempFile("muster-evaluator", ".out");
      try {
        return evaluate(command, choice, output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw InvalidInputException.of(
          "evaluator", program, "cannot be run: " + e.getMessage(), "start it by hand once");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + program, e);
    }
  }

  private Optional<LibraryVariant> evaluate(List<String> command, List<Integer> choice, Path output)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw InvalidInputException.of(
            "evaluator " + program,
            choice,
            "did not end within " + timeout.toMillis() / 1e3 + " s",
            "allow more with --timeout, or mend the program");
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(output)) {
      return Optional.of(
          design(choice, new String(in.readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8)));
    }
  }

  private LibraryVariant design(List<Integer> choice, String output) {
    String[] words = output.strip().split("\\s+", -1);
    if (words.length != FIGURES) {
      throw invalid(choice, output);
    }
    long[] figures = new long[FIGURES];
    for (int i = 0; i < FIGURES; i++) {
      try {
        figures[i] = Long.parseLong(words[i]);
      } catch (NumberFormatException e) {
        throw invalid(choice, output);
      }
    }
    return LibraryVariant.of(
        choice.stream().map(String::valueOf).collect(Collectors.joining("-", "design-", "")),
        figures[0],
        new Footprint(figures[1], figures[2], figures[3], figures[4], figures[5]),
        Origin.HLS_ESTIMATE);
  }

  private InvalidInputException invalid(List<Integer> choice, String output) {
    return InvalidInputException.of(
        "output of " + program + " for " + choice,
        '"' + output.strip() + '"',
        "must be six whole numbers: ms LUT FF BRAM18 DSP URAM",
        "mend the program");
  }
}
