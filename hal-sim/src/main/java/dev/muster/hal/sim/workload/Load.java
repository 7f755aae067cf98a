package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;

/**
 * Holds what turns the shape of a load into tasks, checked.
 *
 * @param meanWorkers mean number of busy reference workers, above 0 and at most 1e6
 * @param deadlineFactor deadline after arrival in sizes, 1 to 1e6
 * @param shape how the rate moves inside a minute
 */
record Load(double meanWorkers, double deadlineFactor, RateShape shape) {
  Load {
    if (!(meanWorkers > 0 && meanWorkers <= 1e6)) {
      throw InvalidInputException.of(
          "workload mean workers", meanWorkers, "must be in (0, 1e6]", "use 100 as the paper does");
    }
    if (!(deadlineFactor >= 1 && deadlineFactor <= 1e6)) {
      throw InvalidInputException.of(
          "workload deadline factor",
          deadlineFactor,
          "must be in [1, 1e6]",
          "use 10 as the paper does");
    }
  }

  /** Returns the time from the arrival of a task to its deadline. */
  long slackNanos(long sizeNanos) {
    return Math.round(deadlineFactor * sizeNanos);
  }
}
