package dev.muster.core.library;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Describes one design of an application: how long it takes and what it occupies.
 *
 * @param id unique within the application
 * @param xclbin name of the bitstream, if there is one
 * @param kernel name of the kernel inside it, if known
 * @param units number of compute units, at least 1
 * @param freqMhz clock, 0 when unknown
 * @param execMillis time of one run, end to end, in milliseconds, at least 1
 * @param footprint counts of resources
 * @param powerMilliwatts dynamic power while running, empty when unknown
 * @param origin where the figures come from
 */
public record LibraryVariant(
    String id,
    @Nullable String xclbin,
    @Nullable String kernel,
    int units,
    int freqMhz,
    long execMillis,
    Footprint footprint,
    OptionalLong powerMilliwatts,
    Origin origin) {
  /** Orders by time, then resources, then id: the order of Pareto lists. */
  public static final Comparator<LibraryVariant> FASTEST_FIRST =
      Comparator.comparingLong(LibraryVariant::execMillis)
          .thenComparingLong(v -> v.footprint.lut())
          .thenComparingLong(v -> v.footprint.ff())
          .thenComparingLong(v -> v.footprint.bram())
          .thenComparingLong(v -> v.footprint.dsp())
          .thenComparingLong(v -> v.footprint.uram())
          .thenComparing(LibraryVariant::id);

  private static final long MAX_EXEC_MILLIS = Duration.ofDays(30).toMillis();

  /**
   * Creates a variant.
   *
   * @throws InvalidInputException if a value is out of range
   */
  public LibraryVariant {
    if (id.isBlank() || id.length() > 100) {
      throw invalid(id, "id", '"' + id + '"', "must have 1 to 100 characters");
    }
    if (units < 1) {
      throw invalid(id, "compute units", units, "must be >= 1");
    }
    if (freqMhz < 0) {
      throw invalid(id, "frequency (MHz)", freqMhz, "must be >= 0");
    }
    if (execMillis < 1 || execMillis > MAX_EXEC_MILLIS) {
      throw invalid(
          id, "execution time (ms)", execMillis, "must be between 1 and " + MAX_EXEC_MILLIS);
    }
    if (powerMilliwatts.isPresent() && powerMilliwatts.getAsLong() < 0) {
      throw invalid(id, "power (mW)", powerMilliwatts.getAsLong(), "must be >= 0");
    }
  }

  /** Creates a variant of one unit of which no more is known. */
  public static LibraryVariant of(String id, long execMillis, Footprint footprint, Origin origin) {
    return new LibraryVariant(
        id, null, null, 1, 0, execMillis, footprint, OptionalLong.empty(), origin);
  }

  /** Tells whether a design exists that can be loaded: not one that was only predicted. */
  public boolean isBuildable() {
    return origin != Origin.PREDICTED;
  }

  /** Tells whether this variant is at least as good in everything and better in something. */
  boolean dominates(LibraryVariant other) {
    return execMillis <= other.execMillis
        && footprint.fitsIn(other.footprint)
        && (execMillis != other.execMillis || !footprint.equals(other.footprint));
  }

  private static InvalidInputException invalid(String id, String what, Object value, String limit) {
    return InvalidInputException.of(
        "library variant \"" + id + "\" " + what, value, limit, "correct the library");
  }
}
