package dev.muster.api;

import java.util.Set;

/**
 * Reports a combination of policy, workload and hardware that cannot work, before a run starts.
 *
 * <p>Thrown when a {@link SchedulingPolicy} {@linkplain SchedulingPolicy#requirements() needs} a
 * capability that the workload or the {@link Hal} does not offer.
 */
public final class UnsupportedException extends MusterException {
  private static final long serialVersionUID = 1L;

  private UnsupportedException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception for capabilities that are missing.
   *
   * @param who the policy or component that needs them
   * @param missing what is needed and absent; not empty
   * @param offered what is there
   */
  public static UnsupportedException missing(
      String who, Set<Capability> missing, Set<Capability> offered) {
    return new UnsupportedException(
        who
            + " needs "
            + missing
            + " but the workload and hardware offer only "
            + offered
            + "; choose a policy that does without, or supply what is missing");
  }
}
