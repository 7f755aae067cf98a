package dev.muster.testkit;

import dev.muster.api.SchedulingPolicy;
import dev.muster.core.spork.Spork;

class SporkContractTest implements PolicyContract {
  @Override
  public SchedulingPolicy policy() {
    return Spork.energy();
  }
}
