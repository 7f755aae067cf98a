package dev.muster.api;

import java.time.Duration;

/**
 * Describes what all workers of one kind have in common: latencies, speed, power and price.
 *
 * <p>These are the parameters of Spork's Table 6, plus what variants and regions need. A type is
 * data: nothing in Muster asks whether it "is" an FPGA or a CPU. Policies rank types by energy per
 * unit of work and by spin-up time.
 *
 * <p>Quantities are kept as exact integers (nanoseconds, milliwatts, microdollars per hour) so that
 * no decision depends on floating-point rounding.
 */
public final class WorkerType {
  /** Bounds each term of the speedup ratio, so that service times cannot overflow. */
  public static final int MAX_SPEEDUP_TERM = 1_000;

  /** Bounds power, in watts. */
  public static final double MAX_WATTS = 1e6;

  /** Bounds price, in dollars per hour. */
  public static final double MAX_DOLLARS_PER_HOUR = 1e6;

  /** Bounds every latency of a worker type. */
  public static final Duration MAX_LATENCY = Duration.ofDays(30);

  private final String name;
  private final long spinUpNanos;
  private final long spinDownNanos;
  private final long idleTimeoutNanos;
  private final long loadNanos;
  private final int speedupNumerator;
  private final int speedupDenominator;
  private final long busyPowerMilliwatts;
  private final long idlePowerMilliwatts;
  private final long priceMicrodollarsPerHour;
  private final int maxWorkers;
  private final Footprint capacity;

  private WorkerType(Builder b) {
    name = b.name;
    spinUpNanos = b.spinUpNanos;
    spinDownNanos = b.spinDownNanos;
    idleTimeoutNanos = b.idleTimeoutNanos < 0 ? b.spinUpNanos : b.idleTimeoutNanos;
    loadNanos = b.loadNanos;
    speedupNumerator = b.speedupNumerator;
    speedupDenominator = b.speedupDenominator;
    busyPowerMilliwatts = b.busyPowerMilliwatts;
    idlePowerMilliwatts = b.idlePowerMilliwatts;
    priceMicrodollarsPerHour = b.priceMicrodollarsPerHour;
    maxWorkers = b.maxWorkers;
    capacity = b.capacity;
  }

  /**
   * Starts a description with no latencies, speed 1, no power, no price, no limit on the number of
   * workers and no limit on the footprint.
   *
   * @param name unique in a fleet; stable, printed in reports
   * @throws InvalidInputException if the name is blank or longer than 64 characters
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Returns a builder that holds this type's values, to change some of them. */
  public Builder toBuilder() {
    Builder b = new Builder(name);
    b.spinUpNanos = spinUpNanos;
    b.spinDownNanos = spinDownNanos;
    b.idleTimeoutNanos = idleTimeoutNanos;
    b.loadNanos = loadNanos;
    b.speedupNumerator = speedupNumerator;
    b.speedupDenominator = speedupDenominator;
    b.busyPowerMilliwatts = busyPowerMilliwatts;
    b.idlePowerMilliwatts = idlePowerMilliwatts;
    b.priceMicrodollarsPerHour = priceMicrodollarsPerHour;
    b.maxWorkers = maxWorkers;
    b.capacity = capacity;
    return b;
  }

  /** Returns the name, unique in a fleet. */
  public String name() {
    return name;
  }

  /** Returns the time from provisioning to ready, in nanoseconds (A in Spork's Table 6). */
  public long spinUpNanos() {
    return spinUpNanos;
  }

  /** Returns the time a released worker still draws power and costs money, in nanoseconds (D). */
  public long spinDownNanos() {
    return spinDownNanos;
  }

  /** Returns how long a worker may idle before it is reclaimed, in nanoseconds. */
  public long idleTimeoutNanos() {
    return idleTimeoutNanos;
  }

  /** Returns the time to load another image into a ready worker, in nanoseconds; 0 = no loading. */
  public long loadNanos() {
    return loadNanos;
  }

  /** Returns the numerator of the speed relative to the reference worker (S). */
  public int speedupNumerator() {
    return speedupNumerator;
  }

  /** Returns the denominator of the speed relative to the reference worker (S). */
  public int speedupDenominator() {
    return speedupDenominator;
  }

  /** Returns the power while running, spinning up or spinning down, in milliwatts (B). */
  public long busyPowerMilliwatts() {
    return busyPowerMilliwatts;
  }

  /** Returns the power while ready and idle, in milliwatts (I). */
  public long idlePowerMilliwatts() {
    return idlePowerMilliwatts;
  }

  /** Returns the price of occupying a worker, in microdollars per hour (C). */
  public long priceMicrodollarsPerHour() {
    return priceMicrodollarsPerHour;
  }

