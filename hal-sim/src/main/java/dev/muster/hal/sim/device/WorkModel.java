package dev.muster.hal.sim.device;

import dev.muster.api.Task;
import dev.muster.api.Variant;

/** Says what a task demands of a card beyond the computing time that its variant states. */
public interface WorkModel {
  /** Demands no transfers and no memory: a lone task takes what its variant says. */
  WorkModel COMPUTE_ONLY = proportional(0, 0, 0);

  /** Returns the bytes sent to the card before the computation, 0 to 2^40. */
  long bytesIn(Task task, Variant variant);

  /** Returns the bytes fetched after it, 0 to 2^40. */
  long bytesOut(Task task, Variant variant);

  /** Returns the bytes of device memory that the computation reads and writes, at least 0. */
  long memoryBytes(Task task, Variant variant);

  /**
   * Creates demands in proportion to a task's computing time.
   *
   * @param inPerMicro bytes sent per us of computing
   * @param outPerMicro bytes fetched per us of computing
   * @param memoryPerMicro bytes of device memory per us of computing
   */
  static WorkModel proportional(long inPerMicro, long outPerMicro, long memoryPerMicro) {
    KernelModel.require("bytes in per us", inPerMicro, 0, 1 << 20);
    KernelModel.require("bytes out per us", outPerMicro, 0, 1 << 20);
    KernelModel.require("memory bytes per us", memoryPerMicro, 0, 1 << 20);
    return new WorkModel() {
      @Override
      public long bytesIn(Task task, Variant variant) {
        return micros(task, variant) * inPerMicro;
      }

      @Override
      public long bytesOut(Task task, Variant variant) {
        return micros(task, variant) * outPerMicro;
      }

      @Override
      public long memoryBytes(Task task, Variant variant) {
        return micros(task, variant) * memoryPerMicro;
      }

      private static long micros(Task task, Variant variant) {
        return Math.ceilDiv(variant.serviceNanos(task.sizeNanos()), 1_000);
      }
    };
  }
}
