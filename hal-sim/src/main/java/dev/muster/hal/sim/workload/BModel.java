package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;

/**
 * Generates self-similar load by biased splitting (the b-model; Wang et al., 2002).
 *
 * <p>A unit of load is halved in time again and again; one half, drawn by a coin, gets the share b
 * and the other 1 - b. At b = 0.5 the load is constant, at 0.75 it is very bursty (Spork, section
 * 3.2).
 */
public final class BModel {
  private BModel() {}

  /**
   * Generates shares of the load for a number of slots.
   *
   * <p>The load is split into the least power of two of slots that suffices; surplus slots are cut
   * off, so that the shares returned may sum to less than 1. Time and memory O(slots).
   *
   * @param slots number of slots, 1 to 2^20
   * @param bias b, at least 0.5 and below 1
   * @param random where the coins come from, one for each split
   * @throws InvalidInputException if slots or bias are out of range
   */
  public static double[] shares(int slots, double bias, RandomStreams.Stream random) {
    if (slots < 1 || slots > 1 << 20) {
      throw InvalidInputException.of(
          "b-model slots", slots, "must be between 1 and " + (1 << 20), "give the trace's length");
    }
    if (!(bias >= 0.5 && bias < 1)) {
      throw InvalidInputException.of(
          "b-model bias", bias, "must be in [0.5, 1)", "use 0.6 for a moderately bursty load");
    }
    double[] shares = {1};
    while (shares.length < slots) {
      double[] halves = new double[shares.length * 2];
      for (int i = 0; i < shares.length; i++) {
        double left = random.nextBoolean() ? bias : 1 - bias;
        halves[2 * i] = shares[i] * left;
        halves[2 * i + 1] = shares[i] * (1 - left);
      }
      shares = halves;
    }
    return Arrays.copyOf(shares, slots);
  }
}
