/** Defines what a host, a policy and a HAL say to each other. */
module dev.muster.api {
  requires static transitive org.jspecify;
}
