package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.List;

/** Makes workloads from explicit tasks and from other workloads. */
public final class Workloads {
  private static final String ONLY_APPLICATION = "app";

  private Workloads() {}

  /**
   * Makes a workload of one application, called "app", from explicit tasks.
   *
   * @see #of(String, String, long[], long[], long[], long)
   */
  public static Workload of(
      String name, long[] arrivalNanos, long[] sizeNanos, long[] deadlineNanos, long horizonNanos) {
    return of(name, ONLY_APPLICATION, arrivalNanos, sizeNanos, deadlineNanos, horizonNanos);
  }

  /**
   * Makes a workload of one application from explicit tasks, sorted by arrival, deadline and index.
   *
   * @param name for reports
   * @param application name of the application
   * @param arrivalNanos when each task arrives, from 0 to the horizon
   * @param sizeNanos service times on the reference worker, at least 0
   * @param deadlineNanos latest finishes, not before the arrivals
   * @param horizonNanos before which all tasks arrive, at least 1
   * @throws InvalidInputException if the arrays differ in length or a value is out of range
   */
  public static Workload of(
      String name,
      String application,
      long[] arrivalNanos,
      long[] sizeNanos,
      long[] deadlineNanos,
      long horizonNanos) {
    if (sizeNanos.length != arrivalNanos.length || deadlineNanos.length != arrivalNanos.length) {
      throw InvalidInputException.of(
          "workload " + name + " columns",
          arrivalNanos.length + "/" + sizeNanos.length + "/" + deadlineNanos.length,
          "must have equal lengths",
          "give one arrival, size and deadline per task");
    }
    RecordedWorkload.Builder builder =
        RecordedWorkload.builder(name, List.of(application), horizonNanos);
    for (int i = 0; i < arrivalNanos.length; i++) {
      builder.add(arrivalNanos[i], sizeNanos[i], deadlineNanos[i]);
    }
    return builder.build();
  }

  /**
   * Merges workloads, so that their applications share a fleet.
   *
   * <p>Tasks at the same instant come by deadline, then by the position of their workload in the
   * list. Applications of the same name become one. The horizon is the latest of all. Streaming:
   * O(log k) per task for k workloads, which are opened anew with each cursor.
   *
   * @param name for reports
   * @param workloads at least one, at most {@value MergedWorkload#MAX_SOURCES}
   * @throws InvalidInputException if there are too few or too many
   */
  public static Workload merge(String name, List<? extends Workload> workloads) {
    return MergedWorkload.of(name, List.copyOf(workloads));
  }
}
