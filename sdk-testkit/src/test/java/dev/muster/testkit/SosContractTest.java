package dev.muster.testkit;

import dev.muster.api.SchedulingPolicy;
import dev.muster.core.sos.SosPolicy;
import java.time.Duration;

class SosContractTest implements PolicyContract {
  @Override
  public SchedulingPolicy policy() {
    return SosPolicy.of(Duration.ofNanos(100), 3);
  }
}
