package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Capability;
import dev.muster.api.Footprint;
import dev.muster.api.Outcome;
import dev.muster.api.RejectReason;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.live.LiveScheduler;
import dev.muster.core.qos.QosObserver;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.core.qos.RolloutQos;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
        List.of(LibraryVariant.of("v", 40, new Footprint(900, 900, 50, 50, 0), Origin.ROUTED)));
    RegionLayout layout = RegionLayout.symmetric(DEVICE, 1);
    RegionFleet fleet = RegionFleet.of(layout, new VariantLibrary(DEVICE, apps), Duration.ZERO);
    Map<String, QosObserver.Admission> told = new ConcurrentHashMap<>();
    RolloutQos policy =
        RolloutQos.builder(layout)
            .rejectHopeless()
            .observedBy(
                new QosObserver() {
                  @Override
                  public void onAdmission(Task task, Admission outlook, long nowNanos) {
                    told.put(String.valueOf(task.payload()), outlook);
                  }
                })
            .build();
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
      Handle second = scheduler.submit("app", Duration.ZERO, Duration.ofMillis(20), "impossible");
      assertThat(second.await())
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              r -> assertThat(r.reason()).isEqualTo(RejectReason.DEADLINE_UNREACHABLE));
      assertThat(first.await()).isInstanceOf(Outcome.Completed.class);
    }
    assertThat(told)
        .containsEntry("ample", QosObserver.Admission.ON_TIME)
        .containsEntry("impossible", QosObserver.Admission.HOPELESS);
  }
}
