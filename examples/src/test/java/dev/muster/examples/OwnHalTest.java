package dev.muster.examples;

import dev.muster.api.Application;
import dev.muster.api.Hal;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.testkit.DeviceContract;
import dev.muster.testkit.QueuedHal;
import java.time.Duration;

/** Holds the example HAL to the HALs' contract: this is all a conformance test takes. */
class OwnHalTest implements DeviceContract {
  @Override
  public Hal hal() {
    return QueuedHal.of(new OwnHal(payload -> payload + "!"), Duration.ofSeconds(10));
  }

  @Override
  public WorkerType type() {
    return WorkerType.builder("thread").build();
  }

  @Override
  public Application application() {
    return Application.of(
        "shout",
        Variant.builder("first", "thread").image("a").build(),
        Variant.builder("second", "thread").image("b").build());
  }

  @Override
  public boolean pump(Hal hal, Engine engine) {
    return ((QueuedHal) hal).pump(engine);
  }

  @Override
  public Object payload() {
    return "hello";
  }
}
