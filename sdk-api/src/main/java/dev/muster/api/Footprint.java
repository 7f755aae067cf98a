package dev.muster.api;

/**
 * Counts the programmable-logic resources that a variant occupies or a region offers.
 *
 * @param lut look-up tables
 * @param ff flip-flops
 * @param bram block RAMs of 18 Kb
 * @param dsp DSP slices
 * @param uram UltraRAM blocks
 */
public record Footprint(long lut, long ff, long bram, long dsp, long uram) {
  /** Occupies nothing; also the capacity of a worker without programmable logic. */
  public static final Footprint NONE = new Footprint(0, 0, 0, 0, 0);

  /** Offers more than any variant needs. */
  public static final Footprint UNLIMITED =
      new Footprint(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * Creates a footprint.
   *
   * @throws InvalidInputException if a count is negative
   */
  public Footprint {
    requireCount("lut", lut);
    requireCount("ff", ff);
    requireCount("bram", bram);
    requireCount("dsp", dsp);
    requireCount("uram", uram);
  }

  /** Tells whether this footprint fits into a capacity in every resource. */
  public boolean fitsIn(Footprint capacity) {
    return lut <= capacity.lut
        && ff <= capacity.ff
        && bram <= capacity.bram
        && dsp <= capacity.dsp
        && uram <= capacity.uram;
  }

  /** Returns the sum of two footprints, resource by resource. */
  public Footprint plus(Footprint other) {
    return new Footprint(
        Math.addExact(lut, other.lut),
        Math.addExact(ff, other.ff),
        Math.addExact(bram, other.bram),
        Math.addExact(dsp, other.dsp),
        Math.addExact(uram, other.uram));
  }

  private static void requireCount(String name, long value) {
    if (value < 0) {
      throw InvalidInputException.of(
          "footprint " + name, value, "must be >= 0", "give the count of resources used");
    }
  }
}
