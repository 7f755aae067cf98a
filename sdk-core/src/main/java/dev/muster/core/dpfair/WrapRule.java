package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Wraps tasks around the tiles one after the other, as DP-Wrap does, with the overheads of cards.
 *
 * <p>A task goes where the last one ended. If the rest of the tile is too short for it but holds
 * more than reconfiguration and fill, the tile is filled and the remainder starts the next tile,
 * where reconfiguration and fill are paid again. Unless overlap is allowed, a task is divided only
 * if its remainder ends before its head starts to execute; otherwise it starts the next tile whole.
 *
 * <p>The position (tile, time used) is totally ordered, and a later position never leads to an
 * earlier one by the same task: filling the tile beats leaving a rest, dividing beats skipping.
 * {@link SubsetOrder} rests on this. With tiles of different speed the order of tiles matters too,
 * and positions are compared in the order the cards are declared.
 *
 * <p>A position is packed in a long: the tile above bit 42, the time used below.
 */
final class WrapRule {
  /** Stands for a position beyond the last tile. */
  static final long OUT = Long.MAX_VALUE;

  private static final int TILE_SHIFT = 42;
  private static final long USED_MASK = (1L << TILE_SHIFT) - 1;

  private final SliceModel model;

  WrapRule(SliceModel model) {
    this.model = model;
  }

  /** Receives the segments of a task. */
  interface Sink {
    /** Takes a segment that starts at a time of the tile's window. */
    void segment(int tile, int task, long start, long fill, long run);
  }

  /** Returns the position after a task that starts at or after the given one; {@link #OUT}. */
  long next(long from, int task, int variant) {
    return next(from, task, variant, null);
  }

  /** Returns the position after a task, and tells the sink the task's segments. */
  long next(long from, int task, int variant, @Nullable Sink sink) {
    int tile = (int) (from >>> TILE_SHIFT);
    long used = from & USED_MASK;
    long left = model.run[task][variant];
    while (tile < model.tiles) {
      long fill = model.onTile(tile, model.fill[task]);
      long overhead = model.reconfigure[tile] + fill;
      long needed = model.onTile(tile, left);
      long room = model.window[tile] - used - overhead;
      if (needed <= room) {
        tell(sink, tile, task, used, fill, needed);
        return position(tile, used + overhead + needed);
      }
      if (room > 0 && (model.overlapAllowed || canDivide(tile, task, used, left, room))) {
        tell(sink, tile, task, used, fill, room);
        left -= model.doneOnTile(tile, room);
      }
      tile++;
      used = 0;
    }
    return OUT;
  }

  private static long position(int tile, long used) {
    return ((long) tile << TILE_SHIFT) + used;
  }

  /** Returns the tile of a position. */
  static int tile(long position) {
    return (int) (position >>> TILE_SHIFT);
  }

  /** Returns the time of the tile's window that is used at a position. */
  static long used(long position) {
    return position & USED_MASK;
  }

  /** Returns the start of a tile's window. */
  static long startOf(int tile) {
    return position(tile, 0);
  }

  /** Tells whether the rest of the tile holds a task whole. */
  boolean fitsWhole(long at, int task, int variant) {
    int tile = tile(at);
    return model.onTile(tile, model.run[task][variant]) <= room(at, task);
  }

  /** Tells whether a task would fill the rest of the tile and go on on the next one. */
  boolean divides(long at, int task, int variant) {
    long room = room(at, task);
    return room > 0
        && (model.overlapAllowed
            || canDivide(tile(at), task, used(at), model.run[task][variant], room));
  }

  private long room(long at, int task) {
    int tile = tile(at);
    return model.window[tile]
        - used(at)
        - model.reconfigure[tile]
        - model.onTile(tile, model.fill[task]);
  }

  /** Tells whether the remainder on the next tile would end before the head executes. */
  private boolean canDivide(int tile, int task, long used, long left, long headRun) {
    int next = tile + 1;
    if (next >= model.tiles) {
      return false;
    }
    long remainderEnd =
        model.reconfigure[next]
            + model.onTile(next, model.fill[task])
            + model.onTile(next, left - model.doneOnTile(tile, headRun));
    long headExecutes = used + model.reconfigure[tile];
    return remainderEnd - model.shift[next] <= headExecutes - model.shift[tile]
        && remainderEnd <= model.window[next];
  }

  private static void tell(
      @Nullable Sink sink, int tile, int task, long start, long fill, long run) {
    if (sink != null) {
      sink.segment(tile, task, start, fill, run);
    }
  }

  /** Places the tasks in an order; {@link #OUT} if there are not tiles enough. O(n + m). */
  long place(int[] order, int[] chosen) {
    long at = 0;
    for (int i = 0; i < order.length && at != OUT; i++) {
      at = next(at, order[i], chosen[order[i]]);
    }
    return at;
  }

  /** Makes the plan of tasks placed in an order, each from where the last one ended. */
  PlacementPlan plan(int[] order, int[] chosen) {
    List<Segment> segments = new ArrayList<>();
    long at = 0;
    for (int task : order) {
      at = next(at, task, chosen[task], sinkInto(segments));
    }
    return PlacementPlan.of(model.problem, model.positions(chosen), segments);
  }

  /** Returns a sink that makes segments of the slice out of those of the windows. */
  Sink sinkInto(List<Segment> segments) {
    return (tile, task, start, fill, run) -> {
      boolean loaded = model.problem.mirrored() && start == 0;
      segments.add(
          new Segment(
              tile,
              task,
              loaded ? 0 : start - model.shift[tile],
              loaded ? 0 : model.reconfigure[tile],
              fill,
              run));
    };
  }
}
