package dev.muster.core.spork;

import dev.muster.api.InvalidInputException;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names the two pools that a hybrid allocation weighs against each other.
 *
 * @param accelerator carries the steady load
 * @param base takes the bursts
 */
public record HybridPair(WorkerPool accelerator, WorkerPool base) {
  /**
   * Chooses the pair of a fleet: as base the type with the least spin-up time, as accelerator the
   * one of the others with the least busy energy per unit of work; either can be named instead.
   *
   * @throws InvalidInputException if a named type is not in the fleet, or the fleet has one type
   */
  public static HybridPair choose(
      List<WorkerPool> pools, @Nullable String acceleratorName, @Nullable String baseName) {
    WorkerPool base = baseName == null ? leastSpinUp(pools) : named(pools, baseName);
    WorkerPool accelerator =
        acceleratorName == null ? leastEnergy(pools, base) : named(pools, acceleratorName);
    if (accelerator.index() == base.index()) {
      throw InvalidInputException.of(
          "hybrid worker types",
          names(pools),
          "must include an accelerator beside the base type " + base.type().name(),
          "add a second worker type, or use a baseline policy");
    }
    return new HybridPair(accelerator, base);
  }

  private static WorkerPool leastSpinUp(List<WorkerPool> pools) {
    WorkerPool best = pools.get(0);
    for (WorkerPool pool : pools) {
      if (pool.type().spinUpNanos() < best.type().spinUpNanos()) {
        best = pool;
      }
    }
    return best;
  }

  private static WorkerPool leastEnergy(List<WorkerPool> pools, WorkerPool base) {
    WorkerPool best = null;
    for (WorkerPool pool : pools) {
      if (pool.index() != base.index()
          && (best == null || compareEnergyPerWork(pool.type(), best.type()) < 0)) {
        best = pool;
      }
    }
    return best == null ? base : best;
  }

  /** Compares busy energy per unit of reference work, exactly. */
  private static int compareEnergyPerWork(WorkerType a, WorkerType b) {
    return Long.compare(
        a.busyPowerMilliwatts() * a.speedupDenominator() * b.speedupNumerator(),
        b.busyPowerMilliwatts() * b.speedupDenominator() * a.speedupNumerator());
  }

  private static WorkerPool named(List<WorkerPool> pools, String name) {
    for (WorkerPool pool : pools) {
      if (pool.type().name().equals(name)) {
        return pool;
      }
    }
    throw InvalidInputException.of(
        "worker type",
        '"' + name + '"',
        "must be one of " + names(pools),
        "name a type of the fleet");
  }

  private static List<String> names(List<WorkerPool> pools) {
    return pools.stream().map(pool -> pool.type().name()).toList();
  }
}
