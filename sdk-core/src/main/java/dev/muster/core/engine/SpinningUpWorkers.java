package dev.muster.core.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the workers of a pool that are spinning up, grouped by the time they become ready.
 *
 * <p>Within a group, "most work queued" is the same as "available last", so each group answers by a
 * floor query. Workers provisioned by one decision share a group; the number of groups g stays
 * small.
 */
final class SpinningUpWorkers {
  /** Holds the workers that become ready at one time. */
  static final class Group {
    long readyNanos;
    final SortedWorkers byAvailability;

    Group(WorkerTable table) {
      byAvailability = new SortedWorkers(table);
    }
  }

  private final WorkerTable table;

  private final ArrayList<Group> groups = new ArrayList<>();
  private final ArrayDeque<Group> spare = new ArrayDeque<>();
  private int size;

  SpinningUpWorkers(WorkerTable table) {
    this.table = table;
  }

  int size() {
    return size;
  }

  void add(WorkerState worker) {
    Group group = groupAt(worker.readyNanos);
    worker.group = group;
    group.byAvailability.insert(worker, worker.availableAtNanos);
    size++;
  }

  void remove(WorkerState worker) {
    Group group = groupOf(worker);
    group.byAvailability.remove(worker, worker.availableAtNanos);
    worker.group = null;
    size--;
    if (group.byAvailability.size() == 0) {
      groups.remove(group);
      spare.push(group);
    }
  }

  void rekey(WorkerState worker, long oldKey, long newKey) {
    groupOf(worker).byAvailability.rekey(worker, oldKey, newKey);
  }

  /** Returns the worker with most work queued that is available by the limit; ties: lowest id. */
  @Nullable WorkerState mostLoaded(long limit) {
    WorkerState best = null;
    long bestWork = -1;
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      WorkerState candidate = group.byAvailability.floor(limit);
      if (candidate != null) {
        long work = candidate.availableAtNanos - group.readyNanos;
        if (work > bestWork || (best != null && work == bestWork && candidate.id < best.id)) {
          best = candidate;
          bestWork = work;
        }
      }
    }
    return best;
  }

  /** Returns the worker that becomes available first; ties: lowest ready time, highest id. */
  @Nullable WorkerState earliest() {
    WorkerState best = null;
    for (int i = 0; i < groups.size(); i++) {
      WorkerState candidate = groups.get(i).byAvailability.first();
      if (best == null || candidate.availableAtNanos < best.availableAtNanos) {
        best = candidate;
      }
    }
    return best;
  }

  /** Returns a worker whose expected ready time is not after now, or null. */
  @Nullable WorkerState overdue(long nowNanos) {
    for (Iterator<Group> it = groups.iterator(); it.hasNext(); ) {
      Group group = it.next();
      if (group.readyNanos <= nowNanos) {
        return group.byAvailability.first();
      }
    }
    return null;
  }

  private Group groupAt(long readyNanos) {
    for (int i = groups.size() - 1; i >= 0; i--) {
      if (groups.get(i).readyNanos == readyNanos) {
        return groups.get(i);
      }
    }
    Group group = spare.isEmpty() ? new Group(table) : spare.pop();
    group.readyNanos = readyNanos;
    groups.add(group);
    return group;
  }

  private static Group groupOf(WorkerState worker) {
    Group group = worker.group;
    if (group == null) {
      throw new IllegalStateException("worker " + worker.id + " is not spinning up");
    }
    return group;
  }
}
