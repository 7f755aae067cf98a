/** Checks policies and HALs against their contracts. */
module dev.muster.testkit {
  requires transitive dev.muster.api;
  requires transitive dev.muster.core;
  requires transitive dev.muster.hal.sim;
  requires transitive net.jqwik.api;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;

  exports dev.muster.testkit;
}
