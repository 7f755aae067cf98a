package dev.muster.hal.sim.workload;

/** Names the ranges of request sizes that Spork evaluates (Table 7), both ends included. */
public enum SizeBucket {
  /** Holds 10 to 100 ms. */
  SHORT(10_000_000L, 100_000_000L),
  /** Holds 100 ms to 1 s. */
  MEDIUM(100_000_000L, 1_000_000_000L),
  /** Holds 1 to 10 s. */
  LONG(1_000_000_000L, 10_000_000_000L);

  private final long leastNanos;
  private final long mostNanos;

  SizeBucket(long leastNanos, long mostNanos) {
    this.leastNanos = leastNanos;
    this.mostNanos = mostNanos;
  }

  /** Returns the smallest size, in nanoseconds of service on the reference worker. */
  public long leastNanos() {
    return leastNanos;
  }

  /** Returns the largest size, in nanoseconds of service on the reference worker. */
  public long mostNanos() {
    return mostNanos;
  }
}
