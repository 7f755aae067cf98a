/** Runs tasks on threads and processes of the local machine. */
module dev.muster.hal.cpu {
  requires transitive dev.muster.api;

  exports dev.muster.hal.cpu;

  provides dev.muster.api.HalProvider with
      dev.muster.hal.cpu.CpuHalProvider;
}
