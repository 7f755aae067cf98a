package dev.muster.examples.hls;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a text file of bounded size. */
final class ReportFile {
  /** Bounds the size of a report. */
  static final int MAX_BYTES = 16 << 20;

  private ReportFile() {}

  /**
   * Reads a file as UTF-8.
   *
   * @throws InvalidInputException if it cannot be read, is too large, or is not text
   */
  static String read(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      throw InvalidInputException.of(
          file.toString(), e.getMessage(), "cannot be read", "check the path and its permissions");
    }
    if (bytes.length > MAX_BYTES) {
      throw InvalidInputException.of(
          file.toString(), "more than " + MAX_BYTES + " bytes", "is too large", "is it a report?");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw InvalidInputException.of(
          file.toString(), e.getMessage(), "is not UTF-8 text", "is it a report?");
    }
  }
}
