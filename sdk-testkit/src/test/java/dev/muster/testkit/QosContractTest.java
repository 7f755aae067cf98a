package dev.muster.testkit;

import dev.muster.api.Footprint;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.PaperQos;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.core.qos.RolloutQos;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;

/** Holds the QoS policies to the policies' contract, on regions that load designs. */
final class QosContractTest {
  private static final LibraryDevice DEVICE =
      new LibraryDevice("small", new Footprint(1600, 3200, 160, 80, 0));
  private static final RegionLayout FOUR = RegionLayout.symmetric(DEVICE, 4);
  private static final RegionLayout MERGEABLE = RegionLayout.mergeable(DEVICE, 4);
  private static final RegionLayout UNEQUAL =
      RegionLayout.asymmetric(DEVICE, List.of(DEVICE.share(1, 4), DEVICE.share(3, 4)));

  /** Looks at every task it holds in each pass, and at every region. */
  interface QosContract extends PolicyContract {
    /** Returns the regions. */
    RegionLayout layout();

    @Override
    default List<WorkerType> fleet() {
      TreeMap<String, List<LibraryVariant>> apps = new TreeMap<>();
      apps.put(
          "app",
          List.of(LibraryVariant.of("v", 5, new Footprint(100, 100, 5, 5, 0), Origin.ROUTED)));
      return RegionFleet.of(layout(), new VariantLibrary(DEVICE, apps), Duration.ofNanos(200))
          .types();
    }

    @Override
    default int scenarios() {
      return 100;
    }

    @Override
    default long maxLookUps(int workers, int openTasks) {
      return 40 + 8L * openTasks;
    }
  }

  @Nested
  class Paper implements QosContract {
    @Override
    public RegionLayout layout() {
      return FOUR;
    }

    @Override
    public SchedulingPolicy policy() {
      return PaperQos.of(FOUR);
    }
  }

  @Nested
  class Fifo implements QosContract {
    @Override
    public RegionLayout layout() {
      return FOUR;
    }

    @Override
    public SchedulingPolicy policy() {
      return PaperQos.fifo(FOUR);
    }
  }

  @Nested
  class PaperWithReuse implements QosContract {
    @Override
    public RegionLayout layout() {
      return FOUR;
    }

    @Override
    public SchedulingPolicy policy() {
      return PaperQos.of(FOUR).withReuse();
    }
  }

  @Nested
  class Rollout implements QosContract {
    @Override
    public RegionLayout layout() {
      return MERGEABLE;
    }

    @Override
    public SchedulingPolicy policy() {
      return RolloutQos.of(MERGEABLE);
    }
  }

  @Nested
  class MergingOnly implements QosContract {
    @Override
    public RegionLayout layout() {
      return MERGEABLE;
    }

    @Override
    public SchedulingPolicy policy() {
      return RolloutQos.builder(MERGEABLE).withoutRollout().build();
    }
  }

  @Nested
  class UnequalRegions implements QosContract {
    @Override
    public RegionLayout layout() {
      return UNEQUAL;
    }

    @Override
    public SchedulingPolicy policy() {
      return RolloutQos.builder(UNEQUAL).rejectHopeless().build();
    }
  }
}
