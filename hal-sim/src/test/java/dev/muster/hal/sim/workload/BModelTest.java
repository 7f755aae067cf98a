package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BModelTest {
  private final RandomStreams.Stream random = RandomStreams.of(1).stream("x");

  @Test
  void isConstantWithoutBias() {
    assertThat(BModel.shares(120, 0.5, random)).hasSize(120).containsOnly(1 / 128.0);
  }

  @Test
  void cutsTheSurplusOfTheLastSplit() {
    double[] whole = BModel.shares(128, 0.7, RandomStreams.of(9).stream("x"));
    double[] cut = BModel.shares(120, 0.7, RandomStreams.of(9).stream("x"));
    assertThat(cut).isEqualTo(Arrays.copyOf(whole, 120));
  }

  @Test
  void holdsTheWholeLoadInOneSlot() {
    assertThat(BModel.shares(1, 0.9, random)).containsExactly(1);
  }

  @Test
  void peaksOverTheMeanAsBurstyAsThePaperSays() {
    double[] shares = BModel.shares(128, 0.75, random);
    double peak = Arrays.stream(shares).max().orElseThrow() * 128;
    assertThat(peak).isCloseTo(Math.pow(1.5, 7), within(1e-9)); // 17 times the mean
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.49, 1, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesABiasOutOfRange(double bias) {
    assertThatThrownBy(() -> BModel.shares(8, bias, random))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("[0.5, 1)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void refusesANumberOfSlotsOutOfRange(int slots) {
    assertThatThrownBy(() -> BModel.shares(slots, 0.6, random))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("slots");
  }
}
