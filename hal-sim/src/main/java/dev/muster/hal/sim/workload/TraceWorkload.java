package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns a per-minute trace into workloads, one per function, each for a fleet of its own.
 *
 * <p>The busiest window of a function is cut out, its rates are scaled to a mean number of busy
 * reference workers, and tasks arrive by a Poisson process whose rate changes linearly within each
 * minute; every task of a function takes the function's mean duration (Spork, section 5.1, but for
 * the scaling, which sampled traces need).
 */
public final class TraceWorkload {
  private static final int WINDOW_STEP_MINUTES = 10;

  private TraceWorkload() {}

  /** Starts a description with the defaults. */
  public static Builder builder(MinuteTrace trace) {
    return new Builder(trace);
  }

  /** Builds the workloads of a trace. */
  public static final class Builder {
    private final MinuteTrace trace;
    private int windowMinutes = 120;
    private double meanWorkers = 20;
    private double leastMeanRate = 5;
    private int leastActiveMinutes = 100;
    private long leastSizeNanos = 1;
    private long mostSizeNanos = Long.MAX_VALUE;
    private double deadlineFactor = 10;
    private RateShape shape = RateShape.LINEAR;
    private long seed = 1;

    private Builder(MinuteTrace trace) {
      this.trace = trace;
    }

    /**
     * Sets the length of the busiest window to take, in minutes (default 120). Windows start every
     * 10 minutes; a trace that is shorter is taken whole.
     */
    public Builder windowMinutes(int value) {
      windowMinutes = value;
      return this;
    }

    /**
     * Sets the mean number of busy reference workers to scale each function to, above 0 and at most
     * 1e6 (default 20).
     */
    public Builder meanWorkers(double value) {
      meanWorkers = value;
      return this;
    }

    /** Leaves out functions with fewer invocations per minute in their window (default 5). */
    public Builder leastMeanRate(double perMinute) {
      leastMeanRate = perMinute;
      return this;
    }

    /**
     * Leaves out functions with fewer minutes of the window that saw an invocation (default 100); a
     * window shorter than that must be active throughout.
     */
    public Builder leastActiveMinutes(int value) {
      leastActiveMinutes = value;
      return this;
    }

    /**
     * Leaves out functions whose mean duration is not in a bucket, its ends included (default: only
     * those below a microsecond).
     */
    public Builder sizes(SizeBucket bucket) {
      leastSizeNanos = bucket.leastNanos();
      mostSizeNanos = bucket.mostNanos();
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
     * Builds one workload per function that is left, in the order of the trace.
     *
     * @throws InvalidInputException if a parameter is out of range or no function is left
     */
    public List<Workload> build() {
      Load load = new Load(meanWorkers, deadlineFactor, shape);
      validateFilters();
      RandomStreams streams = RandomStreams.of(seed);
      List<Workload> workloads = new ArrayList<>();
      for (MinuteTrace.Function function : trace.functions()) {
        long sizeNanos = Math.round(function.meanMillis() * 500) * 2_000;
        double[] window = busiestWindow(function.invocations());
        if (sizeNanos >= leastSizeNanos && sizeNanos <= mostSizeNanos && isBusy(window)) {
          TaskSizes size = TaskSizes.between(sizeNanos, sizeNanos);
          workloads.add(new RateWorkload(function.name(), window, size, load, streams));
        }
      }
      if (workloads.isEmpty()) {
        throw InvalidInputException.of(
            "trace " + trace.source(),
            trace.functions().size() + " functions",
            "holds none with at least "
                + leastMeanRate
                + " invocations a minute and "
                + leastActiveMinutes
                + " active minutes in the asked size range",
            "relax the filters or use another trace");
      }
      return workloads;
    }

    /**
     * Builds one workload of all functions that are left, each scaled as by itself, so that they
     * share a fleet. Its name is the trace's source.
     *
     * @throws InvalidInputException if a parameter is out of range or no function is left
     */
    public Workload buildMerged() {
      return Workloads.merge(trace.source(), build());
    }

    private void validateFilters() {
      if (windowMinutes < 1 || windowMinutes > MinuteTrace.MAX_MINUTES) {
        throw InvalidInputException.of(
            "trace window (minutes)",
            windowMinutes,
            "must be between 1 and " + MinuteTrace.MAX_MINUTES,
            "use 120");
      }
      if (!(leastMeanRate >= 0 && leastMeanRate < Double.POSITIVE_INFINITY)) {
        throw InvalidInputException.of(
            "least mean rate (1/min)", leastMeanRate, "must be finite and at least 0", "use 5");
      }
      if (leastActiveMinutes < 0 || leastActiveMinutes > MinuteTrace.MAX_MINUTES) {
        throw InvalidInputException.of(
            "least active minutes",
            leastActiveMinutes,
            "must be between 0 and " + MinuteTrace.MAX_MINUTES,
            "use 100");
      }
    }

    private boolean isBusy(double[] window) {
      double sum = 0;
      int active = 0;
      for (double invocations : window) {
        sum += invocations;
        active += invocations > 0 ? 1 : 0;
      }
      return sum > 0
          && sum / window.length >= leastMeanRate
          && active >= Math.min(leastActiveMinutes, window.length);
    }

    /** Returns the window with most invocations, the first of equals. */
    private double[] busiestWindow(List<Double> minutes) {
      int length = Math.min(windowMinutes, minutes.size());
      int best = 0;
      double most = -1;
      for (int start = 0; start + length <= minutes.size(); start += WINDOW_STEP_MINUTES) {
        double sum = 0;
        for (int i = 0; i < length; i++) {
          sum += minutes.get(start + i);
        }
        if (sum > most) {
          most = sum;
          best = start;
        }
      }
      double[] window = new double[length];
      for (int i = 0; i < length; i++) {
        window[i] = minutes.get(best + i);
      }
      return window;
    }
  }
}
