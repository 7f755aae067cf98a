package dev.muster.core.library;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/**
 * Derives designs of several compute units from a design of one, as the offline phase does before
 * anything is built: {@code n} times the unit plus a fixed part, kept while it stays below a
 * ceiling of the device; the work splits evenly, the host's part does not.
 *
 * @param device the device
 * @param ceilingPercent share of each resource that can be routed, 1 to 100; 85 is cautious
 * @param fixed resources that do not grow with the units, such as interconnect
 * @param hostMillis part of the execution time that units cannot share
 */
public record UnitExpansion(
    LibraryDevice device, int ceilingPercent, Footprint fixed, long hostMillis) {
  /**
   * Creates an expansion.
   *
   * @throws InvalidInputException if a value is out of range
   */
  public UnitExpansion {
    if (ceilingPercent < 1 || ceilingPercent > 100 || hostMillis < 0) {
      throw InvalidInputException.of(
          "ceiling (%) and host time (ms)",
          ceilingPercent + ", " + hostMillis,
          "must be between 1 and 100, and >= 0",
          "start with 85 and 0");
    }
  }

  /**
   * Returns the design itself and those with more units that fit below the ceiling, as PREDICTED.
   *
   * @param units numbers of units to consider, each at least 1; 1 stands for the design itself
   * @throws InvalidInputException if the design has several units already
   */
  public List<LibraryVariant> expand(LibraryVariant single, List<Integer> units) {
    if (single.units() != 1) {
      throw InvalidInputException.of(
          "library variant \"" + single.id() + "\" compute units",
          single.units(),
          "must be 1 to be multiplied",
          "start from the single-unit design");
    }
    List<LibraryVariant> designs = new ArrayList<>();
    designs.add(single);
    for (int n : units) {
      if (n < 1 || n > 1_000) {
        throw InvalidInputException.of(
            "compute units", n, "must be between 1 and 1000", "correct the list");
      }
      Footprint footprint = times(single.footprint(), n).plus(fixed);
      if (n > 1 && isRoutable(footprint)) {
        designs.add(
            new LibraryVariant(
                single.id() + "-x" + n,
                null,
                single.kernel(),
                n,
                single.freqMhz(),
                millis(single.execMillis(), n),
                footprint,
                java.util.OptionalLong.empty(),
                Origin.PREDICTED));
      }
    }
    return designs;
  }

  private long millis(long execMillis, int n) {
    long shared = Math.max(0, execMillis - hostMillis);
    return Math.max(1, execMillis - shared + Math.ceilDiv(shared, (long) n));
  }

  private boolean isRoutable(Footprint f) {
    Footprint t = device.total();
    return isBelow(f.lut(), t.lut())
        && isBelow(f.ff(), t.ff())
        && isBelow(f.bram(), t.bram())
        && isBelow(f.dsp(), t.dsp())
        && isBelow(f.uram(), t.uram());
  }

  private boolean isBelow(long count, long total) {
    return count * 100 <= total * ceilingPercent;
  }

  private static Footprint times(Footprint f, int n) {
    return new Footprint(f.lut() * n, f.ff() * n, f.bram() * n, f.dsp() * n, f.uram() * n);
  }
}
