package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;

/**
 * Converts run times between what logs hold, what models learn and what SOS engines take
 * (BoostedSOSA, section III-C).
 *
 * <p>Models learn wall-clock days. Engines take 15-minute blocks: {@code floor(96 days)} within 1
 * and the block of the history's 99.9th percentile, which itself is at most 65,535 (16 bits, 682.6
 * days). The floor of 1 is ours: the paper's 0 would divide by zero in the engine.
 */
public final class RuntimeTargets {
  /** Counts the 15-minute blocks of a day. */
  public static final int BLOCKS_A_DAY = 96;

  /** Limits blocks to 16 bits. */
  public static final int MAX_BLOCKS = 65_535;

  private static final double SECONDS_A_DAY = 86_400;

  private final int largestBlock;

  private RuntimeTargets(int largestBlock) {
    this.largestBlock = largestBlock;
  }

  /**
   * Sets the range from a history; make it again when the model is trained again.
   *
   * @param days run times that were seen, in wall-clock days, at least one
   */
  public static RuntimeTargets ofHistory(float[] days) {
    if (days.length == 0) {
      throw InvalidInputException.of(
          "history", "no run times", "must have at least 1", "wait for a job to complete");
    }
    float[] sorted = days.clone();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(0.999 * sorted.length);
    return new RuntimeTargets(blocks(sorted[Math.max(0, rank - 1)], MAX_BLOCKS));
  }

  /** Sets the range by its largest block, from 1 to {@link #MAX_BLOCKS}. */
  static RuntimeTargets upTo(int largestBlock) {
    return new RuntimeTargets(largestBlock);
  }

  /** Returns the largest block: that of the 99.9th percentile. */
  public int largestBlock() {
    return largestBlock;
  }

  /** Quantises days to 15-minute blocks, from 1 to {@link #largestBlock}. */
  public int blocks(double days) {
    return blocks(days, largestBlock);
  }

  private static int blocks(double days, int most) {
    // Written so that NaN becomes 1.
    return days * BLOCKS_A_DAY >= 1 ? (int) Math.min(most, days * BLOCKS_A_DAY) : 1;
  }

  /** Converts seconds of wall-clock time to days. */
  public static float daysOfSeconds(long seconds) {
    return (float) (seconds / SECONDS_A_DAY);
  }

  /** Converts days to seconds of wall-clock time; negative and NaN ones become 0. */
  public static double secondsOfDays(double days) {
    return days > 0 ? days * SECONDS_A_DAY : 0;
  }

  /**
   * Converts consumed core-hours to wall-clock days.
   *
   * @param coreHours cores times hours
   * @param cores the cores, above 0
   */
  public static float daysOfCoreHours(double coreHours, long cores) {
    return (float) (coreHours / (24.0 * cores));
  }

  /**
   * Returns whether a run can be learned from: one that took time, and no failed or cancelled start
   * that would teach that jobs are short.
   *
   * @param seconds the run time; 0 or less where it did not run or is unknown
   */
  public static boolean learnable(long seconds) {
    return seconds > 0;
  }
}
