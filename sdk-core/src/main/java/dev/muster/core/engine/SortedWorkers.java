package dev.muster.core.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps workers sorted by the time they become available, ties by descending id.
 *
 * <p>A floor query therefore yields the latest-available worker with the lowest id. Two parallel
 * arrays beat a tree here: a query is one binary search over primitive keys, and an assignment
 * moves the few entries between the old and the new position. Nothing is allocated except when the
 * arrays grow.
 *
 * <p>Query O(log n); insert, remove and rekey O(log n + distance).
 */
final class SortedWorkers {
  private long[] keys = new long[16];

  /** Holds a worker in each of the first {@code size} places, null behind them. */
  private @Nullable WorkerState[] workers = new WorkerState[16];

  private int size;

  int size() {
    return size;
  }

  /** Returns the worker with the smallest key (ties: highest id); there must be one. */
  WorkerState first() {
    return at(0);
  }

  /** Returns the worker with the largest key at most the limit (ties: lowest id), or null. */
  @Nullable WorkerState floor(long limit) {
    int position = upperBound(limit) - 1;
    return position < 0 ? null : workers[position];
  }

  void insert(WorkerState worker, long key) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
      workers = Arrays.copyOf(workers, size * 2);
    }
    int position = lowerBound(key, worker.id, size);
    System.arraycopy(keys, position, keys, position + 1, size - position);
    System.arraycopy(workers, position, workers, position + 1, size - position);
    keys[position] = key;
    workers[position] = worker;
    size++;
  }

  void remove(WorkerState worker, long key) {
    int position = position(worker, key);
    size--;
    System.arraycopy(keys, position + 1, keys, position, size - position);
    System.arraycopy(workers, position + 1, workers, position, size - position);
    workers[size] = null;
  }

  /** Moves a worker from its old key to a new one. */
  void rekey(WorkerState worker, long oldKey, long newKey) {
    int from = position(worker, oldKey);
    if (newKey > oldKey) {
      int to = from;
      while (to + 1 < size && before(keys[to + 1], at(to + 1).id, newKey, worker.id)) {
        keys[to] = keys[to + 1];
        workers[to] = workers[to + 1];
        to++;
      }
      keys[to] = newKey;
      workers[to] = worker;
    } else {
      int to = lowerBound(newKey, worker.id, from);
      System.arraycopy(keys, to, keys, to + 1, from - to);
      System.arraycopy(workers, to, workers, to + 1, from - to);
      keys[to] = newKey;
      workers[to] = worker;
    }
  }

  @SuppressWarnings("NullAway") // every place below size holds a worker
  private WorkerState at(int position) {
    return workers[position];
  }

  private int position(WorkerState worker, long key) {
    int position = lowerBound(key, worker.id, size);
    if (position >= size || workers[position] != worker) {
      throw new IllegalStateException("worker " + worker.id + " is not indexed at " + key);
    }
    return position;
  }

  /** Returns the number of entries with a key at most the limit. */
  private int upperBound(long limit) {
    int low = 0;
    int length = size;
    while (length > 0) {
      int half = length >>> 1;
      if (keys[low + half] <= limit) {
        low += half + 1;
        length -= half + 1;
      } else {
        length = half;
      }
    }
    return low;
  }

  /** Returns the position among the first {@code end} entries where (key, id) belongs. */
  private int lowerBound(long key, long id, int end) {
    int low = 0;
    int length = end;
    while (length > 0) {
      int half = length >>> 1;
      int middle = low + half;
      if (before(keys[middle], at(middle).id, key, id)) {
        low = middle + 1;
        length -= half + 1;
      } else {
        length = half;
      }
    }
    return low;
  }

  private static boolean before(long keyA, long idA, long keyB, long idB) {
    return keyA < keyB || (keyA == keyB && idA > idB);
  }
}
