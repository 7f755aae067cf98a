package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
  @Test
  void streamsNeverChangeSilently() {
    RandomStreams.Stream stream = RandomStreams.of(1).stream("arrivals");
    assertThat(List.of(stream.nextLong(), stream.nextLong(), stream.nextLong()))
        .containsExactly(-81318526969839757L, 556704300733733727L, -4999613082663368934L);
    assertThat(RandomStreams.of(1).stream("size").nextLong()).isNotEqualTo(-81318526969839757L);
    assertThat(RandomStreams.of(2).stream("arrivals").nextLong()).isNotEqualTo(-81318526969839757L);
  }

  @Test
  void derivedDrawsNeverChangeSilently() {
    RandomStreams.Stream stream = RandomStreams.of(-7).stream("αβγ");
    assertThat(stream.nextDouble()).isEqualTo(0.5969395636087821);
    assertThat(stream.nextExponential()).isEqualTo(1.0115189876418915);
    assertThat(stream.nextBoolean()).isEqualTo(false);
  }

  @Test
  void exponentialsHaveMeanAndVarianceOne() {
    RandomStreams.Stream stream = RandomStreams.of(5).stream("x");
    int n = 1_000_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double x = stream.nextExponential();
      sum += x;
      squares += x * x;
    }
    double mean = sum / n;
    assertThat(mean).isCloseTo(1, within(5e-3)); // five standard errors
    assertThat(squares / n - mean * mean).isCloseTo(1, within(1.5e-2));
  }
}
