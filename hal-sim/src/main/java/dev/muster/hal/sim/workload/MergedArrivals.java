package dev.muster.hal.sim.workload;

import org.jspecify.annotations.Nullable;

/**
 * Merges ordered sources by a binary heap over their next arrivals.
 *
 * <p>O(log k) per arrival for k sources, no allocation. The heap holds source numbers; their keys
 * lie in arrays, so that sifting calls no source.
 */
final class MergedArrivals implements ArrivalSource {
  private final ArrivalSource[] sources;
  private final int[][] owners;
  private final long[] arrivals;
  private final long[] deadlines;
  private final int[] heap;
  private int size;
  private boolean opened;

  MergedArrivals(ArrivalSource[] sources, int[][] owners) {
    this.sources = sources;
    this.owners = owners;
    arrivals = new long[sources.length];
    deadlines = new long[sources.length];
    heap = new int[sources.length];
  }

  @Override
  public boolean advance() {
    if (!opened) {
      opened = true;
      fill();
    } else if (size > 0) {
      if (!pull(heap[0])) {
        heap[0] = heap[--size];
      }
      sift(0);
    }
    return size > 0;
  }

  private void fill() {
    for (int source = 0; source < sources.length; source++) {
      if (pull(source)) {
        heap[size++] = source;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sift(i);
    }
  }

  private boolean pull(int source) {
    if (!sources[source].advance()) {
      return false;
    }
    arrivals[source] = sources[source].arrivalNanos();
    deadlines[source] = sources[source].deadlineNanos();
    return true;
  }

  private void sift(int start) {
    int hole = start;
    int source = heap[hole];
    for (int child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (isBefore(source, heap[child])) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = source;
  }

  private boolean isBefore(int a, int b) {
    if (arrivals[a] != arrivals[b]) {
      return arrivals[a] < arrivals[b];
    }
    return deadlines[a] != deadlines[b] ? deadlines[a] < deadlines[b] : a < b;
  }

  @Override
  public long arrivalNanos() {
    return arrivals[heap[0]];
  }

  @Override
  public long sizeNanos() {
    return sources[heap[0]].sizeNanos();
  }

  @Override
  public long deadlineNanos() {
    return deadlines[heap[0]];
  }

  @Override
  public int application() {
    return owners[heap[0]][sources[heap[0]].application()];
  }

  @Override
  public @Nullable Object payload() {
    return sources[heap[0]].payload();
  }

  @Override
  public int weight() {
    return sources[heap[0]].weight();
  }
}
