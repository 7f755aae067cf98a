package dev.muster.examples.apps;

import dev.muster.api.InvalidInputException;
import dev.muster.core.live.Calibration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Saves what a calibration learned as JSON, and loads it again. */
public final class CalibrationFile {
  private static final long MAX_BYTES = 16L << 20;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private CalibrationFile() {}

  /** Writes a calibration, replacing the file. */
  public static void save(Calibration calibration, Path file) throws IOException {
    Files.writeString(file, MAPPER.writeValueAsString(calibration.entries()) + "\n");
  }

  /**
   * Reads a calibration.
   *
   * @throws InvalidInputException if the file is too large or not what {@link #save} writes
   */
  public static Calibration load(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw InvalidInputException.of(
          "calibration file " + file,
          Files.size(file),
          "must have at most " + MAX_BYTES + " bytes",
          "calibrate again");
    }
    try {
      List<Calibration.Entry> entries =
          Arrays.asList(MAPPER.readValue(Files.readString(file), Calibration.Entry[].class));
      return Calibration.from(entries);
    } catch (JacksonException | NullPointerException e) {
      throw InvalidInputException.of(
          "calibration file " + file,
          e.getMessage(),
          "must be what a calibration was saved as",
          "calibrate again");
    }
  }
}
