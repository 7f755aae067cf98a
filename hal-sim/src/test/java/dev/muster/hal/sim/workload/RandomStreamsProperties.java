package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Holds the laws of random streams. */
class RandomStreamsProperties {
  @Property
  void aStreamDependsOnSeedAndNameAlone(@ForAll long seed, @ForAll String name) {
    RandomStreams streams = RandomStreams.of(seed);
    long first = streams.stream(name).nextLong();
    streams.stream("other").nextLong();
    assertThat(streams.stream(name).nextLong()).isEqualTo(first);
    assertThat(RandomStreams.of(seed).stream(name).nextLong()).isEqualTo(first);
    assertThat(streams.seed()).isEqualTo(seed);
  }

  @Property
  void namesAndSeedsGiveDifferentStreams(
      @ForAll long seed, @ForAll String one, @ForAll String other) {
    Assume.that(!one.equals(other));
    long first = RandomStreams.of(seed).stream(one).nextLong();
    assertThat(RandomStreams.of(seed).stream(other).nextLong()).isNotEqualTo(first);
    assertThat(RandomStreams.of(seed + 1).stream(one).nextLong()).isNotEqualTo(first);
  }

  @Property
  void drawsStayInTheirRanges(@ForAll long seed) {
    RandomStreams.Stream stream = RandomStreams.of(seed).stream("x");
    for (int i = 0; i < 100; i++) {
      assertThat(stream.nextDouble()).isGreaterThanOrEqualTo(0).isLessThan(1);
      assertThat(stream.nextExponential()).isGreaterThanOrEqualTo(0).isLessThan(37);
    }
  }
}
