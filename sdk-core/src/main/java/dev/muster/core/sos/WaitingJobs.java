package dev.muster.core.sos;

/** Holds jobs that wait for a slot, in order of arrival: a ring of fixed-size rows that grows. */
final class WaitingJobs {
  private final int machines;
  private final int width;
  private long[] rows;
  private int capacity = 16;
  private int head;
  private int size;

  WaitingJobs(int machines) {
    this.machines = machines;
    width = 2 + 2 * machines;
    rows = new long[capacity * width];
  }

  int size() {
    return size;
  }

  void add(long job, long weight, long[] epts, long[] alphas) {
    if (size == capacity) {
      grow();
    }
    int row = (head + size++) % capacity * width;
    rows[row] = job;
    rows[row + 1] = weight;
    System.arraycopy(epts, 0, rows, row + 2, machines);
    System.arraycopy(alphas, 0, rows, row + 2 + machines, machines);
  }

  long firstJob() {
    return rows[head * width];
  }

  long firstWeight() {
    return rows[head * width + 1];
  }

  void firstEpts(long[] into) {
    System.arraycopy(rows, head * width + 2, into, 0, machines);
  }

  void firstAlphas(long[] into) {
    System.arraycopy(rows, head * width + 2 + machines, into, 0, machines);
  }

  void removeFirst() {
    head = (head + 1) % capacity;
    size--;
  }

  /** Removes a job wherever it waits. O(size). */
  boolean remove(long job) {
    for (int i = 0; i < size; i++) {
      if (rows[(head + i) % capacity * width] == job) {
        for (int j = i; j < size - 1; j++) {
          int to = (head + j) % capacity * width;
          System.arraycopy(rows, (head + j + 1) % capacity * width, rows, to, width);
        }
        size--;
        return true;
      }
    }
    return false;
  }

  private void grow() {
    long[] more = new long[2 * capacity * width];
    for (int i = 0; i < size; i++) {
      System.arraycopy(rows, (head + i) % capacity * width, more, i * width, width);
    }
    rows = more;
    head = 0;
    capacity *= 2;
  }
}
