package dev.muster.core.dpfair;

/**
 * Describes one implementation of a periodic task: an image with a number of compute units.
 *
 * @param computeUnits parallel compute units in the image (CU), at least 1
 * @param execMicros time to process one period's data without the fill (e = td / th), at least 1
 * @param powerMicrowatts power while it runs (pw), at least 0
 */
public record HardwareVariant(int computeUnits, long execMicros, long powerMicrowatts) {
  /**
   * Creates a variant.
   *
   * @throws dev.muster.api.InvalidInputException if a value is out of range
   */
  public HardwareVariant {
    Limits.require("variant compute units", computeUnits, 1, 1 << 20);
    Limits.require("variant execution time (us)", execMicros, 1, Limits.MAX_MICROS);
    Limits.require("variant power (uW)", powerMicrowatts, 0, Limits.MAX_MICROWATTS);
  }
}
