package dev.muster.core.dpfair;

/** Names the two readings of the paper's workability condition (equation 7). */
public enum PaperFilter {
  /** As printed: the shares fit beside one reconfiguration per task. */
  EQUATION_7(0),
  /**
   * With one reconfiguration more, which the published counts need: 620 and 404 in Example 1, 6 and
   * 18 in Example 3.
   */
  PUBLISHED_COUNTS(1);

  private final int extraReconfigurations;

  PaperFilter(int extraReconfigurations) {
    this.extraReconfigurations = extraReconfigurations;
  }

  /** Returns the most that the shares of a slice may add up to, in microseconds. */
  public long limitMicros(int tiles, long sliceMicros, int tasks, long reconfigureMicros) {
    return tiles * sliceMicros - (tasks + extraReconfigurations) * reconfigureMicros;
  }
}