  /** Returns how many workers of the type may be allocated at once. */
  public int maxWorkers() {
    return maxWorkers;
  }

  /** Returns the resources one worker offers to a variant. */
  public Footprint capacity() {
    return capacity;
  }

  @Override
  public String toString() {
    return name
        + "[spin-up "
        + Duration.ofNanos(spinUpNanos)
        + ", speed "
        + speedupNumerator
        + "/"
        + speedupDenominator
        + ", "
        + busyPowerMilliwatts / 1e3
        + "/"
        + idlePowerMilliwatts / 1e3
        + " W, $"
        + priceMicrodollarsPerHour / 1e6
        + "/h]";
  }

  /** Builds a {@link WorkerType}; every setter validates at once and names the offending value. */
  public static final class Builder {
    private final String name;
    private long spinUpNanos;
    private long spinDownNanos;
    private long idleTimeoutNanos = -1;
    private long loadNanos;
    private int speedupNumerator = 1;
    private int speedupDenominator = 1;
    private long busyPowerMilliwatts;
    private long idlePowerMilliwatts;
    private long priceMicrodollarsPerHour;
    private int maxWorkers = Integer.MAX_VALUE;
    private Footprint capacity = Footprint.UNLIMITED;

    private Builder(String name) {
      if (name.isBlank() || name.length() > 64) {
        throw InvalidInputException.of(
            "worker type name", '"' + name + '"', "must have 1 to 64 characters", "name the type");
      }
      this.name = name;
    }

    /** Sets the time from provisioning to ready (A). */
    public Builder spinUp(Duration value) {
      spinUpNanos = latency("spin-up", value);
      return this;
    }

    /** Sets the time a released worker still draws power and costs money (D). */
    public Builder spinDown(Duration value) {
      spinDownNanos = latency("spin-down", value);
      return this;
    }

    /** Sets how long a worker may idle before it is reclaimed; the default is the spin-up time. */
    public Builder idleTimeout(Duration value) {
      idleTimeoutNanos = latency("idle timeout", value);
      return this;
    }

    /** Sets the time to load another image into a ready worker. */
    public Builder load(Duration value) {
      loadNanos = latency("load time", value);
      return this;
    }

    /** Sets a whole-number speed relative to the reference worker (S). */
    public Builder speedup(int times) {
      return speedup(times, 1);
    }

    /** Sets the speed relative to the reference worker as a ratio (S). */
    public Builder speedup(int numerator, int denominator) {
      speedupNumerator = speedupTerm("numerator", numerator);
      speedupDenominator = speedupTerm("denominator", denominator);
      return this;
    }

    /** Sets busy power B and idle power I in watts; both are rounded to the milliwatt. */
    public Builder power(double busyWatts, double idleWatts) {
      busyPowerMilliwatts = Math.round(amount("busy power (W)", busyWatts, MAX_WATTS) * 1e3);
      idlePowerMilliwatts = Math.round(amount("idle power (W)", idleWatts, MAX_WATTS) * 1e3);
      return this;
    }

    /** Sets the price of occupying a worker in dollars per hour (C), rounded to the microdollar. */
    public Builder price(double dollarsPerHour) {
      priceMicrodollarsPerHour =
          Math.round(amount("price ($/h)", dollarsPerHour, MAX_DOLLARS_PER_HOUR) * 1e6);
      return this;
    }

    /** Sets how many workers may be allocated at once. */
    public Builder maxWorkers(int count) {
      if (count < 0) {
        throw invalid("max workers", count, "must be >= 0", "give the number of devices you have");
      }
      maxWorkers = count;
      return this;
    }

    /** Sets the resources one worker offers to a variant. */
    public Builder capacity(Footprint value) {
      capacity = value;
      return this;
    }

    /** Builds the type. */
    public WorkerType build() {
      return new WorkerType(this);
    }

    private long latency(String what, Duration value) {
      if (value.isNegative() || value.compareTo(MAX_LATENCY) > 0) {
        throw invalid(what, value, "must be between 0 and " + MAX_LATENCY, "give it as a duration");
      }
      return value.toNanos();
    }

    private int speedupTerm(String what, int value) {
      if (value < 1 || value > MAX_SPEEDUP_TERM) {
        throw invalid(
            "speedup " + what,
            value,
            "must be between 1 and " + MAX_SPEEDUP_TERM,
            "give the speed as a reduced ratio, e.g. 3/2");
      }
      return value;
    }

    private double amount(String what, double value, double max) {
      if (!(value >= 0 && value <= max)) {
        throw invalid(what, value, "must be between 0 and " + max, "give a finite amount");
      }
      return value;
    }

    private InvalidInputException invalid(String what, Object value, String limit, String next) {
      return InvalidInputException.of("worker type \"" + name + "\" " + what, value, limit, next);
    }
  }
}
