package dev.muster.core.dpfair;

/** Says what a placement minimises. */
public enum PlacementObjective {
  /** The sum of the chosen variants' powers, as if each were always on (the paper), in uW. */
  SUM_POWER,
  /**
   * The energy of a slice, in uW us = pJ: each variant's fill and run at its power and its
   * reconfiguration, both above the idle power of the first card. What a split pays again is left
   * out of the choice, and in {@link PlacementPlan#energyPicojoules}.
   */
  ENERGY
}
