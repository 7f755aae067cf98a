package dev.muster.hal.sim.workload;

import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;

/** Shows a private array of counts as an unmodifiable list, eight bytes an element. */
final class MinuteCounts extends AbstractList<Double> implements RandomAccess {
  private final double[] counts;

  private MinuteCounts(double[] counts) {
    this.counts = counts;
  }

  /** Wraps an array that the caller gives away. */
  static MinuteCounts wrap(double[] counts) {
    return new MinuteCounts(counts);
  }

  static List<Double> copyOf(Collection<Double> values) {
    if (values instanceof MinuteCounts counts) {
      return counts;
    }
    return new MinuteCounts(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  @Override
  public Double get(int index) {
    return counts[index];
  }

  @Override
  public int size() {
    return counts.length;
  }
}
