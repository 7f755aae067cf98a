package dev.muster.api;

/**
 * Weighs energy against cost.
 *
 * <p>A policy that optimises an objective values one busy unit of its base worker at weight 1 in
 * both terms, so the weights compare like with like (Spork section 4: SporkE, SporkC and SporkB are
 * the weights 1:0, 0:1 and 1:1).
 *
 * @param energyWeight weight of energy, 0 to 1000
 * @param costWeight weight of cost, 0 to 1000; not both 0
 */
public record Objective(int energyWeight, int costWeight) {
  /** Minimises energy (E). */
  public static final Objective ENERGY = new Objective(1, 0);

  /** Minimises cost (C). */
  public static final Objective COST = new Objective(0, 1);

  /** Weighs energy and cost equally (B). */
  public static final Objective BALANCED = new Objective(1, 1);

  /**
   * Creates an objective.
   *
   * @throws InvalidInputException if a weight is out of range or both are 0
   */
  public Objective {
    if (energyWeight < 0
        || costWeight < 0
        || energyWeight > 1000
        || costWeight > 1000
        || energyWeight + costWeight == 0) {
      throw InvalidInputException.of(
          "objective weights energy:cost",
          energyWeight + ":" + costWeight,
          "must be between 0 and 1000 and not both 0",
          "give whole-number weights, e.g. 3:1");
    }
  }
}
