package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DemandProfileTest {
  private static DemandProfile profile(long horizonNanos) {
    return DemandProfile.of(
        Workloads.of(
            "three",
            new long[] {0, 150, 240},
            new long[] {10, 30, 500},
            new long[] {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE},
            horizonNanos),
        100);
  }

  @Test
  void theLastIntervalCountsEvenIfTheHorizonCutsItShort() {
    assertThat(profile(250).largestChangeNanos()).isEqualTo(470);
    assertThat(profile(250).referenceNanos(2)).isEqualTo(500);
  }

  @Test
  void nothingFollowsAHorizonOnABoundary() {
    assertThat(profile(300).largestChangeNanos()).isEqualTo(470);
    assertThat(profile(300).referenceNanos(3)).isZero();
  }
}
