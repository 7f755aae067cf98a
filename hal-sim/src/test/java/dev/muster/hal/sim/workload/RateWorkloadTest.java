package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateWorkloadTest {
  private static void assertRefused(String thing, double... shares) {
    Load load = new Load(1, 10, RateShape.LINEAR);
    TaskSizes sizes = TaskSizes.between(1_000_000, 1_000_000);
    assertThatThrownBy(() -> new RateWorkload("x", shares, sizes, load, RandomStreams.of(1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("workload x " + thing);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.NEGATIVE_INFINITY})
  void refusesRatesOutOfRangeNamingTheMinute(double rate) {
    assertRefused("rate of minute 1", 1, rate);
  }

  @Test
  void refusesRatesThatAreAllZeroInfiniteOrMissing() {
    assertRefused("mean rate", 0, 0);
    assertRefused("mean rate", 1, Double.POSITIVE_INFINITY);
    assertRefused("mean rate");
  }
}
