package dev.muster.hal.sim.workload;

import java.util.Arrays;

/**
 * Gives every arrival of a Poisson process a size drawn for it.
 *
 * <p>Arrivals that fall on the same nanosecond are few; they are gathered and ordered by size, and
 * so by deadline, as the contract of {@link ArrivalSource} asks.
 */
final class DrawnSizeArrivals implements ArrivalSource {
  private final PoissonArrivals arrivals;
  private final TaskSizes sizes;
  private final RandomStreams.Stream random;
  private final Load load;
  private long[] group = new long[8];
  private int count;
  private int position;
  private long arrivalNanos;
  private long followingNanos;

  DrawnSizeArrivals(
      PoissonArrivals arrivals, TaskSizes sizes, RandomStreams.Stream random, Load load) {
    this.arrivals = arrivals;
    this.sizes = sizes;
    this.random = random;
    this.load = load;
    followingNanos = arrivals.next();
  }

  @Override
  public boolean advance() {
    if (position + 1 < count) {
      position++;
      return true;
    }
    if (followingNanos < 0) {
      return false;
    }
    gather();
    return true;
  }

  private void gather() {
    arrivalNanos = followingNanos;
    position = 0;
    count = 0;
    do {
      if (count == group.length) {
        group = Arrays.copyOf(group, 2 * count);
      }
      group[count++] = sizes.draw(random);
      followingNanos = arrivals.next();
    } while (followingNanos == arrivalNanos);
    if (count > 1) {
      Arrays.sort(group, 0, count);
    }
  }

  @Override
  public long arrivalNanos() {
    return arrivalNanos;
  }

  @Override
  public long sizeNanos() {
    return group[position];
  }

  @Override
  public long deadlineNanos() {
    return arrivalNanos + load.slackNanos(group[position]);
  }
}
