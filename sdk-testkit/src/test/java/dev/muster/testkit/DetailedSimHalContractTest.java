package dev.muster.testkit;

import dev.muster.api.Hal;
import dev.muster.api.Worker;
import dev.muster.core.engine.Engine;
import dev.muster.hal.sim.device.DetailedSimHal;
import dev.muster.hal.sim.device.DevicePresets;
import dev.muster.hal.sim.device.WorkModel;
import org.junit.jupiter.api.Nested;

/** Holds the detailed simulator to the devices' contract, on cards and on hosts. */
final class DetailedSimHalContractTest {
  @Nested
  class OneRegion extends Contract {
    OneRegion() {
      super("u50", 1);
    }
  }

  @Nested
  class FourRegionsLoadedTogether extends Contract {
    FourRegionsLoadedTogether() {
      super("u250", 4);
    }
  }

  @Nested
  class Cores extends Contract {
    Cores() {
      super("cpu-host", 16);
    }
  }

  /** Drives the detailed simulator. */
  abstract static class Contract extends SimHalContract {
    private final String preset;
    private final int regions;
    private DetailedSimHal made;

    Contract(String preset, int regions) {
      this.preset = preset;
      this.regions = regions;
      made = make();
    }

    private DetailedSimHal make() {
      return DetailedSimHal.of(
          DevicePresets.preset(preset), regions, WorkModel.proportional(4_000, 1_000, 8_000));
    }

    @Override
    public Hal hal() {
      made = make();
      return made;
    }

    @Override
    public boolean pump(Hal hal, Engine engine) {
      if (made.nextEventNanos() == Long.MAX_VALUE) {
        return false;
      }
      engine.advanceTo(made.nextEventNanos());
      made.deliver();
      return true;
    }

    @Override
    public boolean lose(Hal hal, Worker worker) {
      made.lose(worker);
      return true;
    }
  }
}
