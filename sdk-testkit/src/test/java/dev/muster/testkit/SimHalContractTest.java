package dev.muster.testkit;

import dev.muster.api.Application;
import dev.muster.api.Hal;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.spork.SporkFleet;
import dev.muster.hal.sim.SimHal;

class SimHalContractTest implements DeviceContract {
  @Override
  public Hal hal() {
    return SimHal.create();
  }

  @Override
  public WorkerType type() {
    return SporkFleet.fpga();
  }

  @Override
  public Application application() {
    return Application.of("app", Variant.builder("v", "fpga").image("image").build());
  }

  @Override
  public boolean pump(Hal hal, Engine engine) {
    SimHal sim = (SimHal) hal;
    if (sim.nextEventNanos() == Long.MAX_VALUE) {
      return false;
    }
    engine.advanceTo(sim.nextEventNanos());
    sim.deliver();
    return true;
  }
}
