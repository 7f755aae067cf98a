package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.engine.Engine;
import dev.muster.hal.sim.device.DetailedSimHal;
import dev.muster.hal.sim.device.DeviceModel;
import dev.muster.hal.sim.device.DevicePresets;
import dev.muster.hal.sim.device.EnergyAccount;
import dev.muster.hal.sim.device.WorkModel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks time and energy of the detailed simulator against sums done by hand. */
final class DetailedSimHalTest {
  private static final long SIZE_NANOS = 1_000_000;
  private static final DeviceModel U250 = DevicePresets.preset("u250");

  @Test
  void aLoneTaskTakesItsTransfersAndItsComputation() {
    DetailedSimHal hal = DetailedSimHal.of(U250, 1, WorkModel.proportional(4_000, 1_000, 0));
    long end = run(hal, 1);
    long in = U250.transferNanos(4_000_000);
    long out = U250.transferNanos(1_000_000);
    assertThat(end).isEqualTo(in + SIZE_NANOS + out);
    EnergyAccount energy = hal.energy();
    assertThat(energy.staticPicojoules()).isEqualTo(U250.staticMilliwatts() * end);
    assertThat(energy.dynamicPicojoules()).isEqualTo(U250.unitMilliwatts() * SIZE_NANOS);
    assertThat(energy.transferPicojoules()).isEqualTo(U250.transferPicojoulesPerByte() * 5_000_000);
    assertThat(energy.totalPicojoules())
        .isEqualTo(
            energy.staticPicojoules()
                + energy.dynamicPicojoules()
                + energy.transferPicojoules()
                + energy.reconfigurePicojoules());
  }

  @Test
  void memoryShortByHalfDoublesTheTimeButNotTheDynamicEnergy() {
    // Two regions share four banks of 19.25 bytes/ns: each has 38.5 and needs 77.
    DetailedSimHal hal = DetailedSimHal.of(U250, 2, WorkModel.proportional(0, 0, 77_000));
    assertThat(run(hal, 2)).isEqualTo(2 * SIZE_NANOS);
    assertThat(hal.energy().dynamicPicojoules()).isEqualTo(2 * U250.unitMilliwatts() * SIZE_NANOS);
  }

  /** Runs as many tasks as workers at once; returns when the last ends. */
  private static long run(DetailedSimHal hal, int workers) {
    WorkerType type = WorkerType.builder("card").maxWorkers(workers).power(20, 10).build();
    Engine engine =
        Engine.builder(Baselines.fixed("all", "card", workers), hal)
            .workerTypes(List.of(type.toBuilder().spinUp(Duration.ZERO).build()))
            .workloadCapabilities(EnumSet.allOf(Capability.class))
            .applications(List.of(Application.of("app", Variant.of("a", "card"))))
            .build();
    engine.start();
    for (int i = 0; i < workers; i++) {
      engine.submit(0, 0, SIZE_NANOS, SIZE_NANOS + 1, 1, null);
    }
    long now = 0;
    while (engine.tally().completed() < workers) {
      now = hal.nextEventNanos();
      engine.advanceTo(now);
      hal.deliver();
    }
    hal.settle(now);
    return now;
  }
}
