package dev.muster.hal.sim.workload;

/** Gives every arrival of a Poisson process the same size and slack. */
final class FixedSizeArrivals implements ArrivalSource {
  private final PoissonArrivals arrivals;
  private final long sizeNanos;
  private final long slackNanos;
  private long arrivalNanos;

  FixedSizeArrivals(PoissonArrivals arrivals, long sizeNanos, long slackNanos) {
    this.arrivals = arrivals;
    this.sizeNanos = sizeNanos;
    this.slackNanos = slackNanos;
  }

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
}
