package dev.muster.hal.sim.workload;

/**
 * Draws the arrivals of a Poisson process whose rate changes linearly, or by steps, between slots.
 *
 * <p>Inverts the integrated rate: the next arrival is where the integral has grown by an
 * exponential number of mean 1 (the time-varying arrivals of Spork, section 5.1). Inside a slot the
 * rate is {@code r0 + (r1 - r0) t / slot}, so the inverse is the root of a quadratic. O(1) per
 * arrival, constant memory.
 */
final class PoissonArrivals {
  private final double[] ratesPerSecond;
  private final RateShape shape;
  private final double slotSeconds;
  private final RandomStreams.Stream random;
  private final long horizonNanos;
  private int slot;
  private long lastNanos;

  /** Holds the expected number of arrivals between the start of the slot and the next arrival. */
  private double pending;

  /**
   * Starts the process.
   *
   * @param ratesPerSecond rate at the start of each slot, finite and at least 0; not modified
   * @param shape how the rate moves inside a slot
   * @param slotSeconds length of a slot
   * @param horizonNanos time before which all arrivals fall
   * @param random where the numbers come from, one for each arrival
   */
  PoissonArrivals(
      double[] ratesPerSecond,
      RateShape shape,
      double slotSeconds,
      long horizonNanos,
      RandomStreams.Stream random) {
    this.ratesPerSecond = ratesPerSecond;
    this.shape = shape;
    this.slotSeconds = slotSeconds;
    this.horizonNanos = horizonNanos;
    this.random = random;
    pending = random.nextExponential();
  }

  /**
   * Returns the time of the next arrival in nanoseconds, never less than the one before, or -1 when
   * none is left before the horizon.
   */
  long next() {
    while (slot < ratesPerSecond.length) {
      double r0 = ratesPerSecond[slot];
      double r1 = shape.end(ratesPerSecond, slot);
      double expected = (r0 + r1) / 2 * slotSeconds;
      if (pending <= expected) {
        double slope = (r1 - r0) / slotSeconds;
        double root = Math.sqrt(Math.max(0, r0 * r0 + 2 * slope * pending));
        double seconds = pending == 0 ? 0 : 2 * pending / (r0 + root);
        pending += random.nextExponential();
        // The last bit of the root may fall either side of the arrival before.
        lastNanos = Math.max(lastNanos, (long) ((slot * slotSeconds + seconds) * 1e9));
        return lastNanos < horizonNanos ? lastNanos : -1;
      }
      pending -= expected;
      slot++;
    }
    return -1;
  }
}
