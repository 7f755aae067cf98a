package dev.muster.core.sos;

import dev.muster.api.InvalidInputException;

/**
 * Describes a {@link SosEngine}: machines, depth, precision, rules, and the ranges of what jobs may
 * say.
 *
 * <p>The hardware (BoostedSOSA, Stannic) is {@code shift(0)}, {@code depth(10)} to {@code
 * depth(40)}, {@link Mode#HARDWARE}. The defaults do better: without the bound on the depth the
 * published 3,000-job example has 2.8 to 4 times less weighted completion, and at shift 0 almost
 * half of its ratios are 0, which is no order at all.
 */
public final class SosParameters {
  /** Stands for a depth limited only by what keeps the arithmetic exact. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** Bounds machines. */
  public static final int MAX_MACHINES = 1 << 16;

  private static final int MAX_DEPTH = 1 << 24;
  private static final long MAX_EXACT = 1L << 53;

  /** Names the order of the steps in a tick. */
  public enum Mode {
    /**
     * Works like the published pipeline: decide on the state of the tick before, at most one job a
     * tick; then one unit of work on every machine; then insert.
     */
    HARDWARE,
    /** Decides and inserts every job at once, in the order of arrival; then works. */
    ENGINE
  }

  /** Names where a job goes among those of equal ratio. */
  public enum Ties {
    /** Before them, like the hardware. */
    NEWCOMER_FIRST,
    /** Behind them. */
    FIFO
  }

  /** Names how a virtual schedule finds the sums of the cost; the results are the same. */
  public enum Structure {
    /** By suffix sums: O(log n) a query. */
    SUFFIX_SUMS,
    /** By a scan over all jobs, like the published baselines: O(n) a query. */
    SCAN
  }

  private final int machines;
  private final Mode mode;
  private final Ties ties;
  private final Structure structure;
  private final int depth;
  private final int shift;
  private final long maxWeight;
  private final long maxEptTicks;
  private final int alphaNumerator;
  private final int alphaDenominator;

  private SosParameters(Builder b) {
    machines = b.machines;
    mode = b.mode;
    ties = b.ties;
    structure = b.structure;
    shift = b.shift;
    maxWeight = b.maxWeight;
    maxEptTicks = b.maxEptTicks;
    alphaNumerator = b.alphaNumerator;
    alphaDenominator = b.alphaDenominator;
    depth = checkedDepth(b.depth);
  }

  /** Holds {@code 2^shift * maxWeight * maxEpt * (depth + 1)}, which bounds the cost, to a long. */
  private int checkedDepth(int wanted) {
    if (maxWeight > MAX_EXACT >> shift) {
      throw InvalidInputException.of(
          "SOS weight bound << shift",
          maxWeight + " << " + shift,
          "must be at most 2^53, so that ratios are exact",
          "lower the shift or the bound on weights");
    }
    long unit = maxWeight << shift;
    long most = Long.MAX_VALUE / unit / maxEptTicks - 1;
    if (most < 1 || (wanted != UNLIMITED && wanted > most)) {
      throw InvalidInputException.of(
          "SOS depth",
          wanted,
          "must be at most "
              + most
              + " for weights to "
              + maxWeight
              + ", times to "
              + maxEptTicks
              + " ticks and shift "
              + shift
              + ", so that costs fit 63 bits",
          "lower the depth, the shift or the bounds");
    }
    return (int) Math.min(wanted, Math.min(most, MAX_DEPTH));
  }

  /**
   * Starts a description: mode {@link Mode#ENGINE}, newcomers first, unlimited depth, shift 16,
   * weights to 255, times to 65,535 ticks, alpha 3/5.
   *
   * @param machines 1 to {@link #MAX_MACHINES}
   */
  public static Builder builder(int machines) {
    return new Builder(machines);
  }

  /** Returns the number of machines. */
  public int machines() {
    return machines;
  }

  /** Returns the order of the steps in a tick. */
  public Mode mode() {
    return mode;
  }

