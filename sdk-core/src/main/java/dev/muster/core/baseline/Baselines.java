package dev.muster.core.baseline;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.Capability;
import dev.muster.api.Objective;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.policy.EfficientFirst;
import dev.muster.core.policy.IndexPacking;
import dev.muster.core.policy.OneToOne;
import dev.muster.core.policy.Overflow;
import dev.muster.core.policy.RoundRobin;
import dev.muster.core.spork.FutureDemand;
import dev.muster.core.spork.IdealAllocator;

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

  /**
   * Makes FPGA-dynamic: one elastic type that follows the load with a headroom.
   *
   * @param load work by interval of the type's spin-up time
   * @param intervalNanos length of the interval
   * @param headroomNanos reference service time per interval on top of the last load
   */
  public static ComposedPolicy fpgaDynamic(
      FutureDemand load, long intervalNanos, long headroomNanos) {
    return ComposedPolicy.builder("FPGA-dynamic")
        .allocation(HeadroomAllocation.of("fpga", load, intervalNanos, headroomNanos))
        .dispatch(EfficientFirst.only("fpga"))
        .overflow(Overflow.earliestCompletion())
        .requires(
            Capability.DEADLINES,
            Capability.SIZES,
            Capability.ELASTIC_WORKERS,
            Capability.CLAIRVOYANCE)
        .build();
  }

  /**
   * Makes MArk-ideal: cost-optimised allocation with perfect knowledge, round-robin dispatch.
   *
   * @param demand work by interval
   * @param intervalNanos length of the interval
   */
  public static ComposedPolicy markIdeal(FutureDemand demand, long intervalNanos) {
    return hybrid("MArk-ideal", IdealAllocator.of(Objective.COST, demand, intervalNanos, 2))
        .dispatch(RoundRobin.drainingExcess("fpga"))
        .requires(Capability.CLAIRVOYANCE)
        .build();
  }

  /**
   * Makes Spork with perfect predictions.
   *
   * @param name for reports, e.g. {@code "SporkE-ideal"}
   */
  public static ComposedPolicy sporkIdeal(
      String name, Objective objective, FutureDemand demand, long intervalNanos) {
    return hybrid(name, IdealAllocator.of(objective, demand, intervalNanos, 1))
        .requires(Capability.CLAIRVOYANCE)
        .build();
  }

  /**
   * Makes an INFaaS-like scheduler: reactive scaling of the accelerator to a utilisation of 70 %.
   */
  public static ComposedPolicy infaas(String type, long intervalNanos) {
    return hybrid("INFaaS-like", UtilisationAllocation.of(type, intervalNanos, 70)).build();
  }

  /**
   * Makes AutoScale: one elastic type, index packing, provisioning when no worker meets the
   * deadline. Give the type a long idle timeout; the original waits 120 s.
   */
  public static ComposedPolicy autoScale(String type) {
    return ComposedPolicy.builder("AutoScale")
        .dispatch(IndexPacking.create())
        .overflow(Overflow.burst(type))
        .requires(Capability.DEADLINES, Capability.SIZES, Capability.ELASTIC_WORKERS)
        .build();
  }

  /** Makes the serverless scheduler: one instance of one type per request. */
  public static ComposedPolicy serverless(String type) {
    return ComposedPolicy.builder("Serverless")
        .dispatch(OneToOne.create())
        .overflow(Overflow.burst(type))
        .requires(Capability.ELASTIC_WORKERS)
        .build();
  }

  private static ComposedPolicy.Builder hybrid(String name, AllocationPolicy allocation) {
    return ComposedPolicy.builder(name)
        .allocation(allocation)
        .requires(Capability.DEADLINES, Capability.SIZES, Capability.ELASTIC_WORKERS);
  }
}
