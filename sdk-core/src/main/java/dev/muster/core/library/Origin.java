package dev.muster.core.library;

/** Says where the figures of a library variant come from, from the most to the least certain. */
public enum Origin {
  /** Time measured on hardware, resources from place and route. */
  MEASURED,
  /** Resources from place and route, time estimated. */
  ROUTED,
  /** Everything estimated by high-level synthesis. */
  HLS_ESTIMATE,
  /** Predicted from other designs; no bitstream exists. */
  PREDICTED
}
