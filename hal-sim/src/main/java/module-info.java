/** Simulates fleets under virtual time. */
module dev.muster.hal.sim {
  requires de.siegmar.fastcsv;
  requires transitive dev.muster.api;
  requires transitive dev.muster.core;

  exports dev.muster.hal.sim;
  exports dev.muster.hal.sim.device;
  exports dev.muster.hal.sim.joblog;
  exports dev.muster.hal.sim.workload;
}
