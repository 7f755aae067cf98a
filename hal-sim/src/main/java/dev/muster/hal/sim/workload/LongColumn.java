package dev.muster.hal.sim.workload;

import java.util.Arrays;

/**
 * Holds a growing column of numbers; a single cell as long as all of them are equal.
 *
 * <p>A workload with one size, slack, application and weight so costs 8 bytes per task in all.
 */
final class LongColumn {
  private long[] values = {0};

  /** Is 0 while one cell stands for all rows, else -1: a row's cell is {@code row & mask}. */
  private int mask;

  private int size;

  void add(long value) {
    if (size == 0) {
      values[0] = value;
    } else if (mask == 0 && value != values[0]) {
      long constant = values[0];
      values = new long[Math.max(16, size + (size >> 1) + 1)];
      Arrays.fill(values, 0, size, constant);
      mask = -1;
    }
    if (mask != 0) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size + (size >> 1));
      }
      values[size] = value;
    }
    size++;
  }

  /** Returns a row's number; the caller has checked the row. */
  long get(int row) {
    return values[row & mask];
  }

  /** Returns the column with its rows in another order. */
  LongColumn reordered(Integer[] order) {
    LongColumn result = new LongColumn();
    for (int row : order) {
      result.add(get(row));
    }
    return result;
  }

  /** Gives back the memory kept for growth. */
  void trim() {
    if (mask != 0 && values.length > size) {
      values = Arrays.copyOf(values, size);
    }
  }
}
