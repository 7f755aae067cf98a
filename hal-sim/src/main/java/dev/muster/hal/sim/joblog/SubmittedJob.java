package dev.muster.hal.sim.joblog;

/**
 * Holds what a scheduler knows when a job is submitted, and nothing that happens later.
 *
 * <p>Features are computed from this type only ({@link JobFeatures}), so a prediction cannot use
 * what a {@link JobOutcome} reveals: such code does not compile. Anything but the id and the time
 * may be {@link #UNKNOWN}.
 *
 * @param id the log's number of the job
 * @param submitSeconds the time of submission, on the log's own clock, at least 0
 * @param processors processors or nodes requested
 * @param requestedSeconds the wall time the user asked for
 * @param memory memory requested, in the log's unit
 * @param user the user's number
 * @param group the number of the user's group or project
 * @param executable the program's number
 * @param queue the queue's number
 * @param partition the number of the partition or node type
 */
public record SubmittedJob(
    long id,
    long submitSeconds,
    long processors,
    long requestedSeconds,
    long memory,
    long user,
    long group,
    long executable,
    long queue,
    long partition) {
  /** Stands for a value that the log does not hold. */
  public static final long UNKNOWN = -1;
}
