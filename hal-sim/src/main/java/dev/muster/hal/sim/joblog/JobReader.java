package dev.muster.hal.sim.joblog;

import dev.muster.api.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Streams the jobs of a log, one at a time and in the log's order, gzip or plain.
 *
 * <p>Memory does not grow with the log. A line that makes no sense is refused by an {@link
 * InvalidInputException} that names file, line and column; failures of the stream itself come as
 * {@link UncheckedIOException}. For use by one thread.
 */
public abstract sealed class JobReader implements Iterator<JobRecord>, AutoCloseable
    permits SwfReader, CsvJobReader {
  /** Limits the characters of a line; lists of nodes make real lines long. */
  public static final int MAX_LINE = 1 << 20;

  /** Limits the jobs that {@link #readAll} holds. */
  public static final int MAX_JOBS = 5_000_000;

  private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};
  private static final byte[] UTF8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  final String thing;
  private @Nullable JobRecord next;
  private boolean ended;

  JobReader(String source) {
    thing = "job log " + source;
  }

  /** Opens a log in Standard Workload Format; see {@link SwfReader}. */
  public static JobReader swf(Path file) throws IOException {
    return swf(Files.newInputStream(file), file.toString());
  }

  /**
   * Reads a log in Standard Workload Format, gzip or plain.
   *
   * @param in the bytes; closed with the reader
   * @param source the name that messages use
   */
  public static JobReader swf(InputStream in, String source) throws IOException {
    return new SwfReader(plain(in, source), source);
  }

  /** Opens a CSV log whose columns a map names. */
  public static JobReader csv(Path file, CsvColumns columns) throws IOException {
    return csv(Files.newInputStream(file), file.toString(), columns);
  }

  /**
   * Reads a CSV log, gzip or plain, in UTF-8 with a heading line.
   *
   * @param in the bytes; closed with the reader
   * @param source the name that messages use
   * @param columns which column holds what
   */
  public static JobReader csv(InputStream in, String source, CsvColumns columns)
      throws IOException {
    return new CsvJobReader(plain(in, source), source, columns);
  }

  /** Returns the next job, or null at the end. */
  abstract @Nullable JobRecord read() throws IOException;

  @Override
  public final boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = read();
      } catch (UncheckedIOException e) {
        IOException cause = e.getCause();
        throw new UncheckedIOException(
            refusalOrFailure(cause == null ? new IOException(e) : cause));
      } catch (IOException e) {
        throw new UncheckedIOException(refusalOrFailure(e));
      }
      ended = next == null;
    }
    return next != null;
  }

  @Override
  public final JobRecord next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException(thing + " has no more jobs");
    }
    JobRecord job = next;
    next = null;
    return job;
  }

  /** Reads the jobs that are left, by time of submission; those of one second keep their order. */
  public final List<JobRecord> readAll() {
    List<JobRecord> jobs = new ArrayList<>();
    while (hasNext()) {
      jobs.add(next());
      if (jobs.size() > MAX_JOBS) {
        throw InvalidInputException.of(
            thing, "over " + MAX_JOBS + " jobs", "is too long to hold", "stream it, or split it");
      }
    }
    jobs.sort(Comparator.comparingLong(job -> job.submitted().submitSeconds()));
    return jobs;
  }

  @Override
  public abstract void close() throws IOException;

  /** Tells bytes that make no sense from a stream that failed. */
  private IOException refusalOrFailure(IOException e) {
    if (e instanceof ZipException || e instanceof EOFException) {
      throw InvalidInputException.of(
          thing, e.getMessage(), "is not a whole gzip file", "compress it again");
    }
    if (e instanceof CharacterCodingException) {
      throw InvalidInputException.of(thing, e.getMessage(), "is not UTF-8", "save it as UTF-8");
    }
    return e;
  }

  /** Unpacks what is packed and skips a byte order mark. */
  private static InputStream plain(InputStream in, String source) throws IOException {
    try {
      BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
      if (startsWith(bytes, GZIP_MAGIC)) {
        bytes = new BufferedInputStream(new GZIPInputStream(bytes, 1 << 16), 1 << 16);
      }
      if (startsWith(bytes, UTF8_MARK)) {
        bytes.skipNBytes(UTF8_MARK.length);
      }
      return bytes;
    } catch (ZipException | EOFException e) {
      in.close();
      throw InvalidInputException.of(
          "job log " + source, e.getMessage(), "is not a whole gzip file", "compress it again");
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private static boolean startsWith(BufferedInputStream bytes, byte[] magic) throws IOException {
    bytes.mark(magic.length);
    boolean found = Arrays.equals(bytes.readNBytes(magic.length), magic);
    bytes.reset();
    return found;
  }
}
