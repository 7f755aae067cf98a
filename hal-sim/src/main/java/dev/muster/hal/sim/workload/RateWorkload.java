package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.List;

/**
 * Draws the tasks of one application from rates per minute: Poisson arrivals, sizes from a range.
 *
 * <p>The rates are scaled so that the expected work, the integral of the rate times the mean size,
 * equals a mean number of reference workers. The deadline of a task is its arrival plus a multiple
 * of its size. Opening it again yields the same tasks; a cursor needs constant memory.
 */
final class RateWorkload implements Workload {
  private static final double SLOT_SECONDS = 60;
  private static final long SLOT_NANOS = 60_000_000_000L;

  /** Bounds rates to a task per nanosecond, the resolution of the clock. */
  private static final double MAX_RATE_PER_SECOND = 1e9;

  /** Bounds the expected work, far enough below overflow for what is drawn. */
  private static final double MAX_WORK_NANOS = 8e18;

  /** Bounds the slack; horizons are shorter than that by far, so that deadlines fit a long. */
  private static final double MAX_SLACK_NANOS = 0x1p62;

  private final String name;
  private final double[] ratesPerSecond;
  private final TaskSizes sizes;
  private final Load load;
  private final RandomStreams streams;

  /**
   * Creates a workload.
   *
   * @param shares relative rate at the start of each minute, finite and at least 0
   * @param sizes service times on the reference worker
   * @param streams where the streams "arrivals/" and "sizes/" plus the name come from
   * @throws InvalidInputException if a share is out of range, all are 0, or the rate, the work or
   *     the deadlines would overflow
   */
  RateWorkload(String name, double[] shares, TaskSizes sizes, Load load, RandomStreams streams) {
    this.name = name;
    this.sizes = sizes;
    this.load = load;
    this.streams = streams;
    for (int minute = 0; minute < shares.length; minute++) {
      require(shares[minute] >= 0, "rate of minute " + minute, shares[minute], "at least 0");
    }
    double mean = load.shape().mean(shares);
    require(mean > 0 && mean < Double.POSITIVE_INFINITY, "mean rate", mean, "positive and finite");
    double work = load.meanWorkers() * SLOT_NANOS * shares.length;
    require(work <= MAX_WORK_NANOS, "expected work (ns)", work, "at most 8e18");
    double slack = load.deadlineFactor() * sizes.mostNanos();
    require(slack <= MAX_SLACK_NANOS, "time to the deadline (ns)", slack, "at most 2^62");
    double scale = load.meanWorkers() * 1e9 / sizes.meanNanos() / mean;
    ratesPerSecond = new double[shares.length];
    for (int minute = 0; minute < shares.length; minute++) {
      double rate = shares[minute] * scale;
      require(rate <= MAX_RATE_PER_SECOND, "tasks per second", rate, "at most 1e9");
      ratesPerSecond[minute] = rate;
    }
  }

  private void require(boolean holds, String what, double value, String limit) {
    if (!holds) {
      throw InvalidInputException.of(
          "workload " + name + " " + what,
          value,
          "must be " + limit,
          "correct the rates, sizes or mean workers");
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
    return SLOT_NANOS * ratesPerSecond.length;
  }

  @Override
  public ArrivalSource open() {
    PoissonArrivals arrivals =
        new PoissonArrivals(
            ratesPerSecond,
            load.shape(),
            SLOT_SECONDS,
            horizonNanos(),
            streams.stream("arrivals/" + name));
    if (sizes.isFixed()) {
      long sizeNanos = sizes.mostNanos();
      return new FixedSizeArrivals(arrivals, sizeNanos, load.slackNanos(sizeNanos));
    }
    return new DrawnSizeArrivals(arrivals, sizes, streams.stream("sizes/" + name), load);
  }
}
