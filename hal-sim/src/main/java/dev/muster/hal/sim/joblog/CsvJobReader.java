package dev.muster.hal.sim.joblog;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.muster.api.InvalidInputException;
import dev.muster.hal.sim.joblog.CsvColumns.Column;
import dev.muster.hal.sim.joblog.CsvColumns.Field;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads CSV logs by a map of columns. */
final class CsvJobReader extends JobReader {
  private static final int MAX_COLUMNS = 512;
  private static final int MAX_CELL = 1 << 16;

  /** Bounds the memory that names take, whatever the log holds. */
  private static final int MAX_NAMES = 5_000_000;

  private static final double MAX_VALUE = 0x1.0p53;
  private static final Pattern CLOCK =
      Pattern.compile("(?:(\\d{1,5})-)?(\\d{1,6}):(\\d\\d):(\\d\\d)");

  private final CsvReader<CsvRecord> csv;
  private final CsvColumns map;
  private final Map<Field, Integer> places = new EnumMap<>(Field.class);
  private final Map<Field, Map<String, Long>> names = new EnumMap<>(Field.class);
  private @Nullable Iterator<CsvRecord> lines;
  private int known;

  CsvJobReader(InputStream in, String source, CsvColumns map) {
    super(source);
    this.map = map;
    csv =
        CsvReader.builder()
            .maxBufferSize(MAX_LINE)
            .allowUnclosedQuote(false)
            // Counted here, where the message can name the line.
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .build(
                CsvRecordHandler.builder()
                    .maxFields(MAX_COLUMNS)
                    .maxFieldSize(MAX_CELL)
                    .maxRecordSize(MAX_LINE)
                    .build(),
                new InputStreamReader(
                    in,
                    StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
  }

  @Override
  @Nullable JobRecord read() {
    try {
      if (lines == null) {
        lines = csv.iterator();
        locate(lines);
      }
      return lines.hasNext() ? job(lines.next()) : null;
    } catch (CsvParseException e) {
      Throwable cause = e.getCause();
      throw InvalidInputException.of(
          thing,
          '"' + e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()) + '"',
          "is not CSV of at most "
              + MAX_COLUMNS
              + " columns and "
              + MAX_LINE
              + " characters a line",
          "correct the file");
    }
  }

  /** Finds the mapped columns in the heading; those it lacks are unknown. */
  private void locate(Iterator<CsvRecord> records) {
    if (!records.hasNext()) {
      throw InvalidInputException.of(thing, "nothing", "must have a heading", "check the file");
    }
    CsvRecord heading = records.next();
    map.columns()
        .forEach(
            (field, column) -> {
              int place = heading.getFields().indexOf(column.name());
              if (place >= 0) {
                places.put(field, place);
              }
            });
    boolean run =
        places.containsKey(Field.RUN)
            || (places.containsKey(Field.START) && places.containsKey(Field.END))
            || (places.containsKey(Field.CORE_HOURS) && places.containsKey(Field.ALLOCATED));
    if (!places.containsKey(Field.SUBMIT) || !run) {
      throw InvalidInputException.of(
          thing + " heading",
          "columns found for " + places.keySet(),
          "must cover SUBMIT, and RUN, START with END, or CORE_HOURS with ALLOCATED",
          "name the log's own columns in the column map");
    }
  }

  private JobRecord job(CsvRecord line) {
    long submit = cell(line, Field.SUBMIT);
    if (submit < 0) {
      throw invalid(line, Field.SUBMIT, "", "must be a time from 1970 on");
    }
    long id = cell(line, Field.ID);
    long start = cell(line, Field.START);
    long allocated = cell(line, Field.ALLOCATED);
    long asked = cell(line, Field.PROCESSORS);
    return new JobRecord(
        new SubmittedJob(
            id < 0 ? line.getStartingLineNumber() : id,
            submit,
            asked > 0 ? asked : allocated,
            cell(line, Field.REQUESTED_TIME),
            cell(line, Field.MEMORY),
            cell(line, Field.USER),
            cell(line, Field.GROUP),
            cell(line, Field.EXECUTABLE),
            cell(line, Field.QUEUE),
            cell(line, Field.PARTITION)),
        new JobOutcome(
            start >= submit ? start - submit : SubmittedJob.UNKNOWN,
            run(line, start, allocated),
            allocated,
            cell(line, Field.STATUS)));
  }

  private long run(CsvRecord line, long start, long allocated) {
    if (places.containsKey(Field.RUN)) {
      return cell(line, Field.RUN);
    }
    if (places.containsKey(Field.END) && places.containsKey(Field.START)) {
      long end = cell(line, Field.END);
      return start > 0 && end >= start ? end - start : SubmittedJob.UNKNOWN;
    }
    String coreHours = text(line, Field.CORE_HOURS);
    return coreHours.isEmpty() || allocated <= 0
        ? SubmittedJob.UNKNOWN
        : Math.round(number(line, Field.CORE_HOURS, coreHours) * 3600 / allocated);
  }

  private String text(CsvRecord line, Field field) {
    Integer place = places.get(field);
    return place == null || place >= line.getFieldCount() ? "" : line.getField(place).strip();
  }

  /** Returns a cell's value, or {@link SubmittedJob#UNKNOWN} if it is empty or negative. */
  private long cell(CsvRecord line, Field field) {
    String text = text(line, field);
    Column column = map.columns().get(field);
    if (column == null || text.isEmpty()) {
      return SubmittedJob.UNKNOWN;
    }
    double value =
        switch (column.form()) {
          case NAME -> name(line, field, text);
          case NUMBER -> number(line, field, text);
          case MINUTES -> 60 * number(line, field, text);
          case HOURS -> 3600 * number(line, field, text);
          case SECONDS -> seconds(line, field, text);
          case TIME -> time(line, field, text);
        };
    return value < 0 ? SubmittedJob.UNKNOWN : (long) value;
  }

  private double number(CsvRecord line, Field field, String text) {
    try {
      double value = Double.parseDouble(text);
      if (value < MAX_VALUE) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Refused below, as numbers that are too large or no number.
    }
    if (field == Field.ID) {
      return SubmittedJob.UNKNOWN;
    }
    throw invalid(line, field, text, "must be a number below 2^53");
  }

  private double name(CsvRecord line, Field field, String text) {
    if (text.length() <= 15 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Long.parseLong(text);
    }
    Map<String, Long> numbers = names.computeIfAbsent(field, f -> new HashMap<>());
    Long number = numbers.get(text);
    if (number == null) {
      if (++known > MAX_NAMES) {
        throw invalid(line, field, text, "is one of over " + MAX_NAMES + " names");
      }
      number = (long) numbers.size();
      numbers.put(text, number);
    }
    return number;
  }

  private double seconds(CsvRecord line, Field field, String text) {
    Matcher clock = CLOCK.matcher(text);
    if (!clock.matches()) {
      return number(line, field, text);
    }
    long days = clock.group(1) == null ? 0 : Long.parseLong(clock.group(1));
    return ((days * 24 + Long.parseLong(clock.group(2))) * 60 + Long.parseLong(clock.group(3))) * 60
        + Long.parseLong(clock.group(4));
  }

  private double time(CsvRecord line, Field field, String text) {
    if (text.length() < 19 || text.charAt(4) != '-') {
      return number(line, field, text);
    }
    try {
      String iso = text.replace(' ', 'T');
      return LocalDateTime.parse(iso.endsWith("Z") ? iso.substring(0, iso.length() - 1) : iso)
          .toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      throw invalid(line, field, text, "must be seconds or yyyy-MM-dd HH:mm:ss");
    }
  }

  private InvalidInputException invalid(CsvRecord line, Field field, String text, String limit) {
    Column column = map.columns().get(field);
    return InvalidInputException.of(
        thing
            + " line "
            + line.getStartingLineNumber()
            + ", column "
            + (column == null ? field : column.name()),
        '"' + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + '"',
        limit,
        "correct the cell, or the column map");
  }

  @Override
  public void close() throws IOException {
    csv.close();
  }
}
