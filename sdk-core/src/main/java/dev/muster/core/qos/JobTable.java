package dev.muster.core.qos;

import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is known of queued tasks in columns, by a small reused index, without allocation.
 *
 * <p>A task's deadline is fixed, so its remaining time orders it as its deadline does, and the
 * latest time at which its fastest variant can still start says when it stops being feasible.
 */
final class JobTable {
  /** Stands for "no variant fits". */
  static final long NEVER = Long.MAX_VALUE;

  final int kinds;
  private final long[] loadNanos;
  private final long[] areas;

  @Nullable Task[] tasks;
  long[] taskIds;
  long[] deadlines;
  long[] latestStarts;

  /** Holds the least product of area and service time. */
  long[] leastAreaTimes;

  /** Holds the service time with the fastest variant of the largest region. */
  long[] shortest;

  /** Holds, for each job and kind, the service time of the fastest variant that fits. */
  long[] services;

  /** Holds, for each job, the kinds by increasing area time; unfit ones last. */
  int[] kindsByAreaTime;

  @Nullable Variant[] variants;
  boolean[] demoted;
  int[] recalls;
  private int[] free;
  private int freeCount;

  JobTable(RegionMap map) {
    kinds = map.pools.length;
    loadNanos = new long[kinds];
    areas = new long[kinds];
    for (int kind = 0; kind < kinds; kind++) {
      loadNanos[kind] = map.pools[kind].type().loadNanos();
      areas[kind] = map.layout.kinds().get(kind).area();
    }
    tasks = new Task[0];
    taskIds = new long[0];
    deadlines = new long[0];
    latestStarts = new long[0];
    leastAreaTimes = new long[0];
    shortest = new long[0];
    services = new long[0];
    kindsByAreaTime = new int[0];
    variants = new Variant[0];
    demoted = new boolean[0];
    recalls = new int[0];
    free = new int[0];
    grow(64);
  }

  /** Returns the number of jobs there is room for. */
  int capacity() {
    return tasks.length;
  }

  private void grow(int size) {
    int old = tasks.length;
    tasks = Arrays.copyOf(tasks, size);
    taskIds = Arrays.copyOf(taskIds, size);
    deadlines = Arrays.copyOf(deadlines, size);
    latestStarts = Arrays.copyOf(latestStarts, size);
    leastAreaTimes = Arrays.copyOf(leastAreaTimes, size);
    shortest = Arrays.copyOf(shortest, size);
    services = Arrays.copyOf(services, size * kinds);
    kindsByAreaTime = Arrays.copyOf(kindsByAreaTime, size * kinds);
    variants = Arrays.copyOf(variants, size * kinds);
    demoted = Arrays.copyOf(demoted, size);
    recalls = Arrays.copyOf(recalls, size);
    free = Arrays.copyOf(free, size);
    for (int job = size - 1; job >= old; job--) {
      free[freeCount++] = job;
    }
  }

  /** Adds a task and finds its fastest variant for each kind of region. O(variants). */
  int add(Task task, RegionMap map, SchedulingContext context) {
    if (freeCount == 0) {
      grow(tasks.length * 2);
    }
    int job = free[--freeCount];
    tasks[job] = task;
    taskIds[job] = task.id();
    deadlines[job] = task.deadlineNanos();
    demoted[job] = false;
    recalls[job] = 0;
    latestStarts[job] = Long.MIN_VALUE;
    leastAreaTimes[job] = NEVER;
    shortest[job] = NEVER;
    for (int kind = 0; kind < kinds; kind++) {
      int cell = job * kinds + kind;
      Variant fastest = fastest(task, context.variants(task, map.pools[kind]));
      variants[cell] = fastest;
      services[cell] = fastest == null ? NEVER : fastest.serviceNanos(task.sizeNanos());
      if (fastest != null) {
        long needs = loadNanos[kind] + services[cell];
        latestStarts[job] = Math.max(latestStarts[job], deadlines[job] - needs);
        leastAreaTimes[job] = Math.min(leastAreaTimes[job], areaTime(cell, kind));
        shortest[job] = services[cell];
      }
    }
    sortKinds(job);
    return job;
  }

  private long areaTime(int cell, int kind) {
    return services[cell] == NEVER ? NEVER : saturatedProduct(services[cell], areas[kind]);
  }

  private static long saturatedProduct(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : NEVER - 1;
  }

  private void sortKinds(int job) {
    int base = job * kinds;
    for (int kind = 0; kind < kinds; kind++) {
      long key = areaTime(base + kind, kind);
      int i = kind;
      while (i > 0
          && areaTime(base + kindsByAreaTime[base + i - 1], kindsByAreaTime[base + i - 1]) > key) {
        kindsByAreaTime[base + i] = kindsByAreaTime[base + i - 1];
        i--;
      }
      kindsByAreaTime[base + i] = kind;
    }
  }

  /** Returns the fastest variant; ties go to fewer LUT, FF, BRAM, DSP, then the lower id. */
  private static @Nullable Variant fastest(Task task, List<Variant> candidates) {
    Variant best = null;
    for (int i = 0; i < candidates.size(); i++) {
      Variant candidate = candidates.get(i);
      if (best == null || compare(task, candidate, best) < 0) {
        best = candidate;
      }
    }
    return best;
  }

  private static int compare(Task task, Variant a, Variant b) {
    int order = Long.compare(a.serviceNanos(task.sizeNanos()), b.serviceNanos(task.sizeNanos()));
    if (order == 0) {
      order = Long.compare(a.footprint().lut(), b.footprint().lut());
    }
    if (order == 0) {
      order = Long.compare(a.footprint().ff(), b.footprint().ff());
    }
    if (order == 0) {
      order = Long.compare(a.footprint().bram(), b.footprint().bram());
    }
    if (order == 0) {
      order = Long.compare(a.footprint().dsp(), b.footprint().dsp());
    }
    return order == 0 ? a.id().compareTo(b.id()) : order;
  }

  void remove(int job) {
    tasks[job] = null;
    free[freeCount++] = job;
  }

  Task task(int job) {
    return Objects.requireNonNull(tasks[job]);
  }

  Variant variant(int job, int kind) {
    return Objects.requireNonNull(variants[job * kinds + kind]);
  }

  boolean fits(int job, int kind) {
    return services[job * kinds + kind] != NEVER;
  }

  boolean fitsNowhere(int job) {
    return shortest[job] == NEVER;
  }

  long needs(int job, int kind) {
    return loadNanos[kind] + services[job * kinds + kind];
  }

  long loadNanos(int kind) {
    return loadNanos[kind];
  }

  boolean isFeasible(int job, long nowNanos) {
    return nowNanos <= latestStarts[job];
  }
}
