package dev.muster.api;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Describes how one application runs on one kind of worker: time model, power, footprint, image.
 *
 * <p>A variant is a CPU implementation, an FPGA bitstream with a number of compute units, or any
 * other form. Its service time is {@code fixed + ceil(size * denominator / numerator)}, where size
 * is the task's service time on the reference worker (Spork section 4: a CPU runs a request in its
 * size, an FPGA in size / S).
 */
public final class Variant {
  private final String id;
  private final String workerType;
  private final long fixedNanos;
  private final int speedupNumerator;
  private final int speedupDenominator;
  private final boolean inheritsSpeedup;
  private final long powerMilliwatts;
  private final Footprint footprint;
  private final int units;
  private final @Nullable String image;

  private Variant(Builder b) {
    id = b.id;
    workerType = b.workerType;
    fixedNanos = b.fixedNanos;
    inheritsSpeedup = b.speedupNumerator == Builder.INHERIT;
    speedupNumerator = inheritsSpeedup ? 1 : b.speedupNumerator;
    speedupDenominator = b.speedupDenominator;
    powerMilliwatts = b.powerMilliwatts;
    footprint = b.footprint;
    units = b.units;
    image = b.image;
  }

  /**
   * Starts a variant that takes its speed and power from the worker type.
   *
   * @param id unique among the application's variants
   * @param workerType name of the {@link WorkerType} it runs on
   */
  public static Builder builder(String id, String workerType) {
    return new Builder(id, workerType);
  }

  /** Creates a variant with the speed and power of its worker type. */
  public static Variant of(String id, String workerType) {
    return builder(id, workerType).build();
  }

  /** Returns the id, unique among the application's variants. */
  public String id() {
    return id;
  }

  /** Returns the name of the worker type the variant runs on. */
  public String workerType() {
    return workerType;
  }

  /** Returns the resources the variant occupies. */
  public Footprint footprint() {
    return footprint;
  }

  /** Returns the number of compute units the image holds; 1 for a plain implementation. */
  public int units() {
    return units;
  }

  /**
   * Returns the image to load before a run (an xclbin path, a class name), or {@code null} when
   * nothing needs loading. Variants with equal images share one load.
   */
  public @Nullable String image() {
    return image;
  }

  /** Returns the power while running in milliwatts, or empty to use the worker type's. */
  public OptionalLong powerMilliwatts() {
    return powerMilliwatts < 0 ? OptionalLong.empty() : OptionalLong.of(powerMilliwatts);
  }

  /** Returns the part of the service time that does not depend on the task's size. */
  public long fixedNanos() {
    return fixedNanos;
  }

  /** Tells whether the variant takes the speed of its worker type. */
  public boolean inheritsSpeedup() {
    return inheritsSpeedup;
  }

  /** Returns the numerator of its speed relative to the reference worker; 1 if inherited. */
  public int speedupNumerator() {
    return speedupNumerator;
  }

  /** Returns the denominator of its speed relative to the reference worker; 1 if inherited. */
  public int speedupDenominator() {
    return speedupDenominator;
  }

  /** Returns a builder that holds this variant's values, to change some of them. */
  public Builder toBuilder() {
    Builder b = new Builder(id, workerType);
    b.fixedNanos = fixedNanos;
    b.powerMilliwatts = powerMilliwatts;
    b.footprint = footprint;
    b.units = units;
    b.image = image;
    if (!inheritsSpeedup) {
      b.speedupNumerator = speedupNumerator;
      b.speedupDenominator = speedupDenominator;
    }
    return b;
  }

  /**
   * Returns the service time of a task, in nanoseconds, rounded up. O(1), allocates nothing.
   *
   * @param sizeNanos reference service time, 0 to {@link Task#MAX_SIZE_NANOS}
   */
  public long serviceNanos(long sizeNanos) {
    if (speedupDenominator == 1 && (speedupNumerator & (speedupNumerator - 1)) == 0) {
      int shift = Integer.numberOfTrailingZeros(speedupNumerator);
      return fixedNanos + ((sizeNanos + speedupNumerator - 1) >> shift);
    }
    return fixedNanos + (sizeNanos * speedupDenominator + speedupNumerator - 1) / speedupNumerator;
  }

