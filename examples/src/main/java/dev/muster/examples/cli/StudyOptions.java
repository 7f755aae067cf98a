package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Holds the options that commands with a study share. */
final class StudyOptions {
  private static final int MAX_THREADS = 256;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "root seed of all random streams (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "simulations at a time; the figures do not depend on it (default: all cores)")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "write the modelled figures; the same bytes for the same seed")
  @Nullable Path json;

  @Option(names = "--csv", paramLabel = "FILE", description = "write one line per policy")
  @Nullable Path csv;

  /** Refuses what cannot work, before any simulation starts. */
  void check() {
    if (threads < 1 || threads > MAX_THREADS) {
      throw InvalidInputException.of(
          "--threads", threads, "must be between 1 and " + MAX_THREADS, "leave it out");
    }
    if (json != null) {
      Output.requireWritable(json);
    }
    if (csv != null) {
      Output.requireWritable(csv);
    }
  }

  void save(String command, Study.Result result) {
    save(command, result, null);
  }

  /** Saves a study together with a live run, whose figures vary from run to run. */
  void save(String command, Study.Result result, @Nullable ObjectNode live) {
    if (json != null) {
      ObjectNode root = StudyReport.json(command, seed, result);
      if (live != null) {
        root.set("live", live);
      }
      Output.write(json, root);
    }
    if (csv != null) {
      Output.write(csv, StudyReport.csv(result));
    }
  }
}
