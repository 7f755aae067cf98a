package dev.muster.core.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hands out slots and finds the worker in a slot.
 *
 * <p>Indices hold slots instead of references: moving an int costs no garbage-collection barrier.
 */
final class WorkerTable {
  private @Nullable WorkerState[] workers = new WorkerState[64];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  int takeSlot() {
    return freeCount == 0 ? used++ : free[--freeCount];
  }

  void put(WorkerState worker) {
    if (worker.slot >= workers.length) {
      workers = Arrays.copyOf(workers, workers.length * 2);
    }
    workers[worker.slot] = worker;
  }

  /** Makes a slot available again. */
  void freeSlot(int slot) {
    workers[slot] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = slot;
  }

  @SuppressWarnings("NullAway") // only slots of live workers are asked for
  WorkerState at(int slot) {
    return workers[slot];
  }
}
