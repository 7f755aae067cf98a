package dev.muster.hal.sim.workload;

/** Says how a rate moves between the starts of two minutes. */
public enum RateShape {
  /** Moves linearly to the rate of the next minute; the last minute is constant (the paper's). */
  LINEAR,
  /** Stays what it is until the next minute begins. */
  STEP;

  /** Returns the rate at the end of a slot. */
  double end(double[] rates, int slot) {
    return this == LINEAR && slot + 1 < rates.length ? rates[slot + 1] : rates[slot];
  }

  /** Returns the mean rate over all slots: the integral divided by the length. */
  double mean(double[] rates) {
    double sum = 0;
    for (int slot = 0; slot < rates.length; slot++) {
      sum += (rates[slot] + end(rates, slot)) / 2;
    }
    return sum / rates.length;
  }
}
