package dev.muster.hal.sim.workload;

import org.jspecify.annotations.Nullable;

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
    private @Nullable String name;
    private double bias = 0.6;
    private int minutes = 120;
    private double meanWorkers = 100;
    private TaskSizes sizes = range(SizeBucket.SHORT);
    private boolean sizePerTask;
    private double deadlineFactor = 10;
    private RateShape shape = RateShape.LINEAR;
    private long seed = 1;

    private Builder() {}

    private static TaskSizes range(SizeBucket bucket) {
      return TaskSizes.between(bucket.leastNanos(), bucket.mostNanos());
    }

    /**
     * Sets the name of the workload and its application (default: made of bias and seed). It also
     * names the stream of the arrivals: of one seed, two names give independent arrivals.
     */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** Sets the burstiness b, at least 0.5 and below 1 (default 0.6). */
    public Builder bias(double value) {
      bias = value;
      return this;
    }

    /** Sets the length in minutes, 1 to 2^20 (default 120). */
    public Builder minutes(int value) {
      minutes = value;
      return this;
    }

    /** Sets the mean number of busy reference workers, above 0 and at most 1e6 (default 100). */
    public Builder meanWorkers(double value) {
      meanWorkers = value;
      return this;
    }

    /** Sets the range from which the trace's request size is drawn (default short requests). */
    public Builder size(SizeBucket bucket) {
      sizes = range(bucket);
      return this;
    }

    /**
     * Sets the range from which the trace's request size is drawn, in nanoseconds.
     *
     * @throws dev.muster.api.InvalidInputException if it is empty or not from 1 to {@link
     *     dev.muster.api.Task#MAX_SIZE_NANOS}
     */
    public Builder size(long leastNanos, long mostNanos) {
      sizes = TaskSizes.between(leastNanos, mostNanos);
      return this;
    }

    /** Draws a size for every task, where the paper draws one for the whole trace. */
    public Builder sizePerTask() {
      sizePerTask = true;
      return this;
    }

    /** Sets the deadline after arrival in sizes, 1 to 1e6 (default 10). */
    public Builder deadlineFactor(double value) {
      deadlineFactor = value;
      return this;
    }

    /** Sets how the rate moves inside a minute (default linear, as in the paper). */
    public Builder rateShape(RateShape value) {
      shape = value;
      return this;
    }

    /** Sets the root seed (default 1). */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /**
     * Builds the workload.
     *
     * @throws dev.muster.api.InvalidInputException if a parameter is out of range
     */
    public Workload build() {
      Load load = new Load(meanWorkers, deadlineFactor, shape);
      RandomStreams streams = RandomStreams.of(seed);
      double[] shares = BModel.shares(minutes, bias, streams.stream("bias"));
      return new RateWorkload(
          name == null ? "synthetic-b" + bias + "-seed" + seed : name,
          shares,
          sizePerTask ? sizes : sizes.drawOne(streams.stream("size")),
          load,
          streams);
    }
  }
}
