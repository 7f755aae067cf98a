package dev.muster.core.dpfair;

/**
 * Stands for one segment of one slice: the payload of the task that the engine runs for it.
 *
 * @param plan the plan in force in the slice
 * @param lane number of the worker that has to run it, stable over re-planning
 * @param slice number of the slice, from 0
 * @param segment the segment
 * @param divided whether the task has other segments in the slice
 * @param sliceStartNanos when the slice starts
 */
public record PlanPiece(
    PlacementPlan plan,
    int lane,
    long slice,
    Segment segment,
    boolean divided,
    long sliceStartNanos) {
  static final long MICRO = 1_000;

  /** Returns the id of the periodic task. */
  public String taskId() {
    return plan.problem().tasks().get(segment.task()).id();
  }

  /** Returns what the task is worth. */
  public int weight() {
    return plan.problem().tasks().get(segment.task()).weight();
  }

  /** Returns the productive time on the tile. */
  public long runNanos() {
    return segment.runMicros() * MICRO;
  }

  /** Returns the time of fill and run. */
  long serviceNanos() {
    return (segment.fillMicros() + segment.runMicros()) * MICRO;
  }

  /** Returns when the plan wants the fill to start. */
  public long executeNanos() {
    return sliceStartNanos + segment.executeMicros() * MICRO;
  }

  /** Returns when the plan wants the segment to end. */
  public long endNanos() {
    return sliceStartNanos + segment.endMicros() * MICRO;
  }

  /** Returns when the slice ends: what has not been done by then is lost for the slice. */
  public long sliceEndNanos() {
    return sliceStartNanos + plan.problem().sliceMicros() * MICRO;
  }

  /** Returns the image that has to be loaded: one for each task and variant. */
  String image() {
    return PlanFleet.image(taskId(), plan.variant(segment.task()));
  }
}
