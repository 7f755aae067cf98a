package dev.muster.core.qos;

import java.util.Arrays;

/** Keeps jobs of a {@link JobTable} sorted by one key, then task id. O(n) moves of ints. */
final class JobQueue {
  private final JobTable table;
  private final Key key;
  private int[] jobs = new int[64];
  private int size;

  /** Names the column that sorts a queue; a column may move when the table grows. */
  enum Key {
    DEADLINE,
    AREA_TIME,
    SHORTEST,
    NONE
  }

  JobQueue(JobTable table, Key key) {
    this.table = table;
    this.key = key;
  }

  int size() {
    return size;
  }

  int get(int position) {
    return jobs[position];
  }

  /** Appends without sorting, for queues in the order of arrival or demotion. */
  void append(int job) {
    ensureRoom();
    jobs[size++] = job;
  }

  void insert(int job) {
    ensureRoom();
    int position = lowerBound(job);
    System.arraycopy(jobs, position, jobs, position + 1, size - position);
    jobs[position] = job;
    size++;
  }

  void remove(int job) {
    int position = key == Key.NONE ? indexOf(job) : lowerBound(job);
    removeAt(position);
  }

  void removeAt(int position) {
    size--;
    System.arraycopy(jobs, position + 1, jobs, position, size - position);
  }

  void clear() {
    size = 0;
  }

  /** Cuts off everything from a position on, after a caller compacted the front with set. */
  void truncate(int newSize) {
    size = newSize;
  }

  void set(int position, int job) {
    jobs[position] = job;
  }

  int indexOf(int job) {
    for (int i = 0; i < size; i++) {
      if (jobs[i] == job) {
        return i;
      }
    }
    throw new IllegalStateException("job " + job + " is not queued");
  }

  private void ensureRoom() {
    if (size == jobs.length) {
      jobs = Arrays.copyOf(jobs, size * 2);
    }
  }

  private int lowerBound(int job) {
    long value = keyOf(job);
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int other = jobs[middle];
      long otherValue = keyOf(other);
      boolean before = otherValue < value || (otherValue == value && isEarlier(other, job));
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isEarlier(int a, int b) {
    if (key == Key.SHORTEST && table.deadlines[a] != table.deadlines[b]) {
      return table.deadlines[a] < table.deadlines[b];
    }
    return table.taskIds[a] < table.taskIds[b];
  }

  private long keyOf(int job) {
    return switch (key) {
      case DEADLINE -> table.deadlines[job];
      case AREA_TIME -> table.leastAreaTimes[job];
      case SHORTEST -> table.shortest[job];
      case NONE -> 0;
    };
  }
}
