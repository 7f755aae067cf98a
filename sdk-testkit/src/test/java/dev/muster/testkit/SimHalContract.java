package dev.muster.testkit;

import dev.muster.api.Application;
import dev.muster.api.Hal;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.spork.SporkFleet;
import dev.muster.hal.sim.SimHal;

/** Says how to drive a simulated fleet through the devices' contract. */
class SimHalContract implements DeviceContract {
  private SimHal sim = SimHal.create();

  /** Returns the simulated fleet made last. */
  SimHal sim() {
    return sim;
  }

  @Override
  public Hal hal() {
    sim = SimHal.create();
    return sim;
  }

  @Override
  public WorkerType type() {
    return SporkFleet.fpga();
  }

  @Override
  public Application application() {
    return Application.of(
        "app",
        Variant.builder("a", "fpga").image("image-a").build(),
        Variant.builder("b", "fpga").image("image-b").build());
  }

  @Override
  public boolean pump(Hal hal, Engine engine) {
    if (sim.nextEventNanos() == Long.MAX_VALUE) {
      return false;
    }
    engine.advanceTo(sim.nextEventNanos());
    sim.deliver();
    return true;
  }

  @Override
  public boolean lose(Hal hal, Worker worker) {
    sim.lose(worker);
    return true;
  }
}
