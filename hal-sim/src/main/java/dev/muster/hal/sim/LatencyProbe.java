package dev.muster.hal.sim;

import java.util.Arrays;

/**
 * Measures, by wall clock, how long the scheduler takes to decide a task.
 *
 * <p>One decision in {@value #PERIOD} is timed, so that the clock does not distort what it
 * measures. The figures vary from run to run; they never influence the simulation.
 */
public final class LatencyProbe {
  /** Says how many decisions go by for each that is timed. */
  public static final int PERIOD = 1_024;

  private static final int LIMIT = 1 << 20;

  /** Measures nothing. */
  static final LatencyProbe NONE = new LatencyProbe(false);

  private final boolean enabled;
  private long count;
  private long startNanos;
  private int size;
  private int[] samples = new int[1_024];

  private LatencyProbe(boolean enabled) {
    this.enabled = enabled;
  }

  /** Creates a probe without samples. */
  public static LatencyProbe create() {
    return new LatencyProbe(true);
  }

  void before() {
    if (enabled && count++ % PERIOD == 0) {
      startNanos = System.nanoTime();
    }
  }

  void after() {
    if (startNanos != 0) {
      record(System.nanoTime() - startNanos);
      startNanos = 0;
    }
  }

  private void record(long nanos) {
    if (size == samples.length && size < LIMIT) {
      samples = Arrays.copyOf(samples, size * 2);
    }
    if (size < samples.length) {
      samples[size++] = (int) Math.min(nanos, Integer.MAX_VALUE);
    }
  }

  /** Adds the samples of another probe, as far as there is room. */
  public void addAll(LatencyProbe other) {
    for (int i = 0; i < other.size; i++) {
      record(other.samples[i]);
    }
  }

  /** Returns the number of decisions timed. */
  public int samples() {
    return size;
  }

  /**
   * Returns a percentile of the decision time in nanoseconds, the clock's own cost included.
   *
   * @param percentile 0 to 100
   * @return the sample at that rank, or -1 without samples
   */
  public long percentileNanos(double percentile) {
    if (size == 0) {
      return -1;
    }
    int[] sorted = Arrays.copyOf(samples, size);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percentile / 100 * size);
    return sorted[Math.min(Math.max(rank, 1), size) - 1];
  }
}
