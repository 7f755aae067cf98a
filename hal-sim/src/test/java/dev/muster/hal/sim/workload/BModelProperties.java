package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Holds the laws of the b-model. */
class BModelProperties {
  @Property
  void splitsConserveTheLoad(
      @ForAll @IntRange(min = 0, max = 9) int levels,
      @ForAll @DoubleRange(min = 0.5, max = 0.95) double bias,
      @ForAll long seed) {
    double[] shares = BModel.shares(1 << levels, bias, RandomStreams.of(seed).stream("x"));
    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
    assertThat(Arrays.stream(shares).max().orElseThrow())
        .isCloseTo(Math.pow(bias, levels), within(1e-12));
  }

  @Property
  void everySplitGivesOneHalfTheBias(
      @ForAll @IntRange(min = 1, max = 9) int levels,
      @ForAll @DoubleRange(min = 0.5, max = 0.95) double bias,
      @ForAll long seed) {
    double[] shares = BModel.shares(1 << levels, bias, RandomStreams.of(seed).stream("x"));
    for (int width = 1; width < shares.length; width *= 2) {
      for (int i = 0; i + 2 * width <= shares.length; i += 2 * width) {
        double left = Arrays.stream(shares, i, i + width).sum();
        double right = Arrays.stream(shares, i + width, i + 2 * width).sum();
        assertThat(Math.max(left, right) / (left + right)).isCloseTo(bias, within(1e-9));
      }
    }
  }
}
