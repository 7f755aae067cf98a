/** Runs tasks on Alveo cards through XRT. */
module dev.muster.hal.xrt {
  requires transitive dev.muster.api;
  requires java.xml;

  exports dev.muster.hal.xrt;

  provides dev.muster.api.HalProvider with
      dev.muster.hal.xrt.XrtHalProvider;
}
