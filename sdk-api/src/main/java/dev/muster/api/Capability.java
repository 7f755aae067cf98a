package dev.muster.api;

/**
 * Names what a policy may need and a workload, fleet or HAL may offer.
 *
 * <p>Before a run starts, the capabilities a policy {@linkplain SchedulingPolicy#requirements()
 * requires} are compared with those at hand; a mismatch is refused with {@link
 * UnsupportedException} and never becomes a wrong number.
 */
public enum Capability {
  /** Tasks carry deadlines. */
  DEADLINES,
  /** Tasks carry a size (known or predicted) at submission. */
  SIZES,
  /** Tasks carry weights. */
  WEIGHTS,
  /** Applications offer several variants per worker type. */
  VARIANTS,
  /** Workers are regions with a resource capacity. */
  REGIONS,
  /** Workers can be provisioned and released at run time. */
  ELASTIC_WORKERS,
  /** Future demand can be asked for (simulation only). */
  CLAIRVOYANCE
}
