package dev.muster.core.optimum;

import dev.muster.api.InvalidInputException;
import dev.muster.api.Objective;
import dev.muster.api.WorkerType;

/**
 * Holds the constants of the rate-based scheduling problem (Spork, Table 3).
 *
 * <p>Time is cut into intervals. Within one, work is divisible and finishes where it arrives;
 * workers come and go at once at the borders but pay for it. Energy is in joules, cost in dollars,
 * work in accelerator-intervals.
 *
 * @param intervalSeconds length of an interval
 * @param minOnIntervals how long an accelerator stays allocated at least, in intervals (S)
 * @param speedup work an accelerator does in the time a base worker does 1
 * @param accelerator energies and prices of the accelerator type
 * @param base energies and prices of the base type
 */
public record RateModel(
    double intervalSeconds, int minOnIntervals, double speedup, Worker accelerator, Worker base) {
  /**
   * Holds energies and prices of one worker type, per interval or per change.
   *
   * @param busyJoules energy of a busy interval (e_b)
   * @param idleJoules energy of an idle interval (e_i)
   * @param allocateJoules energy of allocating a worker (a)
   * @param releaseJoules energy of releasing a worker (d)
   * @param dollars price of an interval
   * @param allocateDollars price of the time it takes to allocate a worker
   * @param releaseDollars price of the time it takes to release a worker
   */
  public record Worker(
      double busyJoules,
      double idleJoules,
      double allocateJoules,
      double releaseJoules,
      double dollars,
      double allocateDollars,
      double releaseDollars) {
    static Worker of(WorkerType type, double intervalSeconds) {
      double watts = type.busyPowerMilliwatts() / 1e3;
      double dollarsPerSecond = type.priceMicrodollarsPerHour() / 3.6e9;
      double up = type.spinUpNanos() / 1e9;
      double down = type.spinDownNanos() / 1e9;
      return new Worker(
          watts * intervalSeconds,
          type.idlePowerMilliwatts() / 1e3 * intervalSeconds,
          watts * up,
          watts * down,
          dollarsPerSecond * intervalSeconds,
          dollarsPerSecond * up,
          dollarsPerSecond * down);
    }
  }

  /**
   * Creates the model of two worker types.
   *
   * @param accelerator stays allocated for at least its spin-up time, rounded up to intervals
   * @param base what runs the rest
   * @param intervalSeconds length of an interval, above 0
   */
  public static RateModel of(WorkerType accelerator, WorkerType base, double intervalSeconds) {
    if (!(intervalSeconds > 0 && intervalSeconds <= 86_400)) {
      throw InvalidInputException.of(
          "optimum interval (s)", intervalSeconds, "must be in (0, 86400]", "use 1");
    }
    double speedup =
        (double) accelerator.speedupNumerator()
            / accelerator.speedupDenominator()
            * base.speedupDenominator()
            / base.speedupNumerator();
    int minOn = (int) Math.max(1, Math.ceil(accelerator.spinUpNanos() / 1e9 / intervalSeconds));
    return new RateModel(
        intervalSeconds,
        minOn,
        speedup,
        Worker.of(accelerator, intervalSeconds),
        Worker.of(base, intervalSeconds));
  }

  /** Returns the model with another least time an accelerator stays allocated. */
  public RateModel withMinOn(int intervals) {
    return new RateModel(intervalSeconds, Math.max(1, intervals), speedup, accelerator, base);
  }

  /** Weighs an amount of energy and cost, each by what a busy accelerator uses in an interval. */
  double weigh(Objective objective, double joules, double dollars) {
    double value = 0;
    if (objective.energyWeight() > 0) {
      value += objective.energyWeight() * joules / accelerator.busyJoules;
    }
    if (objective.costWeight() > 0) {
      value += objective.costWeight() * dollars / accelerator.dollars;
    }
    return value;
  }
}
