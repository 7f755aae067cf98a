package dev.muster.api;

/**
 * Carries an amount of energy together with where it comes from.
 *
 * <p>An unknown amount is an absent reading, never 0.
 *
 * @param joules energy, finite and never negative
 * @param source where the number comes from
 */
public record EnergyReading(double joules, Source source) {
  /** Says where a number comes from. */
  public enum Source {
    /** Read from a meter during this run. */
    MEASURED,
    /** Computed from a model of power. */
    MODELLED
  }

  /**
   * Creates a reading.
   *
   * @throws InvalidInputException if the amount is negative or not finite
   */
  public EnergyReading {
    if (!(joules >= 0 && joules < Double.POSITIVE_INFINITY)) {
      throw InvalidInputException.of(
          "energy (J)", joules, "must be finite and >= 0", "report an absent reading instead");
    }
  }
}
