package dev.muster.hal.sim.workload;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.muster.api.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads {@link MinuteTrace}s from bytes that nobody vouches for. */
final class MinuteTraceReader {
  private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};
  private static final byte[] UTF8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /** Leaves room for a few columns beside the minutes. */
  private static final int MAX_COLUMNS = MinuteTrace.MAX_MINUTES + 64;

  private final String thing;
  private final String source;

  MinuteTraceReader(String source) {
    this.source = source;
    thing = "trace " + source;
  }

  MinuteTrace read(InputStream in) throws IOException {
    try (Reader text = decode(in)) {
      return new MinuteTrace(source, parse(text));
    } catch (UncheckedIOException e) {
      IOException cause = e.getCause();
      throw refusalOrFailure(cause == null ? new IOException(e) : cause);
    } catch (IOException e) {
      throw refusalOrFailure(e);
    }
  }

  /** Tells bytes that make no sense from a stream that failed. */
  private IOException refusalOrFailure(IOException e) {
    if (e instanceof ZipException || e instanceof EOFException) {
      throw InvalidInputException.of(
          thing, detail(e, "damaged"), "is not a whole gzip file", "compress it again");
    }
    if (e instanceof CharacterCodingException) {
      throw InvalidInputException.of(
          thing, detail(e, "malformed"), "is not UTF-8", "save it as UTF-8");
    }
    return e;
  }

  private static String detail(IOException e, String otherwise) {
    return e.getMessage() == null ? otherwise : '"' + e.getMessage() + '"';
  }

  private Reader decode(InputStream in) throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(in);
    if (startsWith(bytes, GZIP_MAGIC)) {
      bytes = new BufferedInputStream(new GZIPInputStream(bytes, 1 << 16));
    }
    if (startsWith(bytes, UTF8_MARK)) {
      bytes.skipNBytes(UTF8_MARK.length);
    }
    return new LimitedReader(
        new InputStreamReader(
            bytes,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)),
        MinuteTrace.MAX_CHARACTERS,
        thing);
  }

  private static boolean startsWith(BufferedInputStream bytes, byte[] magic) throws IOException {
    bytes.mark(magic.length);
    boolean found = Arrays.equals(bytes.readNBytes(magic.length), magic);
    bytes.reset();
    return found;
  }

  private List<MinuteTrace.Function> parse(Reader text) throws IOException {
    try (CsvReader<CsvRecord> records =
        CsvReader.builder()
            .maxBufferSize(MinuteTrace.MAX_LINE)
            .allowUnclosedQuote(false)
            // Counted here, where the message can name the line.
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .build(
                CsvRecordHandler.builder()
                    .maxFields(MAX_COLUMNS)
                    .maxFieldSize(MinuteTrace.MAX_CELL)
                    .maxRecordSize(MinuteTrace.MAX_LINE)
                    .build(),
                text)) {
      return functions(records);
    } catch (CsvParseException e) {
      throw InvalidInputException.of(
          thing,
          '"' + MinuteTraceColumns.shorten(describe(e)) + '"',
          "is not CSV of at most "
              + MAX_COLUMNS
              + " columns, "
              + MinuteTrace.MAX_CELL
              + " characters a cell and "
              + MinuteTrace.MAX_LINE
              + " a line",
          "correct the file");
    }
  }

  /** Returns what is wrong, which the library keeps in the cause when it knows the line. */
  private static String describe(CsvParseException e) {
    Throwable cause = e.getCause();
    return cause == null
        ? String.valueOf(e.getMessage())
        : e.getMessage() + ": " + cause.getMessage();
  }

  private List<MinuteTrace.Function> functions(Iterable<CsvRecord> records) {
    MinuteTraceColumns columns = null;
    List<MinuteTrace.Function> functions = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (CsvRecord line : records) {
      if (columns == null) {
        columns = MinuteTraceColumns.of(thing, line);
        continue;
      }
      MinuteTrace.Function function = columns.function(line);
      if (!names.add(function.name())) {
        throw columns.invalid(line, columns.name(), "must be unique", "remove the duplicate");
      }
      functions.add(function);
      if (functions.size() > MinuteTrace.MAX_FUNCTIONS
          || (long) functions.size() * columns.minutes() > MinuteTrace.MAX_COUNTS) {
        throw columns.invalid(
            line,
            columns.name(),
            "is one too many; the limits are "
                + MinuteTrace.MAX_FUNCTIONS
                + " functions and "
                + MinuteTrace.MAX_COUNTS
                + " counts",
            "split the file");
      }
    }
    return functions;
  }
}
