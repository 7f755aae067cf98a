package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Objective;
import dev.muster.api.QueueOrder;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.policy.IndexPacking;
import dev.muster.core.policy.OneToOne;
import dev.muster.core.policy.Overflow;
import dev.muster.core.policy.RoundRobin;
import dev.muster.core.spork.Spork;
import dev.muster.core.spork.SporkAllocator;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Holds the laws for every policy on random fleets, sound and faulty. */
class LawsProperties {
  /** Makes a policy and says its name when a property fails. */
  record Maker(String name, Supplier<SchedulingPolicy> make) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Law 3 with POL-1, POL-3, POL-4, POL-5: the checker holds all of them at every event. */
  @Property(tries = 4_000)
  void everyTaskEndsOnceOnACapableFreeWorkerWithinLimits(
      @ForAll("policies") Maker policy,
      @ForAll("fleets") List<WorkerType> fleet,
      @ForAll long seed) {
    new Scenario(seed, fleet, false).run(policy.make().get(), InvariantChecker.create());
  }

  /** Law 3 and POL-7 under faults. */
  @Property(tries = 4_000)
  void noFaultLosesATaskOrLeaksAWorker(
      @ForAll("policies") Maker policy,
      @ForAll("fleets") List<WorkerType> fleet,
      @ForAll long seed) {
    new Scenario(seed, fleet, true).run(policy.make().get(), InvariantChecker.create());
  }

  /** Law 5 and POL-2. */
  @Property(tries = 1_000)
  void theSameSeedGivesTheSameEvents(
      @ForAll("policies") Maker policy,
      @ForAll("fleets") List<WorkerType> fleet,
      @ForAll long seed,
      @ForAll boolean faulty) {
    InvariantChecker first = InvariantChecker.logging();
    InvariantChecker second = InvariantChecker.logging();
    new Scenario(seed, fleet, faulty).run(policy.make().get(), first);
    new Scenario(seed + 1, fleet, faulty).run(policy.make().get(), InvariantChecker.create());
    new Scenario(seed, fleet, faulty).run(policy.make().get(), second);
    assertThat(second.log()).isEqualTo(first.log());
  }

  @Provide
  Arbitrary<Maker> policies() {
    return Arbitraries.of(
        new Maker("SporkE", Spork::energy),
        new Maker("SporkC", Spork::cost),
        new Maker("SporkB", Spork::balanced),
        new Maker("Spork 3:1", () -> Spork.of("Spork 3:1", new Objective(3, 1))),
        new Maker("Spork-adaptive", Spork::adaptive),
        new Maker("CPU-dynamic", Baselines::cpuDynamic),
        new Maker("FPGA-static", () -> Baselines.fpgaStatic(2)),
        new Maker("AutoScale", () -> Baselines.autoScale("cpu")),
        new Maker("Serverless", () -> Baselines.serverless("cpu")),
        new Maker("INFaaS-like", () -> Baselines.infaas("fpga", 50_000)),
        new Maker("round robin", () -> sporkWith(RoundRobin.create())),
        new Maker("draining round robin", () -> sporkWith(RoundRobin.drainingExcess("fpga"))),
        new Maker("index packing", () -> sporkWith(IndexPacking.create())),
        new Maker("held, first in first out", () -> holding(QueueOrder.fifo())),
        new Maker("held, earliest deadline", () -> holding(QueueOrder.earliestDeadlineFirst())),
        new Maker("held, shortest", () -> holding(QueueOrder.shortestFirst())));
  }

  @Provide
  Arbitrary<List<WorkerType>> fleets() {
    return Fleets.any();
  }

  private static SchedulingPolicy sporkWith(dev.muster.api.DispatchPolicy dispatch) {
    return ComposedPolicy.builder("Spork with another dispatcher")
        .allocation(SporkAllocator.of(Objective.ENERGY).every(100_000))
        .dispatch(dispatch)
        .build();
  }

  private static SchedulingPolicy holding(QueueOrder order) {
    return ComposedPolicy.builder("holding")
        .allocation(dev.muster.core.baseline.FixedAllocation.of("cpu", 1))
        .dispatch(OneToOne.create())
        .overflow(Overflow.hold())
        .order(order)
        .build();
  }
}
