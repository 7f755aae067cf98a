package dev.muster.core.baseline;

import dev.muster.api.Capability;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.policy.EfficientFirst;
import dev.muster.core.policy.Overflow;

/** Makes the schedulers that Spork is compared with (Table 4 of Spork). */
public final class Baselines {
  private Baselines() {}

  /**
   * Makes a scheduler that uses one elastic type only and provisions a worker whenever none meets
   * the deadline (CPU-dynamic with the type {@code "cpu"}).
   */
  public static ComposedPolicy dynamic(String name, String type) {
    return ComposedPolicy.builder(name)
        .dispatch(EfficientFirst.only(type))
        .overflow(Overflow.burst(type))
        .requires(Capability.DEADLINES, Capability.SIZES, Capability.ELASTIC_WORKERS)
        .build();
  }

  /** Makes CPU-dynamic. */
  public static ComposedPolicy cpuDynamic() {
    return dynamic("CPU-dynamic", "cpu");
  }

  /**
   * Makes a scheduler with a fixed fleet of one type (FPGA-static with the type {@code "fpga"}); a
   * task that no worker can finish in time goes to the one that finishes it first.
   *
   * @param workers size of the fleet; the least that misses no deadline is the paper's choice
   */
  public static ComposedPolicy fixed(String name, String type, int workers) {
    return ComposedPolicy.builder(name)
        .allocation(FixedAllocation.of(type, workers))
        .dispatch(EfficientFirst.only(type))
        .overflow(Overflow.earliestCompletion())
        .requires(Capability.DEADLINES, Capability.SIZES)
        .build();
  }

  /** Makes FPGA-static. */
  public static ComposedPolicy fpgaStatic(int workers) {
    return fixed("FPGA-static", "fpga", workers);
  }
}
