package dev.muster.testkit;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.Objective;
import dev.muster.api.QueueOrder;
import dev.muster.api.SchedulingPolicy;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.baseline.FixedAllocation;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.policy.IndexPacking;
import dev.muster.core.policy.OneToOne;
import dev.muster.core.policy.Overflow;
import dev.muster.core.policy.RoundRobin;
import dev.muster.core.spork.Spork;
import dev.muster.core.spork.SporkAllocator;
import org.junit.jupiter.api.Nested;

/** Holds each policy of the core to the policies' contract. */
final class PoliciesContractTest {
  /** Allows what a policy does that looks at every worker. */
  interface ScanningContract extends PolicyContract {
    @Override
    default long maxLookUps(int workers, int openTasks) {
      return PolicyContract.super.maxLookUps(workers, openTasks) + 2L * workers;
    }
  }

  @Nested
  class SporkE implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Spork.energy();
    }
  }

  @Nested
  class SporkC implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Spork.cost();
    }
  }

  @Nested
  class SporkB implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Spork.balanced();
    }
  }

  @Nested
  class Adaptive implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Spork.adaptive();
    }
  }

  @Nested
  class CpuDynamic implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Baselines.cpuDynamic();
    }
  }

  @Nested
  class FpgaStatic implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Baselines.fpgaStatic(2);
    }
  }

  @Nested
  class AutoScale implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Baselines.autoScale("cpu");
    }
  }

  @Nested
  class Serverless implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Baselines.serverless("cpu");
    }
  }

  @Nested
  class InfaasLike implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return Baselines.infaas("fpga", 50_000);
    }
  }

  @Nested
  class SporkByRoundRobin implements ScanningContract {
    @Override
    public SchedulingPolicy policy() {
      return sporkWith(RoundRobin.create());
    }
  }

  @Nested
  class SporkByDrainingRoundRobin implements ScanningContract {
    @Override
    public SchedulingPolicy policy() {
      return sporkWith(RoundRobin.drainingExcess("fpga"));
    }
  }

  @Nested
  class SporkByIndexPacking implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return sporkWith(IndexPacking.create());
    }
  }

  @Nested
  class HeldFirstInFirstOut implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return holding(QueueOrder.fifo());
    }
  }

  @Nested
  class HeldEarliestDeadlineFirst implements PolicyContract {
    @Override
    public SchedulingPolicy policy() {
      return holding(QueueOrder.earliestDeadlineFirst());
    }
  }

  private static SchedulingPolicy sporkWith(DispatchPolicy dispatch) {
    return ComposedPolicy.builder("Spork with another dispatcher")
        .allocation(SporkAllocator.of(Objective.ENERGY).every(100_000))
        .dispatch(dispatch)
        .build();
  }

  private static SchedulingPolicy holding(QueueOrder order) {
    return ComposedPolicy.builder("holding")
        .allocation(FixedAllocation.of("cpu", 1))
        .dispatch(OneToOne.create())
        .overflow(Overflow.hold())
        .order(order)
        .build();
  }
}
