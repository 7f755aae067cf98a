package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.Footprint;
import dev.muster.api.Outcome;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.live.LiveScheduler;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.core.qos.RolloutQos;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checks that a host learns at submission whether its QoS can be met. */
final class LiveOutlookTest {
  private static final LibraryDevice DEVICE =
      new LibraryDevice("small", new Footprint(1000, 1000, 100, 100, 0));

  @Test
  void theHostLearnsAtSubmissionWhetherItsQosCanBeMet() throws Exception {
    TreeMap<String, List<LibraryVariant>> apps = new TreeMap<>();
    apps.put(
        "app",
        List.of(LibraryVariant.of("v", 1_000, new Footprint(900, 900, 50, 50, 0), Origin.ROUTED)));
    RegionLayout layout = RegionLayout.symmetric(DEVICE, 1);
    RegionFleet fleet = RegionFleet.of(layout, new VariantLibrary(DEVICE, apps), Duration.ZERO);
    RolloutQos policy = RolloutQos.builder(layout).rejectHopeless().build();
    PacedSimHal hal =
        PacedSimHal.create(
            TaskBody.Registry.builder().otherwise((payload, control) -> payload).build());
    try (LiveScheduler scheduler =
        LiveScheduler.builder(policy, hal)
            .workerTypes(fleet.types())
            .applications(fleet.applications())
            .workloadCapabilities(Set.of(Capability.VARIANTS))
            .start()) {
      Handle first = scheduler.submit("app", Duration.ZERO, Duration.ofHours(1), "ample");
      assertThat(first.awaitOutlook()).isEqualTo(Outlook.ON_TIME);
      Handle behind = scheduler.submit("app", Duration.ZERO, Duration.ofMillis(1_500), "no room");
      assertThat(behind.awaitOutlook()).isEqualTo(Outlook.LATE);
      Handle third = scheduler.submit("app", Duration.ZERO, Duration.ofMillis(20), "impossible");
      assertThat(third.awaitOutlook()).isEqualTo(Outlook.HOPELESS);
      assertThat(third.await())
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              r -> assertThat(r.reason()).isEqualTo(RejectReason.DEADLINE_UNREACHABLE));
      assertThat(first.await()).isInstanceOf(Outcome.Completed.class);
      assertThat(first.outlook()).contains(Outlook.ON_TIME);
      behind.cancel();
    }
  }

  @Test
  void aPolicyThatSaysNothingKeepsNobodyWaiting() throws Exception {
    PacedSimHal hal =
        PacedSimHal.create(
            TaskBody.Registry.builder().otherwise((payload, control) -> payload).build());
    try (LiveScheduler scheduler =
        LiveScheduler.builder(Baselines.dynamic("dynamic", "card"), hal)
            .workerTypes(List.of(WorkerType.builder("card").maxWorkers(1).build()))
            .applications(List.of(Application.of("app", Variant.of("v", "card"))))
            .start()) {
      Handle handle =
          scheduler.submit("app", Duration.ofMillis(1), Duration.ofHours(1), "anything");
      assertThat(handle.awaitOutlook()).isEqualTo(Outlook.UNKNOWN);
      handle.await();
      scheduler.close(Duration.ofSeconds(5));
      Handle refused =
          scheduler.submit("app", Duration.ofMillis(1), Duration.ofHours(1), "too late");
      assertThat(refused.outlook()).contains(Outlook.UNKNOWN);
    }
  }
}
