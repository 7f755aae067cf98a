package dev.muster.core.dpfair;

/**
 * Describes an accelerator card of one or more tiles, each of which runs one image at a time.
 *
 * @param id unique in a problem, e.g. a PCIe address
 * @param tiles regions that are reconfigured independently, at least 1
 * @param reconfigureMicros time to load an image into a tile (t_cfg)
 * @param speedNumerator speed relative to the card that the variants' times hold for, numerator
 * @param speedDenominator the same, denominator
 * @param idleMicrowatts power of a tile that does nothing
 * @param reconfigureMicrowatts power of a tile that loads an image
 */
public record Card(
    String id,
    int tiles,
    long reconfigureMicros,
    int speedNumerator,
    int speedDenominator,
    long idleMicrowatts,
    long reconfigureMicrowatts) {
  /**
   * Creates a card.
   *
   * @throws dev.muster.api.InvalidInputException if a value is out of range
   */
  public Card {
    Limits.requireId("card id", id);
    String name = "card \"" + id + "\" ";
    Limits.require(name + "tiles", tiles, 1, Limits.MAX_TILES);
    Limits.require(name + "reconfiguration time (us)", reconfigureMicros, 0, Limits.MAX_MICROS);
    Limits.require(name + "speed numerator", speedNumerator, 1, 1000);
    Limits.require(name + "speed denominator", speedDenominator, 1, 1000);
    Limits.require(name + "idle power (uW)", idleMicrowatts, 0, Limits.MAX_MICROWATTS);
    Limits.require(
        name + "reconfiguration power (uW)", reconfigureMicrowatts, 0, Limits.MAX_MICROWATTS);
  }

  /** Creates a card of one tile and speed 1 whose idle power is not counted. */
  public static Card of(String id, long reconfigureMicros) {
    return new Card(id, 1, reconfigureMicros, 1, 1, 0, 0);
  }

  /** Returns the name of a tile: the card's, with the tile's number if there are several. */
  String tileName(int tile) {
    return tiles == 1 ? id : id + "/" + (tile + 1);
  }
}
