package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes result files. */
final class Output {
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Output() {}

  /** Refuses a file that could not be written in the end, before any work starts. */
  static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)
        || folder == null
        || !Files.isDirectory(folder)
        || !Files.isWritable(Files.exists(file) ? file : folder)) {
      throw InvalidInputException.of(
          "output file", file, "cannot be written", "name a file in an existing folder");
    }
  }

  static void write(Path file, JsonNode json) {
    write(file, PRETTY.writeValueAsString(json).replace("\r\n", "\n") + "\n");
  }

  static void write(Path file, String text) {
    try {
      Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw InvalidInputException.of(
          "output file", file, "cannot be written: " + e.getMessage(), "choose another file");
    }
  }
}