  /** Returns the rule for equal ratios. */
  public Ties ties() {
    return ties;
  }

  /** Returns how sums are found. */
  public Structure structure() {
    return structure;
  }

  /** Returns how many jobs a virtual schedule holds at most. */
  public int depth() {
    return depth;
  }

  /** Returns the fraction bits of ratios and weights. */
  public int shift() {
    return shift;
  }

  /** Returns the greatest weight of a job. */
  public long maxWeight() {
    return maxWeight;
  }

  /** Returns the greatest expected processing time, in ticks. */
  public long maxEptTicks() {
    return maxEptTicks;
  }

  /** Returns the virtual work that releases a job: {@code max(1, floor(alpha * ept))}. */
  public long alphaTicks(long eptTicks) {
    return Math.max(1, eptTicks * alphaNumerator / alphaDenominator);
  }

  /** Builds {@link SosParameters}; every setter validates at once. */
  public static final class Builder {
    private final int machines;
    private Mode mode = Mode.ENGINE;
    private Ties ties = Ties.NEWCOMER_FIRST;
    private Structure structure = Structure.SUFFIX_SUMS;
    private int depth = UNLIMITED;
    private int shift = 16;
    private long maxWeight = 255;
    private long maxEptTicks = 65_535;
    private int alphaNumerator = 3;
    private int alphaDenominator = 5;

    private Builder(int machines) {
      require(
          machines >= 1 && machines <= MAX_MACHINES,
          "machines",
          machines,
          "must be between 1 and " + MAX_MACHINES,
          "give the number of machines");
      this.machines = machines;
    }

    /** Sets the order of the steps in a tick. */
    public Builder mode(Mode value) {
      mode = value;
      return this;
    }

    /** Sets where a job goes among those of equal ratio. */
    public Builder ties(Ties value) {
      ties = value;
      return this;
    }

    /** Sets how sums are found. */
    public Builder structure(Structure value) {
      structure = value;
      return this;
    }

    /** Sets how many jobs a virtual schedule holds, at least 1, or {@link #UNLIMITED}. */
    public Builder depth(int value) {
      require(value >= 1, "depth", value, "must be at least 1", "give a depth or UNLIMITED");
      depth = value;
      return this;
    }

    /** Sets the fraction bits of ratios and weights, 0 to 32. */
    public Builder shift(int value) {
      require(
          value >= 0 && value <= 32,
          "shift",
          value,
          "must be between 0 and 32",
          "16 is a good one");
      shift = value;
      return this;
    }

    /** Sets the greatest weight of a job, 1 to 2^31. */
    public Builder maxWeight(long value) {
      require(
          value >= 1 && value <= 1L << 31,
          "weight bound",
          value,
          "must be between 1 and 2^31",
          "scale the weights");
      maxWeight = value;
      return this;
    }

    /** Sets the greatest expected processing time, 1 to 2^31 ticks. */
    public Builder maxEptTicks(long value) {
      require(
          value >= 1 && value <= 1L << 31,
          "time bound (ticks)",
          value,
          "must be between 1 and 2^31",
          "make ticks longer");
      maxEptTicks = value;
      return this;
    }

    /** Sets the fraction of its expected time after which a job is released, above 0, at most 1. */
    public Builder alpha(int numerator, int denominator) {
      require(
          numerator >= 1 && numerator <= denominator && denominator <= 1 << 20,
          "alpha",
          numerator + "/" + denominator,
          "must be above 0 and at most 1, with terms up to 2^20",
          "the published example has 3/5");
      alphaNumerator = numerator;
      alphaDenominator = denominator;
      return this;
    }

    /**
     * Builds the parameters.
     *
     * @throws InvalidInputException if a cost could exceed 63 bits
     */
    public SosParameters build() {
      return new SosParameters(this);
    }

    private static void require(
        boolean holds, String what, Object value, String limit, String nextStep) {
      if (!holds) {
        throw InvalidInputException.of("SOS " + what, value, limit, nextStep);
      }
    }
  }
}
