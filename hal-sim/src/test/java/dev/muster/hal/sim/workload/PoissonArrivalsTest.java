package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PoissonArrivalsTest {
  private static final double[] RATES = {1_000, 5_000, 0, 0, 2_000, 500};
  private static final int PARTS = 4;

  /** Counts arrivals in quarters of minutes. */
  private static int[] count(RateShape shape, long seed) {
    long horizon = RATES.length * 60_000_000_000L;
    PoissonArrivals arrivals =
        new PoissonArrivals(RATES, shape, 60, horizon, RandomStreams.of(seed).stream("x"));
    int[] counts = new int[RATES.length * PARTS];
    for (long at = arrivals.next(); at >= 0; at = arrivals.next()) {
      counts[(int) (at / (60_000_000_000L / PARTS))]++;
    }
    return counts;
  }

  private static double expected(RateShape shape, int quarter) {
    int slot = quarter / PARTS;
    double middle = (quarter % PARTS + 0.5) / PARTS;
    double end = shape.end(RATES, slot);
    return (RATES[slot] + (end - RATES[slot]) * middle) * 60 / PARTS;
  }

  @Test
  void countsFollowTheRateInEveryQuarterOfAMinute() {
    for (RateShape shape : RateShape.values()) {
      int[] counts = count(shape, 11);
      for (int quarter = 0; quarter < counts.length; quarter++) {
        double expected = expected(shape, quarter);
        assertThat((double) counts[quarter])
            .as("%s quarter %d", shape, quarter)
            .isCloseTo(expected, within(5 * Math.sqrt(expected)));
      }
    }
  }

  @Test
  void theLastMinuteIsConstantAndASilentMinuteIsSilent() {
    assertThat(RateShape.LINEAR.end(RATES, 5)).isEqualTo(500);
    assertThat(RateShape.STEP.end(RATES, 0)).isEqualTo(1_000);
    int[] linear = count(RateShape.LINEAR, 3);
    for (int quarter = 2 * PARTS; quarter < 3 * PARTS; quarter++) {
      assertThat(linear[quarter]).isZero();
    }
    int[] step = count(RateShape.STEP, 3);
    for (int quarter = 2 * PARTS; quarter < 4 * PARTS; quarter++) {
      assertThat(step[quarter]).isZero();
    }
  }

  @Test
  void theMeanIsTheIntegralOfTheRate() {
    assertThat(RateShape.LINEAR.mean(RATES)).isEqualTo(8_250 / 6.0);
    assertThat(RateShape.STEP.mean(RATES)).isEqualTo(8_500 / 6.0);
  }

  @Test
  void countsVaryAsPoissonCountsDo() {
    double sum = 0;
    double squares = 0;
    int runs = 400;
    for (int seed = 0; seed < runs; seed++) {
      PoissonArrivals arrivals =
          new PoissonArrivals(
              new double[] {4, 12},
              RateShape.LINEAR,
              60,
              120_000_000_000L,
              RandomStreams.of(seed).stream("x"));
      double n = 0;
      while (arrivals.next() >= 0) {
        n++;
      }
      sum += n;
      squares += n * n;
    }
    double mean = sum / runs;
    assertThat(mean).isCloseTo(1_200, within(5 * Math.sqrt(1_200.0 / runs)));
    // The variance of the sample variance is about 2 / runs, relative.
    assertThat((squares / runs - mean * mean) / 1_200).isCloseTo(1, within(0.35));
  }

  @Test
  void staysAtTheEnd() {
    PoissonArrivals arrivals =
        new PoissonArrivals(
            new double[] {1}, RateShape.STEP, 60, 1_000, RandomStreams.of(1).stream("x"));
    for (int i = 0; i < 100; i++) {
      assertThat(arrivals.next()).isEqualTo(-1);
    }
  }
}
