package dev.muster.examples.apps;

import dev.muster.api.Scheduler;
import dev.muster.core.engine.Usage;
import java.io.PrintWriter;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reports one live run. Times and counts are measured; energy and cost are modelled.
 *
 * @param policy name of the policy
 * @param stats what became of the tasks
 * @param seconds from the first due time to the last completion
 * @param latency from when a task was due to its completion, in nanoseconds
 * @param misses completed tasks that finished after their deadline, counted from when they were due
 * @param wrong results that differ from the expected bytes
 * @param usage what the fleet used
 * @param overheadNanos processor time of the scheduler thread per task
 * @param lateCardRuns runs on simulated cards whose result came later than modelled
 */
public record LiveReport(
    String policy,
    Scheduler.Stats stats,
    double seconds,
    Histogram latency,
    long misses,
    long wrong,
    Usage usage,
    double overheadNanos,
    long lateCardRuns) {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  /** Prints the report, at most 80 columns wide. */
  public void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "live, %s: %d tasks in %.1f s, %.0f a second (measured)%n",
        policy,
        stats.accepted(),
        seconds,
        stats.completed() / seconds);
    out.printf(
        Locale.ROOT,
        "  completed %d, rejected %d, failed %d, cancelled %d, refused %d; wrong bytes %d%n",
        stats.completed(),
        stats.rejected(),
        stats.failed(),
        stats.cancelled(),
        stats.refused(),
        wrong);
    out.print("  ms from due to done (measured):");
    for (double percentile : PERCENTILES) {
      out.printf(
          Locale.ROOT,
          " p%s %.2f",
          Double.toString(percentile).replaceAll("\\.0$", ""),
          latency.getValueAtPercentile(percentile) / 1e6);
    }
    out.printf(Locale.ROOT, "%n  missed deadlines %d; spin-ups", misses);
    for (Usage.Pool pool : usage.pools()) {
      out.printf(Locale.ROOT, " %s %d", pool.type().name(), pool.provisioned());
    }
    out.printf(Locale.ROOT, "; tasks");
    for (Usage.Pool pool : usage.pools()) {
      out.printf(Locale.ROOT, " %s %d", pool.type().name(), pool.completed());
    }
    out.printf(
        Locale.ROOT,
        "%n  scheduler thread %.1f us of processor time a task (measured)%n",
        overheadNanos / 1e3);
    out.printf(
        Locale.ROOT,
        "  energy %.0f J, cost $%.6f (modelled)%n",
        usage.energyJoules(),
        usage.costDollars());
    if (lateCardRuns > 0) {
      out.printf(
          Locale.ROOT, "  %d runs on simulated cards were later than modelled%n", lateCardRuns);
    }
    out.flush();
  }

  /** Returns the report as JSON; its figures vary from run to run. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("policy", policy);
    json.put("accepted", stats.accepted());
    json.put("completed", stats.completed());
    json.put("rejected", stats.rejected());
    json.put("failed", stats.failed());
    json.put("cancelled", stats.cancelled());
    json.put("refused", stats.refused());
    json.put("wrongResults", wrong);
    json.put("missedDeadlines", misses);
    json.put("secondsMeasured", seconds);
    json.put("tasksPerSecondMeasured", stats.completed() / seconds);
    ObjectNode percentiles = json.putObject("latencyMillisMeasured");
    for (double percentile : PERCENTILES) {
      percentiles.put("p" + percentile, latency.getValueAtPercentile(percentile) / 1e6);
    }
    ObjectNode spinUps = json.putObject("spinUps");
    for (Usage.Pool pool : usage.pools()) {
      spinUps.put(pool.type().name(), pool.provisioned());
    }
    json.put("overheadMicrosPerTaskMeasured", overheadNanos / 1e3);
    json.put("energyJoulesModelled", usage.energyJoules());
    json.put("costDollarsModelled", usage.costDollars());
    json.put("lateCardRuns", lateCardRuns);
    return json;
  }
}
