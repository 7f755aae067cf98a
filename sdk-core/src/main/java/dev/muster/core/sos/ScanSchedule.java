package dev.muster.core.sos;

import java.util.Arrays;

/**
 * Computes the two sums of the cost by a scan over all jobs, as the hardware's processing elements
 * and the published software baselines do. O(n) a query.
 *
 * <p>{@link SuffixSumSchedule} gives the same results faster.
 */
final class ScanSchedule implements VirtualSchedule {
  private long[] ratios = new long[16];
  private long[] times = new long[16];
  private long[] weights = new long[16];
  private long[] alphas = new long[16];
  private long[] jobs = new long[16];
  private int size;

  /** The first tick whose work the head has not got yet. */
  private long workedTo;

  @Override
  public int size() {
    return size;
  }

  @Override
  public long cost(long weight, long ept, long threshold, long tick) {
    long highTime = 0;
    long lowWeight = 0;
    for (int i = 0; i < size; i++) {
      if (ratios[i] > threshold) {
        highTime += times[i];
      } else {
        lowWeight += weights[i];
      }
    }
    if (size > 0) {
      long units = tick - workedTo;
      if (ratios[0] > threshold) {
        highTime -= units;
      } else {
        lowWeight -= units * ratios[0];
      }
    }
    return weight * (ept + highTime) + ept * lowWeight;
  }

  @Override
  public void insert(
      long job, long ratio, long weight, long ept, long alpha, long threshold, long tick) {
    work(tick);
    int at = 0;
    while (at < size && ratios[at] > threshold) {
      at++;
    }
    if (size == jobs.length) {
      grow();
    }
    move(at, at + 1, size - at);
    ratios[at] = ratio;
    times[at] = ept;
    weights[at] = weight;
    alphas[at] = alpha;
    jobs[at] = job;
    size++;
  }

  @Override
  public long releaseTick() {
    return size == 0 ? NEVER : workedTo + alphas[0] - 1;
  }

  @Override
  public long release() {
    workedTo = releaseTick() + 1;
    long job = jobs[0];
    size--;
    move(1, 0, size);
    return job;
  }

  @Override
  public boolean remove(long job, long tick) {
    for (int i = 0; i < size; i++) {
      if (jobs[i] == job) {
        work(tick);
        size--;
        move(i + 1, i, size - i);
        return true;
      }
    }
    return false;
  }

  @Override
  public long[] jobs() {
    return Arrays.copyOf(jobs, size);
  }

  private void work(long tick) {
    if (size > 0) {
      long units = tick - workedTo;
      times[0] -= units;
      weights[0] -= units * ratios[0];
      alphas[0] -= units;
    }
    workedTo = tick;
  }

  private void move(int from, int to, int count) {
    System.arraycopy(ratios, from, ratios, to, count);
    System.arraycopy(times, from, times, to, count);
    System.arraycopy(weights, from, weights, to, count);
    System.arraycopy(alphas, from, alphas, to, count);
    System.arraycopy(jobs, from, jobs, to, count);
  }

  private void grow() {
    int length = 2 * size;
    ratios = Arrays.copyOf(ratios, length);
    times = Arrays.copyOf(times, length);
    weights = Arrays.copyOf(weights, length);
    alphas = Arrays.copyOf(alphas, length);
    jobs = Arrays.copyOf(jobs, length);
  }
}
