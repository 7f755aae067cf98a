/** Schedules tasks over a fleet: the engine, the live scheduler and the policies. */
module dev.muster.core {
  requires com.google.common;
  requires transitive dev.muster.api;
  requires jdk.jfr;
  requires org.slf4j;

  exports dev.muster.core.baseline;
  exports dev.muster.core.dpfair;
  exports dev.muster.core.engine;
  exports dev.muster.core.library;
  exports dev.muster.core.live;
  exports dev.muster.core.optimum;
  exports dev.muster.core.policy;
  exports dev.muster.core.predict;
  exports dev.muster.core.qos;
  exports dev.muster.core.sos;
  exports dev.muster.core.spork;
}
