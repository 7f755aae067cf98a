package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.hal.sim.joblog.CsvColumns;
import dev.muster.hal.sim.joblog.CsvColumns.Field;
import dev.muster.hal.sim.joblog.CsvColumns.Form;
import dev.muster.hal.sim.joblog.JobReader;
import dev.muster.hal.sim.joblog.JobRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Says how job logs are read: Standard Workload Format, or CSV by a map of columns. */
final class JobLogOptions {
  /** Names a style of CSV. */
  enum Style {
    /** Reads the columns of ALCF's public logs. */
    ALCF,
    /** Reads the columns of MIT SuperCloud's Slurm log. */
    SUPERCLOUD,
    /** Reads the columns of Blue Waters' Torque log. */
    BLUEWATERS
  }

  @Option(
      names = "--csv",
      paramLabel = "STYLE",
      description = "The logs are CSV in the style of ${COMPLETION-CANDIDATES}, not SWF.")
  private @Nullable Style style;

  @Option(
      names = "--column",
      paramLabel = "FIELD=NAME[:FORM]",
      description = {
        "The logs are CSV; reads a field from another column, as a NUMBER,",
        "TIME, SECONDS, MINUTES, HOURS or NAME (default: what suits the field)."
      })
  private Map<Field, String> columns = new LinkedHashMap<>();

  /** Reads a log, by time of submission. */
  List<JobRecord> read(Path file) {
    boolean csv = style != null || !columns.isEmpty();
    if (!Files.isRegularFile(file)) {
      throw InvalidInputException.of("job log", file, "is no file", "name a log, plain or gzip");
    }
    try (JobReader reader = csv ? JobReader.csv(file, map()) : JobReader.swf(file)) {
      List<JobRecord> log = reader.readAll();
      if (log.isEmpty()) {
        throw InvalidInputException.of("job log " + file, "no jobs", "is empty", "check the file");
      }
      return log;
    } catch (IOException e) {
      throw InvalidInputException.of(
          "job log", file, "cannot be read: " + e.getMessage(), "check the file");
    }
  }

  private CsvColumns map() {
    CsvColumns.Builder builder =
        (style == null
            ? CsvColumns.builder()
            : switch (style) {
              case ALCF -> CsvColumns.alcf().toBuilder();
              case SUPERCLOUD -> CsvColumns.superCloud().toBuilder();
              case BLUEWATERS -> CsvColumns.blueWaters().toBuilder();
            });
    columns.forEach(
        (field, text) -> {
          int colon = text.lastIndexOf(':');
          String name = colon < 0 ? text : text.substring(0, colon);
          builder.column(field, name, colon < 0 ? usual(field) : form(text, colon));
        });
    return builder.build();
  }

  private static Form form(String text, int colon) {
    String name = text.substring(colon + 1).toUpperCase(Locale.ROOT);
    for (Form form : Form.values()) {
      if (form.name().equals(name)) {
        return form;
      }
    }
    throw InvalidInputException.of(
        "--column form", name, "must be one of " + List.of(Form.values()), "choose one of these");
  }

  private static Form usual(Field field) {
    return switch (field) {
      case SUBMIT, START, END -> Form.TIME;
      case RUN, REQUESTED_TIME -> Form.SECONDS;
      case ID, CORE_HOURS, PROCESSORS, ALLOCATED, MEMORY -> Form.NUMBER;
      case USER, GROUP, EXECUTABLE, QUEUE, PARTITION, STATUS -> Form.NAME;
    };
  }
}
