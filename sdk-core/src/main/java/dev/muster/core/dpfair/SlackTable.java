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

  /** Tells what a task takes. */
  interface Costs {
    /** Returns the load and service time on a lane in nanoseconds, or -1 if it cannot run there. */
    long nanos(int lane);
  }

  /** Promises the earliest gap that ends a run by the deadline. O(slices to it, times tiles). */
  @Nullable Promise promise(Timetable timetable, Costs costs, long nowNanos, long deadlineNanos) {
    long first = timetable.sliceAt(nowNanos);
    promisedUntil.headMap(first).clear();
    for (long slice = first; slice < first + HORIZON; slice++) {
      if (timetable.startNanos(slice) >= deadlineNanos) {
        return null;
      }
      Promise best = earliest(timetable, costs, slice, nowNanos, deadlineNanos);
      if (best != null) {
        promised(slice, timetable)[best.lane] = best.endNanos;
        return best;
      }
    }
    return null;
  }

  /** Takes all promises back. */
  void clear() {
    promisedUntil.clear();
  }

  private @Nullable Promise earliest(
      Timetable timetable, Costs costs, long slice, long nowNanos, long deadlineNanos) {
    Timetable.Version version = timetable.version(slice);
    long[] promised = promised(slice, timetable);
    Promise best = null;
    for (int tile : usableTiles(version.plan(), slice)) {
      int lane = version.lane(tile);
      long cost = costs.nanos(lane);
      long gapStart =
          timetable.startNanos(slice)
              + lastEndMicros(version.plan(), tile, slice) * PlanPiece.MICRO;
      long start = Math.max(Math.max(gapStart, promised[lane]), nowNanos);
      long end = start + cost;
      if (cost >= 0
          && end <= Math.min(timetable.startNanos(slice + 1), deadlineNanos)
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

  private long[] promised(long slice, Timetable timetable) {
    return promisedUntil.computeIfAbsent(slice, s -> new long[timetable.lanes()]);
  }
}