  /**
   * Returns the size of a task that took a service time, in nanoseconds, rounded down: the inverse
   * of {@link #serviceNanos}. O(1).
   *
   * @param serviceNanos the time a run took, load excluded
   */
  public long sizeNanos(long serviceNanos) {
    long scaled = Math.min(Math.max(0, serviceNanos - fixedNanos), Task.MAX_SIZE_NANOS);
    return Math.min(scaled * speedupNumerator / speedupDenominator, Task.MAX_SIZE_NANOS);
  }

  /**
   * Returns this variant with the worker type's speed filled in where it had none of its own.
   *
   * @throws InvalidInputException if the footprint exceeds the type's capacity
   */
  public Variant resolvedFor(WorkerType type) {
    if (!footprint.fitsIn(type.capacity())) {
      throw InvalidInputException.of(
          "variant \"" + id + "\" footprint",
          footprint,
          "must fit the capacity of " + type.name() + ", " + type.capacity(),
          "choose a smaller variant or a larger region");
    }
    if (!inheritsSpeedup) {
      return this;
    }
    return toBuilder().speedup(type.speedupNumerator(), type.speedupDenominator()).build();
  }

  @Override
  public String toString() {
    return id + "@" + workerType;
  }

  /** Builds a {@link Variant}; every setter validates at once. */
  public static final class Builder {
    private static final int INHERIT = 0;
    private final String id;
    private final String workerType;
    private long fixedNanos;
    private int speedupNumerator = INHERIT;
    private int speedupDenominator = 1;
    private long powerMilliwatts = -1;
    private Footprint footprint = Footprint.NONE;
    private int units = 1;
    private @Nullable String image;

    private Builder(String id, String workerType) {
      if (id.isBlank() || id.length() > 128) {
        throw InvalidInputException.of(
            "variant id", '"' + id + '"', "must have 1 to 128 characters", "name the variant");
      }
      this.id = id;
      this.workerType = workerType;
    }

    /** Sets the part of the service time that does not depend on the task's size. */
    public Builder fixed(Duration value) {
      if (value.isNegative() || value.compareTo(WorkerType.MAX_LATENCY) > 0) {
        throw invalid(
            "fixed time", value, "must be between 0 and " + WorkerType.MAX_LATENCY, "correct it");
      }
      fixedNanos = value.toNanos();
      return this;
    }

    /** Sets a speed of its own, relative to the reference worker. */
    public Builder speedup(int numerator, int denominator) {
      if (numerator < 1
          || denominator < 1
          || numerator > WorkerType.MAX_SPEEDUP_TERM
          || denominator > WorkerType.MAX_SPEEDUP_TERM) {
        throw invalid(
            "speedup",
            numerator + "/" + denominator,
            "must have terms between 1 and " + WorkerType.MAX_SPEEDUP_TERM,
            "give the speed as a reduced ratio, e.g. 3/2");
      }
      speedupNumerator = numerator;
      speedupDenominator = denominator;
      return this;
    }

    /** Sets the power while running, in watts, rounded to the milliwatt. */
    public Builder powerWatts(double watts) {
      if (!(watts >= 0 && watts <= WorkerType.MAX_WATTS)) {
        throw invalid(
            "power (W)", watts, "must be between 0 and " + WorkerType.MAX_WATTS, "correct it");
      }
      powerMilliwatts = Math.round(watts * 1e3);
      return this;
    }

    /** Sets the resources the variant occupies. */
    public Builder footprint(Footprint value) {
      footprint = value;
      return this;
    }

    /** Sets the number of compute units in the image. */
    public Builder units(int count) {
      if (count < 1) {
        throw invalid("units", count, "must be >= 1", "give the number of compute units");
      }
      units = count;
      return this;
    }

    /** Sets the image that must be loaded before a run. */
    public Builder image(String value) {
      image = value;
      return this;
    }

    /** Builds the variant. */
    public Variant build() {
      return new Variant(this);
    }

    private InvalidInputException invalid(String what, Object value, String limit, String next) {
      return InvalidInputException.of("variant \"" + id + "\" " + what, value, limit, next);
    }
  }
}
