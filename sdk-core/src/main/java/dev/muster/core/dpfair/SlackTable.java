package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which part of the idle time at the end of a plan's tiles is promised to whom.
 *
 * <p>A wrapped plan leaves each tile at most one gap per slice, behind its last segment. What runs
 * there loads its own image; the next slice loads its first one anyway. In a mirrored plan it does
 * not, so that only gaps of forward slices are used, and only where the backward slice has idle
 * time enough before its first segment to load that again. A gap never reaches into a segment, so
 * that no promise can touch a guaranteed task.
 */
final class SlackTable {
  /** Slices looked at for one request, which bounds the work. */
  private static final int HORIZON = 256;

  private final TreeMap<Long, long[]> promisedUntil = new TreeMap<>();

  /**
   * Promises time of a gap.
   *
   * @param lane the worker
   * @param startNanos when to load the image
   * @param endNanos when the run is over
   */
  record Promise(int lane, long startNanos, long endNanos) {}

  /** Tells which plan is in force. */
  interface Timetable {
    /** Returns what is in force in a slice. */
    PlanPolicy.Version version(long slice);

    /** Returns when a slice starts. */
    long startNanos(long slice);

    /** Returns the load and service time on a tile, or -1 if the task cannot run there. */
    long costNanos(PlanPolicy.Version version, int tile);
  }

  /** Promises the earliest gap that ends a run by the deadline. O(slices to it, times tiles). */
  @Nullable Promise promise(
      Timetable timetable, long fromSlice, long nowNanos, long deadlineNanos) {
    promisedUntil.headMap(fromSlice - 1).clear();
    for (long slice = fromSlice; slice < fromSlice + HORIZON; slice++) {
      PlanPolicy.Version version = timetable.version(slice);
      if (timetable.startNanos(slice) >= deadlineNanos) {
        return null;
      }
      Promise best = earliest(timetable, version, slice, nowNanos, deadlineNanos);
      if (best != null) {
        promised(slice, version)[best.lane] = best.endNanos;
        return best;
      }
    }
    return null;
  }

  private @Nullable Promise earliest(
      Timetable timetable,
      PlanPolicy.Version version,
      long slice,
      long nowNanos,
      long deadlineNanos) {
    Promise best = null;
    for (int tile : usableTiles(version.plan(), slice)) {
      long cost = timetable.costNanos(version, tile);
      int lane = version.lane(tile);
      long sliceStart = timetable.startNanos(slice);
      long gapStart = sliceStart + lastEndMicros(version.plan(), tile, slice) * PlanPiece.MICRO;
      long gapEnd = sliceStart + version.plan().problem().sliceMicros() * PlanPiece.MICRO;
      long start = Math.max(Math.max(gapStart, promised(slice, version)[lane]), nowNanos);
      long end = start + cost;
      if (cost >= 0
          && end <= Math.min(gapEnd, deadlineNanos)
          && (best == null || end < best.endNanos)) {
        best = new Promise(lane, start, end);
      }
    }
    return best;
  }

  private static List<Integer> usableTiles(PlacementPlan plan, long slice) {
    List<Integer> tiles = new ArrayList<>();
    List<Card> cards = plan.problem().cardOfTile();
    for (int tile = 0; tile < plan.tiles(); tile++) {
      long gap = plan.problem().sliceMicros() - lastEndMicros(plan, tile, slice);
      boolean restorable =
          !plan.problem().mirrored()
              || plan.segments(tile).isEmpty()
              || (slice % 2 == 0 && gap >= cards.get(tile).reconfigureMicros());
      if (gap > 0 && restorable) {
        tiles.add(tile);
      }
    }
    return tiles;
  }

  private static long lastEndMicros(PlacementPlan plan, int tile, long slice) {
    List<Segment> segments = plan.segmentsInSlice(tile, slice);
    return segments.isEmpty() ? 0 : segments.get(segments.size() - 1).endMicros();
  }

  private long[] promised(long slice, PlanPolicy.Version version) {
    return promisedUntil.computeIfAbsent(slice, s -> new long[version.lanes()]);
  }
}
