package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;

/** Holds the laws of Poisson arrivals. */
class PoissonArrivalsProperties {
  @Property(tries = 300)
  void arrivalsAreOrderedAndBeforeTheHorizon(
      @ForAll @Size(min = 1, max = 6) List<@DoubleRange(max = 30) Double> rates,
      @ForAll RateShape shape,
      @ForAll long seed) {
    long horizon = rates.size() * 60_000_000_000L;
    double[] perSecond = rates.stream().mapToDouble(Double::doubleValue).toArray();
    PoissonArrivals arrivals =
        new PoissonArrivals(perSecond, shape, 60, horizon, RandomStreams.of(seed).stream("x"));
    long before = 0;
    for (long at = arrivals.next(); at >= 0; at = arrivals.next()) {
      assertThat(at).isBetween(before, horizon - 1);
      before = at;
    }
  }

  @Property(tries = 50)
  void arrivalsAreOrderedEvenAtATaskPerNanosecond(@ForAll long seed) {
    PoissonArrivals arrivals =
        new PoissonArrivals(
            new double[] {1e9, 5e8},
            RateShape.LINEAR,
            60,
            120_000_000_000L,
            RandomStreams.of(seed).stream("x"));
    long before = 0;
    for (int i = 0; i < 10_000; i++) {
      long at = arrivals.next();
      assertThat(at).isGreaterThanOrEqualTo(before);
      before = at;
    }
  }
}
