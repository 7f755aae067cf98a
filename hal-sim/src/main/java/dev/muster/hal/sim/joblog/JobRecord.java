package dev.muster.hal.sim.joblog;

/**
 * Pairs a job, as it was submitted, with what became of it.
 *
 * @param submitted what was known at submission
 * @param outcome what its execution revealed
 */
public record JobRecord(SubmittedJob submitted, JobOutcome outcome) {
  /**
   * Returns when the outcome became known, in seconds on the log's clock: submission, wait and run
   * time, unknown ones counted as 0.
   */
  public long endSeconds() {
    return submitted.submitSeconds()
        + Math.max(0, outcome.waitSeconds())
        + Math.max(0, outcome.runSeconds());
  }
}
