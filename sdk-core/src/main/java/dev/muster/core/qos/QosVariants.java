package dev.muster.core.qos;

import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.VariantPolicy;
import dev.muster.api.WorkerPool;
import java.util.List;

/** Offers variant choices by deadline, for any composition of policies. */
public final class QosVariants {
  private QosVariants() {}

  /**
   * Chooses the variant of least energy among those that meet the deadline when started at once
   * with part of the remaining time to spare, else the fastest. Ties: faster, then declared first.
   *
   * <p>On regions, the published rule is the fastest that fits: a slower variant that meets its own
   * deadline holds a region for longer and costs others theirs. On an elastic fleet like Spork's,
   * which provisions what it lacks, energy is what is left to choose by.
   *
   * @param sparePercent share of the remaining time to leave for queueing and for sizes that were
   *     predicted too low, 0 to 99
   * @throws dev.muster.api.InvalidInputException if the share is out of range
   */
  public static VariantPolicy leastEnergyOnTime(int sparePercent) {
    if (sparePercent < 0 || sparePercent > 99) {
      throw dev.muster.api.InvalidInputException.of(
          "spare time (%)", sparePercent, "must be between 0 and 99", "start with 25");
    }
    return (task, pool, candidates, nowNanos) ->
        select(task, pool, candidates, allowedNanos(task, nowNanos, sparePercent));
  }

  private static long allowedNanos(Task task, long nowNanos, int sparePercent) {
    if (task.deadlineNanos() == Task.NO_DEADLINE) {
      return Long.MAX_VALUE;
    }
    return (task.deadlineNanos() - nowNanos) / 100 * (100 - sparePercent);
  }

  private static Variant select(
      Task task, WorkerPool pool, List<Variant> candidates, long allowedNanos) {
    Variant best = null;
    Variant fastest = candidates.get(0);
    double bestEnergy = Double.POSITIVE_INFINITY;
    for (int i = 0; i < candidates.size(); i++) {
      Variant candidate = candidates.get(i);
      long service = candidate.serviceNanos(task.sizeNanos());
      if (service < fastest.serviceNanos(task.sizeNanos())) {
        fastest = candidate;
      }
      double energy =
          (double) service * candidate.powerMilliwatts().orElse(pool.type().busyPowerMilliwatts());
      boolean isBetter =
          energy < bestEnergy
              || (best != null
                  && energy == bestEnergy
                  && service < best.serviceNanos(task.sizeNanos()));
      if (service <= allowedNanos && isBetter) {
        best = candidate;
        bestEnergy = energy;
      }
    }
    return best == null ? fastest : best;
  }
}
