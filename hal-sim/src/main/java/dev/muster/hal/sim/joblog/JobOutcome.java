package dev.muster.hal.sim.joblog;

/**
 * Holds what a job's execution revealed; {@link SubmittedJob#UNKNOWN} where the log does not say.
 *
 * @param waitSeconds the time from submission to start
 * @param runSeconds the wall time it ran
 * @param processors processors or nodes it got
 * @param status the log's completion status
 */
public record JobOutcome(long waitSeconds, long runSeconds, long processors, long status) {
  /** Returns whether the job ran for a known, positive time: what can be learned from. */
  public boolean ran() {
    return runSeconds > 0;
  }
}
