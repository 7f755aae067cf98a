package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.spork.SporkFleet;
import dev.muster.hal.sim.workload.SyntheticWorkload;
import dev.muster.hal.sim.workload.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetSizingTest {
  private static final Workload WORKLOAD =
      SyntheticWorkload.builder().minutes(5).meanWorkers(5).seed(7).build();

  @Test
  void findsTheLeastFleetThatMissesNoDeadline() {
    int least = FleetSizing.leastFixedFleet(WORKLOAD, SporkFleet.fpga(), 1_000);
    assertThat(missed(least)).isZero();
    assertThat(missed(least - 1)).isPositive();
  }

  @Test
  void refusesALimitThatDoesNotSuffice() {
    assertThatThrownBy(() -> FleetSizing.leastFixedFleet(WORKLOAD, SporkFleet.fpga(), 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("raise the limit");
  }

  private static long missed(int workers) {
    return Simulation.builder(Baselines.fpgaStatic(workers), WORKLOAD)
        .workerTypes(List.of(SporkFleet.fpga()))
        .build()
        .run()
        .tally()
        .missed();
  }
}
