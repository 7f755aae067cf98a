package dev.muster.core.dpfair;

/**
 * Occupies a tile for a task: reconfigure, fill, run, one after the other.
 *
 * @param tile position of the tile, from 0
 * @param task position of the task, from 0
 * @param startMicros from the start of the slice
 * @param reconfigureMicros time to load the image; 0 if it stays loaded
 * @param fillMicros time until the first result (II)
 * @param runMicros productive time
 */
public record Segment(
    int tile, int task, long startMicros, long reconfigureMicros, long fillMicros, long runMicros) {
  /** Returns when the task starts to execute (fill). */
  public long executeMicros() {
    return startMicros + reconfigureMicros;
  }

  /** Returns when the segment ends. */
  public long endMicros() {
    return startMicros + reconfigureMicros + fillMicros + runMicros;
  }
}
