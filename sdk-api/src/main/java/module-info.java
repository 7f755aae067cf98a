/** Holds what a host, a policy author and a HAL author program against. */
module dev.muster.api {
  requires static transitive org.jspecify;

  exports dev.muster.api;

  uses dev.muster.api.HalProvider;
}
