package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;

/**
 * Describes a synthetic workload: b-model rates per minute, Poisson arrivals, one request size.
 *
 * <p>The defaults are the default setting of the Spork evaluation: b = 0.6, 120 minutes, a mean of
 * 100 CPU workers, a size drawn from 10 to 100 ms, deadlines at 10 sizes (section 5.1).
 */
public final class SyntheticWorkload {
  private SyntheticWorkload() {}

  /** Starts a description with the default setting. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a synthetic workload. */
  public static final class Builder {
    private double bias = 0.6;
    private int minutes = 120;
    private double meanWorkers = 100;
    private long leastSizeNanos = SizeBucket.SHORT.leastNanos();
    private long mostSizeNanos = SizeBucket.SHORT.mostNanos();
    private double deadlineFactor = 10;
    private long seed = 1;

    private Builder() {}

    /** Sets the burstiness b, at least 0.5 and below 1. */
    public Builder bias(double value) {
      bias = value;
      return this;
    }

    /** Sets the length in minutes. */
    public Builder minutes(int value) {
      minutes = value;
      return this;
    }

    /** Sets the mean number of busy reference workers. */
    public Builder meanWorkers(double value) {
      meanWorkers = value;
      return this;
    }

    /** Sets the range from which the trace's request size is drawn. */
    public Builder size(SizeBucket bucket) {
      return size(bucket.leastNanos(), bucket.mostNanos());
    }

    /** Sets the range from which the trace's request size is drawn, in nanoseconds. */
    public Builder size(long leastNanos, long mostNanos) {
      if (leastNanos < 1 || mostNanos < leastNanos) {
        throw InvalidInputException.of(
            "request sizes (ns)",
            leastNanos + ".." + mostNanos,
            "must be positive and in order",
            "give the least and the most service time on a CPU");
      }
      leastSizeNanos = leastNanos;
      mostSizeNanos = mostNanos;
      return this;
    }

    /** Sets the deadline after arrival, in sizes; at least 1. */
    public Builder deadlineFactor(double value) {
      deadlineFactor = value;
      return this;
    }

    /** Sets the root seed. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Builds the workload. */
    public Workload build() {
      RandomStreams streams = RandomStreams.of(seed);
      double[] shares = BModel.shares(minutes, bias, streams.stream("bias"));
      double drawn =
          leastSizeNanos + (mostSizeNanos - leastSizeNanos) * streams.stream("size").nextDouble();
      // An even number of microseconds, as in the evaluation: an FPGA at speed 2 needs no rounding.
      long sizeNanos =
          leastSizeNanos == mostSizeNanos ? leastSizeNanos : Math.round(drawn / 2_000) * 2_000;
      return new RateWorkload(
          "synthetic-b" + bias + "-seed" + seed,
          shares,
          60,
          sizeNanos,
          meanWorkers,
          deadlineFactor,
          streams);
    }
  }
}
