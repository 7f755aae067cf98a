package dev.muster.hal.sim.device;

import dev.muster.api.InvalidInputException;

/**
 * Models a pipelined kernel of one or more equal compute units.
 *
 * <p>A unit needs {@code depth + interval * (items - 1)} cycles for its items, 0 for none; items
 * are split evenly over the units, and the unit with the most decides.
 *
 * @param depthCycles cycles from an item's entry to its result, 1 to 2^31
 * @param intervalCycles the initiation interval: cycles between two items, 1 to 2^20
 */
public record KernelModel(long depthCycles, long intervalCycles) {
  /** Limits the items of one run. */
  public static final long MAX_ITEMS = 1L << 40;

  /** Checks the ranges. */
  public KernelModel {
    require("kernel depth (cycles)", depthCycles, 1, 1L << 31);
    require("kernel initiation interval (cycles)", intervalCycles, 1, 1L << 20);
  }

  /**
   * Returns the cycles of a run.
   *
   * @param items items to process, 0 to {@link #MAX_ITEMS}
   * @param units compute units, at least 1
   */
  public long cycles(long items, int units) {
    require("items", items, 0, MAX_ITEMS);
    require("units", units, 1, Integer.MAX_VALUE);
    long most = Math.ceilDiv(items, units);
    return most == 0 ? 0 : depthCycles + intervalCycles * (most - 1);
  }

  /**
   * Returns the time of a run in nanoseconds, rounded up: {@code cycles * 10^6 / kHz}.
   *
   * @param clockKilohertz clock of the kernel's domain in kHz, at least 1
   */
  public long nanos(long items, int units, long clockKilohertz) {
    return cyclesToNanos(cycles(items, units), clockKilohertz);
  }

  /** Converts cycles to nanoseconds without overflow, rounded up. */
  static long cyclesToNanos(long cycles, long clockKilohertz) {
    require("clock (kHz)", clockKilohertz, 1, 10_000_000);
    long whole = Math.multiplyExact(cycles / clockKilohertz, 1_000_000L);
    return Math.addExact(whole, Math.ceilDiv(cycles % clockKilohertz * 1_000_000L, clockKilohertz));
  }

  static void require(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw InvalidInputException.of(
          what, value, "must be between " + least + " and " + most, "correct it");
    }
  }
}
