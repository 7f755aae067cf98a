package dev.muster.api;

import java.util.List;

/** Chooses which variant runs a task in a pool. */
@FunctionalInterface
public interface VariantPolicy {
  /**
   * Chooses a variant.
   *
   * @param task the task
   * @param pool where it would run
   * @param candidates the variants that can run there, as declared; not empty
   * @param nowNanos the time
   * @return one of the candidates
   */
  Variant select(Task task, WorkerPool pool, List<Variant> candidates, long nowNanos);

  /** Chooses the variant with the least service time; ties go to the one declared first. */
  static VariantPolicy fastest() {
    return (task, pool, candidates, nowNanos) -> {
      Variant best = candidates.get(0);
      long bestNanos = best.serviceNanos(task.sizeNanos());
      for (int i = 1; i < candidates.size(); i++) {
        long nanos = candidates.get(i).serviceNanos(task.sizeNanos());
        if (nanos < bestNanos) {
          best = candidates.get(i);
          bestNanos = nanos;
        }
      }
      return best;
    };
  }
}
