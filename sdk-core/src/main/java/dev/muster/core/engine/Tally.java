package dev.muster.core.engine;

/**
 * Counts tasks by what became of them.
 *
 * @param submitted tasks accepted by the engine
 * @param completed tasks that completed
 * @param rejected tasks that were rejected
 * @param failed tasks that failed for good
 * @param cancelled tasks that were cancelled
 * @param missed completed tasks that finished after their deadline
 * @param open tasks without an outcome yet
 */
public record Tally(
    long submitted,
    long completed,
    long rejected,
    long failed,
    long cancelled,
    long missed,
    long open) {
  /** Returns the sums of two tallies. */
  public Tally plus(Tally other) {
    return new Tally(
        submitted + other.submitted,
        completed + other.completed,
        rejected + other.rejected,
        failed + other.failed,
        cancelled + other.cancelled,
        missed + other.missed,
        open + other.open);
  }
}
