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

  /** Tells whether a policy may hold on to an earlier form of a variant. */
  boolean recalibrated;

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

  /** Replaces the variant of the same id in a pool; tells whether there is one. */
  boolean replace(int pool, Variant replacement) {
    List<Variant> variants = new ArrayList<>(byPool.get(pool));
    for (int i = 0; i < variants.size(); i++) {
      if (variants.get(i).id().equals(replacement.id())) {
        variants.set(i, replacement);
        byPool.set(pool, List.copyOf(variants));
        if (variants.size() == 1) {
          only[pool] = replacement;
        }
        recalibrated = true;
        return true;
      }
    }
    return false;
  }
}
