package dev.muster.hal.sim.workload;

import java.util.Arrays;

/**
 * Draws the arrivals of a Poisson process whose rate changes linearly between slots.
 *
 * <p>Inverts the integrated rate: the next arrival is where the integral has grown by an
 * exponential number of mean 1. Inside a slot the rate is {@code r0 + (r1 - r0) t / slot}, so the
 * inverse is the root of a quadratic. The last slot is constant. O(1) per arrival, constant memory.
 */
final class PoissonArrivals {
  private final double[] ratesPerSecond;
  private final double slotSeconds;
  private final RandomStreams.Stream random;
  private final long horizonNanos;
  private int slot;

  /** Holds the expected number of arrivals between the start of the slot and the next arrival. */
  private double pending;

  PoissonArrivals(
      double[] ratesPerSecond, double slotSeconds, long horizonNanos, RandomStreams.Stream random) {
    this.ratesPerSecond = Arrays.copyOf(ratesPerSecond, ratesPerSecond.length);
    this.slotSeconds = slotSeconds;
    this.horizonNanos = horizonNanos;
    this.random = random;
    pending = random.nextExponential();
  }

  /** Returns the time of the next arrival, or -1 when none is left before the horizon. */
  long next() {
    while (slot < ratesPerSecond.length) {
      double r0 = ratesPerSecond[slot];
      double r1 = slot + 1 < ratesPerSecond.length ? ratesPerSecond[slot + 1] : r0;
      if (pending <= (r0 + r1) / 2 * slotSeconds) {
        double slope = (r1 - r0) / slotSeconds;
        double root = Math.sqrt(Math.max(0, r0 * r0 + 2 * slope * pending));
        double seconds = pending == 0 ? 0 : 2 * pending / (r0 + root);
        long nanos = (long) ((slot * slotSeconds + seconds) * 1e9);
        pending += random.nextExponential();
        return nanos < horizonNanos ? nanos : -1;
      }
      pending -= (r0 + r1) / 2 * slotSeconds;
      slot++;
    }
    return -1;
  }

  /** Returns the mean of the interpolated rate over all slots. */
  static double meanRate(double[] ratesPerSecond) {
    double sum = 0;
    for (int i = 0; i < ratesPerSecond.length; i++) {
      double next = i + 1 < ratesPerSecond.length ? ratesPerSecond[i + 1] : ratesPerSecond[i];
      sum += (ratesPerSecond[i] + next) / 2;
    }
    return sum / ratesPerSecond.length;
  }
}
