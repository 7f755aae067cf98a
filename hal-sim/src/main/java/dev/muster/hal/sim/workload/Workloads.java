package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Makes workloads from explicit tasks. */
public final class Workloads {
  private Workloads() {}

  /**
   * Makes a workload of one application from explicit tasks, sorted by arrival, deadline and index.
   *
   * @param name for reports
   * @param arrivalNanos when each task arrives, from 0 to the horizon
   * @param sizeNanos service times on the reference worker, at least 0
   * @param deadlineNanos latest finishes, not before the arrivals
   * @param horizonNanos before which all tasks arrive
   * @throws InvalidInputException if the arrays differ in length or a value is out of range
   */
  public static Workload of(
      String name, long[] arrivalNanos, long[] sizeNanos, long[] deadlineNanos, long horizonNanos) {
    if (sizeNanos.length != arrivalNanos.length || deadlineNanos.length != arrivalNanos.length) {
      throw InvalidInputException.of(
          "workload " + name + " columns",
          arrivalNanos.length + "/" + sizeNanos.length + "/" + deadlineNanos.length,
          "must have equal lengths",
          "give one arrival, size and deadline per task");
    }
    Integer[] order = new Integer[arrivalNanos.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        Comparator.comparingLong((Integer i) -> arrivalNanos[i])
            .thenComparingLong(i -> deadlineNanos[i])
            .thenComparingInt(i -> i));
    long[] arrivals = new long[order.length];
    long[] sizes = new long[order.length];
    long[] deadlines = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      arrivals[i] = arrivalNanos[order[i]];
      sizes[i] = sizeNanos[order[i]];
      deadlines[i] = deadlineNanos[order[i]];
      if (arrivals[i] < 0 || arrivals[i] >= horizonNanos) {
        throw invalid(
            name, order[i], "arrival", arrivals[i], "must be in [0, " + horizonNanos + ")");
      }
      if (sizes[i] < 0) {
        throw invalid(name, order[i], "size", sizes[i], "must be >= 0");
      }
      if (deadlines[i] < arrivals[i]) {
        throw invalid(name, order[i], "deadline", deadlines[i], "must not be before its arrival");
      }
    }
    return new Explicit(name, arrivals, sizes, deadlines, horizonNanos);
  }

  private static InvalidInputException invalid(
      String name, int task, String what, long value, String limit) {
    return InvalidInputException.of(
        "workload " + name + " task " + task + " " + what + " (ns)", value, limit, "correct it");
  }

  /** Holds explicit tasks, sorted. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and the arrays never escape
  private record Explicit(
      String name, long[] arrivals, long[] sizes, long[] deadlines, long horizonNanos)
      implements Workload {
    @Override
    public List<String> applications() {
      return List.of("app");
    }

    @Override
    public ArrivalSource open() {
      return new ArrivalSource() {
        private int position = -1;

        @Override
        public boolean advance() {
          return ++position < arrivals.length;
        }

        @Override
        public long arrivalNanos() {
          return arrivals[position];
        }

        @Override
        public long sizeNanos() {
          return sizes[position];
        }

        @Override
        public long deadlineNanos() {
          return deadlines[position];
        }
      };
    }
  }
}
