package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a task that has to process a batch of data in every period, and what can run it.
 *
 * @param id unique in a problem
 * @param periodMicros a batch arrives, and the one before is due, every so often (p)
 * @param fillMicros time from start until the first result, paid by every segment (II)
 * @param weight what the task is worth when not all can be kept, at least 1
 * @param variants the choices, at least one; their order breaks ties
 * @param after id of the task whose output this one consumes, with the same period, or {@code null}
 */
public record PeriodicTask(
    String id,
    long periodMicros,
    long fillMicros,
    int weight,
    List<HardwareVariant> variants,
    @Nullable String after) {
  /**
   * Creates a task.
   *
   * @throws InvalidInputException if a value is out of range
   */
  public PeriodicTask {
    Limits.requireId("task id", id);
    String name = "task \"" + id + "\" ";
    Limits.require(name + "period (us)", periodMicros, 1, Limits.MAX_MICROS);
    Limits.require(name + "fill time (us)", fillMicros, 0, Limits.MAX_MICROS);
    Limits.require(name + "weight", weight, 1, 1 << 20);
    variants = List.copyOf(variants);
    Limits.require(name + "number of variants", variants.size(), 1, Limits.MAX_VARIANTS);
  }

  /** Creates a task of weight 1 that depends on no other. */
  public static PeriodicTask of(
      String id, long periodMicros, long fillMicros, List<HardwareVariant> variants) {
    return new PeriodicTask(id, periodMicros, fillMicros, 1, variants, null);
  }

  /** Returns the task with another weight. */
  public PeriodicTask withWeight(int value) {
    return new PeriodicTask(id, periodMicros, fillMicros, value, variants, after);
  }

  /** Returns the task as a consumer of another one's output. */
  public PeriodicTask withAfter(String producer) {
    return new PeriodicTask(id, periodMicros, fillMicros, weight, variants, producer);
  }

  /**
   * Returns the time of a slice that a variant needs for its part of a batch: equation 2 times the
   * slice, rounded up to the microsecond (shr).
   */
  public long shareMicros(int variant, long sliceMicros) {
    return Limits.ceilDiv(variants.get(variant).execMicros() * sliceMicros, periodMicros);
  }
}
