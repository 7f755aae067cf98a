package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;

/**
 * Draws service times uniformly from a range.
 *
 * <p>Sizes are even numbers of microseconds, so that a worker of twice the speed needs no rounding;
 * only a range that holds no such number is drawn from by the nanosecond.
 */
final class TaskSizes {
  private static final long GRID_NANOS = 2_000;

  private final long leastNanos;
  private final long mostNanos;
  private final long unitNanos;
  private final long leastUnits;
  private final long mostUnits;

  private TaskSizes(long leastNanos, long mostNanos) {
    this.leastNanos = leastNanos;
    this.mostNanos = mostNanos;
    boolean hasGrid = Math.ceilDiv(leastNanos, GRID_NANOS) <= mostNanos / GRID_NANOS;
    unitNanos = hasGrid ? GRID_NANOS : 1;
    leastUnits = Math.ceilDiv(leastNanos, unitNanos);
    mostUnits = mostNanos / unitNanos;
  }

  /** Creates the sizes of a range, both ends included, in nanoseconds. */
  static TaskSizes between(long leastNanos, long mostNanos) {
    if (leastNanos < 1 || mostNanos < leastNanos || mostNanos > Task.MAX_SIZE_NANOS) {
      throw InvalidInputException.of(
          "request sizes (ns)",
          leastNanos + ".." + mostNanos,
          "must be in order, from 1 to " + Task.MAX_SIZE_NANOS,
          "give the least and the most service time on a CPU");
    }
    return new TaskSizes(leastNanos, mostNanos);
  }

  /** Draws one size for all tasks: uniform in the range, rounded to the nearest one allowed. */
  TaskSizes drawOne(RandomStreams.Stream random) {
    double drawn = leastNanos + (mostNanos - leastNanos) * random.nextDouble();
    long units = Math.clamp(Math.round(drawn / unitNanos), leastUnits, mostUnits);
    return new TaskSizes(units * unitNanos, units * unitNanos);
  }

  /** Draws the size of a task: every size allowed is equally likely. */
  long draw(RandomStreams.Stream random) {
    return (leastUnits + (long) (random.nextDouble() * (mostUnits - leastUnits + 1))) * unitNanos;
  }

  boolean isFixed() {
    return leastUnits == mostUnits;
  }

  double meanNanos() {
    return (leastUnits + mostUnits) / 2.0 * unitNanos;
  }

  long mostNanos() {
    return mostUnits * unitNanos;
  }
}
