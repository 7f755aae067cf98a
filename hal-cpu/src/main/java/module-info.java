/** Runs tasks on local threads. */
module dev.muster.hal.cpu {
  requires transitive dev.muster.api;
}
