package dev.muster.core.engine;

import dev.muster.api.Application;
import dev.muster.api.Variant;
import java.util.ArrayList;
import java.util.List;

/** Resolves the variants of one application against the pools of a fleet. */
final class ApplicationEntry {
  final Application application;

  /** Holds the variants that can run in each pool, as declared. */
  final List<List<Variant>> byPool;

  /** Holds the power class of each variant in {@link #byPool}. */
  final int[][] powerClass;

  /** Holds the only variant of a pool, or null if there are none or several. */
  final @org.jspecify.annotations.Nullable Variant[] only;

  ApplicationEntry(Application application, List<PoolState> pools) {
    this.application = application;
    byPool = new ArrayList<>();
    powerClass = new int[pools.size()][];
    only = new Variant[pools.size()];
    for (PoolState pool : pools) {
      List<Variant> variants = new ArrayList<>();
      for (Variant variant : application.variants()) {
        if (variant.workerType().equals(pool.type.name())) {
          variants.add(variant.resolvedFor(pool.type));
        }
      }
      int[] classes = new int[variants.size()];
      for (int i = 0; i < classes.length; i++) {
        classes[i] =
            pool.powerClass(
                variants.get(i).powerMilliwatts().orElse(pool.type.busyPowerMilliwatts()));
      }
      powerClass[pool.index] = classes;
      only[pool.index] = variants.size() == 1 ? variants.get(0) : null;
      byPool.add(List.copyOf(variants));
    }
  }
}
