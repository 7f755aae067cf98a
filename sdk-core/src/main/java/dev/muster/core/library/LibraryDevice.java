package dev.muster.core.library;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;

/**
 * Names a device and what its fabric offers.
 *
 * @param name for reports, e.g. {@code "xcu200"}
 * @param total counts of all resources, or of the user's budget where a shell takes its share
 */
public record LibraryDevice(String name, Footprint total) {
  /**
   * Creates a device.
   *
   * @throws InvalidInputException if the name is blank or there are no look-up tables
   */
  public LibraryDevice {
    if (name.isBlank()) {
      throw InvalidInputException.of(
          "device name", '"' + name + '"', "must not be blank", "give the part or card");
    }
    if (total.lut() == 0) {
      throw InvalidInputException.of(
          "device \"" + name + "\" lut", 0, "must be >= 1", "give the counts of the whole device");
    }
  }

  /** Returns the share of one of {@code parts} equal regions, rounded down in each resource. */
  public Footprint share(int part, int parts) {
    if (parts < 1 || part < 1 || part > parts) {
      throw InvalidInputException.of(
          "region share", part + "/" + parts, "must be between 1/n and n/n", "correct it");
    }
    return new Footprint(
        share(total.lut(), part, parts),
        share(total.ff(), part, parts),
        share(total.bram(), part, parts),
        share(total.dsp(), part, parts),
        share(total.uram(), part, parts));
  }

  private static long share(long amount, long part, long parts) {
    return Math.multiplyExact(amount, part) / parts;
  }
}
