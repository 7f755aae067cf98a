package dev.muster.core.dpfair;

import dev.muster.api.Task;
import dev.muster.api.Worker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows one worker through a plan: which pieces wait for it, which one runs.
 *
 * <p>A piece is handed to the worker as early as its image needs to be loaded, so that it executes
 * when the plan says. On a lane that fell behind pieces execute as soon as they can.
 */
final class Lane {
  final int number;

  /** Position of the worker's type among the fleet's. */
  final int type;

  /** By slice, then by time in the slice. */
  final List<Waiting> queue = new ArrayList<>();

  @Nullable Worker worker;
  @Nullable PlanPiece running;
  long runsFromNanos;

  Lane(int number, int type) {
    this.number = number;
    this.type = type;
  }

  /** Holds a piece with the task that stands for it. */
  record Waiting(Task task, PlanPiece piece) {}

  void insert(Waiting waiting) {
    int at = queue.size();
    while (at > 0 && comesAfter(queue.get(at - 1).piece, waiting.piece)) {
      at--;
    }
    queue.add(at, waiting);
  }

  private static boolean comesAfter(PlanPiece a, PlanPiece b) {
    return a.slice() != b.slice()
        ? a.slice() > b.slice()
        : a.segment().startMicros() > b.segment().startMicros();
  }

  /** Forgets that a piece runs. */
  void release(PlanPiece piece) {
    if (piece.equals(running)) {
      running = null;
    }
  }

  /** Returns when to hand a piece over so that it executes on time. */
  long dueNanos(PlanPiece piece) {
    return Math.max(0, piece.executeNanos() - executeNanos(piece, 0));
  }

  /** Returns when a piece executes that an idle worker is given now. */
  long executeNanos(PlanPiece piece, long nowNanos) {
    Worker current = worker;
    boolean loaded = current != null && piece.image().equals(current.image());
    return nowNanos + (loaded ? 0 : loadNanos());
  }

  private long loadNanos() {
    Worker current = worker;
    return current == null ? 0 : current.type().loadNanos();
  }

  /** Tells whether the waiting pieces of the first slice can all end before the slice does. */
  boolean fits(long nowNanos) {
    Worker current = worker;
    if (current == null) {
      return false;
    }
    long free = current.load() > 0 ? current.availableAtNanos() : current.readyNanos();
    long at = Math.max(nowNanos, free);
    String image = running == null ? current.image() : running.image();
    for (Waiting waiting : queue) {
      PlanPiece piece = waiting.piece;
      if (piece.slice() != queue.get(0).piece.slice()) {
        break;
      }
      long load = piece.image().equals(image) ? 0 : loadNanos();
      at = Math.max(at + load, piece.executeNanos()) + piece.serviceNanos();
      image = piece.image();
      if (at > piece.sliceEndNanos()) {
        return false;
      }
    }
    return true;
  }

  /** Takes the piece of least weight out of the first slice's (ties: the last one). */
  Task takeLeast() {
    long slice = queue.get(0).piece.slice();
    int least = 0;
    for (int i = 1; i < queue.size() && queue.get(i).piece.slice() == slice; i++) {
      if (queue.get(i).piece.weight() <= queue.get(least).piece.weight()) {
        least = i;
      }
    }
    return queue.remove(least).task;
  }
}
