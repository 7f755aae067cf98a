package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;

/** Bounds what a placement problem may hold, so that no product of two times overflows. */
final class Limits {
  /** Half an hour and a little more: the product of two such times fits a long. */
  static final long MAX_MICROS = 2_000_000_000L;

  /** One kilowatt. */
  static final long MAX_MICROWATTS = 1_000_000_000L;

  static final int MAX_TASKS = 10_000;
  static final int MAX_VARIANTS = 64;
  static final int MAX_TILES = 10_000;
  static final int MAX_ID_LENGTH = 64;

  private Limits() {}

  static void require(String thing, long value, long least, long most) {
    if (value < least || value > most) {
      throw InvalidInputException.of(
          thing, value, "must be between " + least + " and " + most, "correct the value");
    }
  }

  static void requireId(String thing, String id) {
    if (id.isBlank() || id.length() > MAX_ID_LENGTH) {
      throw InvalidInputException.of(
          thing, '"' + id + '"', "must have 1 to " + MAX_ID_LENGTH + " characters", "rename it");
    }
  }

  static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }
}
