package dev.muster.core.spork;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.Capability;
import dev.muster.api.Objective;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.policy.EfficientFirst;
import dev.muster.core.policy.Overflow;

/**
 * Makes the Spork scheduler: accelerators for the steady load, base workers for bursts.
 *
 * <p>Spork (arXiv 2304.04488): {@link SporkAllocator} (Algorithms 1 and 2), {@link EfficientFirst}
 * (Algorithm 3) and {@link Overflow#burst}. SporkE, SporkC and SporkB are the published forms and
 * reproduce the golden data exactly. Each call makes a policy for one run.
 */
public final class Spork {
  private Spork() {}

  /** Makes SporkE, which minimises energy. */
  public static ComposedPolicy energy() {
    return of("SporkE", Objective.ENERGY);
  }

  /** Makes SporkC, which minimises cost. */
  public static ComposedPolicy cost() {
    return of("SporkC", Objective.COST);
  }

  /** Makes SporkB, which weighs energy and cost equally. */
  public static ComposedPolicy balanced() {
    return of("SporkB", Objective.BALANCED);
  }

  /**
   * Makes the form that does better than the published ones: it re-plans several times per spin-up
   * ({@link RollingAllocator}), and falls back to SporkE where spin-up is too long for that.
   */
  public static ComposedPolicy adaptive() {
    return of("Spork-adaptive", new AdaptiveAllocator());
  }

  /** Makes a Spork for any weights. */
  public static ComposedPolicy of(String name, Objective objective) {
    return of(name, SporkAllocator.of(objective));
  }

  /** Makes a Spork around an allocator. */
  public static ComposedPolicy of(String name, AllocationPolicy allocator) {
    return ComposedPolicy.builder(name)
        .allocation(allocator)
        .dispatch(EfficientFirst.create())
        .overflow(Overflow.burst())
        .requires(Capability.DEADLINES, Capability.SIZES, Capability.ELASTIC_WORKERS)
        .build();
  }
}
