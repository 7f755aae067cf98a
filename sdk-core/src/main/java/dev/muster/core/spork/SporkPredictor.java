package dev.muster.core.spork;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Predicts how many accelerators the next interval will need, by least expected cost.
 *
 * <p>Spork, Algorithm 2. The predictor keeps, for every number n of workers an interval needed, a
 * histogram of how many were needed two intervals later: a decision taken now takes effect one
 * interval from now, and the latest observation is one interval old. Among the numbers in the
 * histogram of the latest observation it returns the one with the least value
 *
 * <pre>
 * total * spinUp(candidate) + sum over m of count(m) * T_s * rate(candidate, m)
 *   rate(k, m) = (k-m) i_f + m b_f                      if k >= m: k-m workers idle
 *              = k b_f + floor((m-k) S b_c)             if k &lt; m: the base workers serve the rest
 *   spinUp(k)  = sum over r in [current, k) of floor(b_f A_f / epochs(r))
 *   epochs(r)  = max(1, ceil(mean lifetime of workers of rank r / T_s)), 1 if none was seen
 * </pre>
 *
 * <p>Ties go to the smallest candidate; without a histogram the latest observation is the
 * prediction. Two points where the paper's listing is not literal: idle and busy terms are
 * energies, so they are multiplied by the interval T_s, and the missing case k = m is the first
 * case.
 *
 * <p>Values are sums over observations, so one observation updates them in O(bins); the sums are
 * never recomputed. A prediction is O(bins + candidates' range). Integers only.
 */
public final class SporkPredictor {
  private final BreakEven rates;
  private final BigInteger intervalNanos;
  private final long intervalLength;
  private final BigInteger spinUpCost;
  private final Map<Integer, Histogram> histograms = new HashMap<>();
  private long[] lifetimeNanos = new long[16];
  private long[] lifetimeCount = new long[16];

  private int observations;
  private int last;
  private int lastButOne;

  /**
   * Creates a predictor without history.
   *
   * @param rates the objective's rates
   * @param intervalNanos T_s
   * @param spinUpNanos A_f of the accelerator
   */
  public SporkPredictor(BreakEven rates, long intervalNanos, long spinUpNanos) {
    this.rates = rates;
    this.intervalLength = intervalNanos;
    this.intervalNanos = BigInteger.valueOf(intervalNanos);
    spinUpCost = rates.busyAccelerator().multiply(BigInteger.valueOf(spinUpNanos));
  }

  /** Learns how many workers the interval that just ended needed. O(bins). */
  public void observe(int needed) {
    if (observations >= 2) {
      observe(lastButOne, needed, 1);
    }
    lastButOne = last;
    last = needed;
    observations++;
  }

  /**
   * Learns that {@code count} times, {@code needed} followed two intervals after {@code before}.
   */
  public void observe(int before, int needed, long count) {
    histograms.computeIfAbsent(before, key -> new Histogram()).add(needed, count);
  }

  /** Learns the lifetimes of workers that were allocated as the rank-th of their pool. */
  public void recordLifetimes(int rank, long totalNanos, long workers) {
    if (rank >= lifetimeNanos.length) {
      int length = Math.max(rank + 1, lifetimeNanos.length * 2);
      lifetimeNanos = Arrays.copyOf(lifetimeNanos, length);
      lifetimeCount = Arrays.copyOf(lifetimeCount, length);
    }
    lifetimeNanos[rank] += totalNanos;
    lifetimeCount[rank] += workers;
  }

  /**
   * Predicts the number of workers for the next interval.
   *
   * @param needed how many the interval that just ended needed
   * @param current how many are allocated, those spinning up included
   */
  public int predict(int needed, int current) {
    Histogram histogram = histograms.get(needed);
    if (histogram == null) {
      return needed;
    }
    int best = needed;
    BigInteger bestValue = null;
    BigInteger spinUps = BigInteger.ZERO;
    int rank = current;
    for (int i = 0; i < histogram.size; i++) {
      int candidate = histogram.needed[i];
      for (; rank < candidate; rank++) {
        spinUps = spinUps.add(amortisedSpinUp(rank));
      }
      BigInteger value =
          spinUps.multiply(BigInteger.valueOf(histogram.total)).add(histogram.value[i]);
      if (bestValue == null || value.compareTo(bestValue) < 0) {
        best = candidate;
        bestValue = value;
      }
    }
    return best;
  }

  private BigInteger amortisedSpinUp(int rank) {
    if (rank >= lifetimeCount.length || lifetimeCount[rank] == 0) {
      return spinUpCost;
    }
    long span = Math.multiplyExact(lifetimeCount[rank], intervalLength);
    long epochs = Math.max(1, Math.ceilDiv(lifetimeNanos[rank], span));
    return spinUpCost.divide(BigInteger.valueOf(epochs));
  }

  /** Counts what followed one observation, with the value of every candidate so far. */
  private final class Histogram {
    /** Holds the distinct numbers observed, ascending; they are also the candidates. */
    private int[] needed = new int[4];

    private long[] count = new long[4];
    private BigInteger[] value = new BigInteger[4];
    private int size;
    private long total;

    void add(int observed, long times) {
      int at = Arrays.binarySearch(needed, 0, size, observed);
      if (at < 0) {
        at = -at - 1;
        insert(at, observed);
      }
      count[at] += times;
      total += times;
      for (int i = 0; i < size; i++) {
        value[i] = value[i].add(cost(needed[i], observed, times));
      }
    }

    private void insert(int at, int candidate) {
      if (size == needed.length) {
        needed = Arrays.copyOf(needed, size * 2);
        count = Arrays.copyOf(count, size * 2);
        value = Arrays.copyOf(value, size * 2);
      }
      BigInteger sum = BigInteger.ZERO;
      for (int i = 0; i < size; i++) {
        sum = sum.add(cost(candidate, needed[i], count[i]));
      }
      System.arraycopy(needed, at, needed, at + 1, size - at);
      System.arraycopy(count, at, count, at + 1, size - at);
      System.arraycopy(value, at, value, at + 1, size - at);
      needed[at] = candidate;
      count[at] = 0;
      value[at] = sum;
      size++;
    }

    private BigInteger cost(int workers, int needed, long times) {
      BigInteger busy =
          rates.busyAccelerator().multiply(BigInteger.valueOf(Math.min(workers, needed)));
      BigInteger rest =
          workers >= needed
              ? rates.idleAccelerator().multiply(BigInteger.valueOf((long) workers - needed))
              : rates.baseInsteadOf((long) needed - workers);
      return busy.add(rest).multiply(intervalNanos).multiply(BigInteger.valueOf(times));
    }
  }
}
