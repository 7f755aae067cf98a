package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;
import java.util.Arrays;
import java.util.List;

/**
 * Draws the tasks of one application from rates per slot: Poisson arrivals of one size.
 *
 * <p>The rates are scaled so that the expected work equals a mean number of reference workers. The
 * deadline of a task is its arrival plus a multiple of its size. Opening it again yields the same
 * tasks; a cursor needs constant memory.
 */
final class RateWorkload implements Workload {
  private final String name;
  private final double[] ratesPerSecond;
  private final double slotSeconds;
  private final long sizeNanos;
  private final long slackNanos;
  private final RandomStreams streams;

  /**
   * Creates a workload.
   *
   * @param shares relative rate at the start of each slot
   * @param slotSeconds length of a slot
   * @param sizeNanos service time of a task on the reference worker
   * @param meanWorkers mean number of busy reference workers to scale to
   * @param deadlineFactor deadline after arrival, in sizes
   */
  RateWorkload(
      String name,
      double[] shares,
      double slotSeconds,
      long sizeNanos,
      double meanWorkers,
      double deadlineFactor,
      RandomStreams streams) {
    this.name = name;
    this.slotSeconds = slotSeconds;
    this.sizeNanos = sizeNanos;
    this.streams = streams;
    if (sizeNanos < 1 || sizeNanos > Task.MAX_SIZE_NANOS) {
      throw InvalidInputException.of(
          "workload " + name + " request size (ns)",
          sizeNanos,
          "must be between 1 and " + Task.MAX_SIZE_NANOS,
          "give the mean service time on a CPU");
    }
    require("mean workers", meanWorkers, meanWorkers > 0 && meanWorkers <= 1e6, "in (0, 1e6]");
    require(
        "deadline factor",
        deadlineFactor,
        deadlineFactor >= 1 && deadlineFactor <= 1e6,
        "in [1, 1e6]");
    slackNanos = Math.round(deadlineFactor * sizeNanos);
    double mean = PoissonArrivals.meanRate(shares);
    require("mean rate", mean, mean > 0 && mean < Double.POSITIVE_INFINITY, "positive and finite");
    double scale = meanWorkers * 1e9 / sizeNanos / mean;
    ratesPerSecond = Arrays.stream(shares).map(share -> share * scale).toArray();
  }

  private void require(String what, double value, boolean holds, String limit) {
    if (!holds) {
      throw InvalidInputException.of(
          "workload " + name + " " + what, value, "must be " + limit, "correct it");
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> applications() {
    return List.of(name);
  }

  @Override
  public long horizonNanos() {
    return Math.round(slotSeconds * ratesPerSecond.length * 1e9);
  }

  @Override
  public ArrivalSource open() {
    PoissonArrivals arrivals =
        new PoissonArrivals(
            ratesPerSecond, slotSeconds, horizonNanos(), streams.stream("arrivals/" + name));
    return new ArrivalSource() {
      private long arrivalNanos;

      @Override
      public boolean advance() {
        arrivalNanos = arrivals.next();
        return arrivalNanos >= 0;
      }

      @Override
      public long arrivalNanos() {
        return arrivalNanos;
      }

      @Override
      public long sizeNanos() {
        return sizeNanos;
      }

      @Override
      public long deadlineNanos() {
        return arrivalNanos + slackNanos;
      }
    };
  }
}
