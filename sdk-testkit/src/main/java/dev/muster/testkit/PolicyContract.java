package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.hal.sim.SimulationResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that a policy keeps its contract (see {@link SchedulingPolicy}); implement it in a test
 * class.
 *
 * <p>Each test drives fresh policies through random scenarios under virtual time; the invariants
 * are checked at every event. A failure names the seed; {@code new Scenario(seed, fleet(),
 * faulty).run(policy(), InvariantChecker.create())} repeats it.
 */
public interface PolicyContract {
  /** Makes a new policy. */
  SchedulingPolicy policy();

  /** Returns a fleet for the policy: by default a small CPU and FPGA pair. */
  default List<WorkerType> fleet() {
    return List.of(
        WorkerType.builder("cpu")
            .spinUp(Duration.ofNanos(50))
            .spinDown(Duration.ofNanos(20))
            .power(150, 30)
            .price(0.7)
            .build(),
        WorkerType.builder("fpga")
            .spinUp(Duration.ofNanos(10_000))
            .spinDown(Duration.ofNanos(100))
            .speedup(2)
            .power(50, 20)
            .price(1)
            .load(Duration.ofNanos(300))
            .build());
  }

  /** Returns how many scenarios each test runs. */
  default int scenarios() {
    return 200;
  }

  /** Holds that every worker can run what it is given (POL-1), by the variants' types. */
  @Test
  default void pol1_assignsOnlyToCapableWorkers() {
    runAll(false);
  }

  /** Holds that the same events lead to the same decisions (POL-2). */
  @Test
  default void pol2_decidesTheSameOnTheSameEvents() {
    for (int seed = 0; seed < scenarios(); seed++) {
      InvariantChecker first = InvariantChecker.logging();
      InvariantChecker second = InvariantChecker.logging();
      Scenario scenario = new Scenario(seed, fleet(), seed % 2 == 1);
      scenario.run(policy(), first);
      scenario.run(policy(), second);
      assertThat(second.log()).as("seed %d", seed).isEqualTo(first.log());
    }
  }

  /** Holds that every task reaches exactly one terminal outcome (POL-3). */
  @Test
  default void pol3_bringsEveryTaskToATerminalOutcome() {
    for (int seed = 0; seed < scenarios(); seed++) {
      SimulationResult result =
          new Scenario(seed, fleet(), false).run(policy(), InvariantChecker.create());
      assertThat(result.tally().failed() + result.tally().cancelled())
          .as("seed %d: nothing fails on sound hardware", seed)
          .isZero();
    }
  }

  /** Holds that a worker never runs two tasks (POL-4), also when runs take longer than modelled. */
  @Test
  default void pol4_neverRunsTwoTasksOnAWorker() {
    runAll(true);
  }

  /** Holds that counts and capacities are kept with few workers (POL-5). */
  @Test
  default void pol5_keepsLimits() {
    List<WorkerType> few =
        fleet().stream().map(type -> type.toBuilder().maxWorkers(2).build()).toList();
    for (int seed = 0; seed < scenarios(); seed++) {
      new Scenario(seed, few, seed % 2 == 1).run(policy(), InvariantChecker.create());
    }
  }

  /** Holds that lost workers, failed loads, late and duplicate answers are survived (POL-7). */
  @Test
  default void pol7_survivesFaults() {
    runAll(true);
  }

  private void runAll(boolean faulty) {
    for (int seed = 0; seed < scenarios(); seed++) {
      new Scenario(1_000_003L * seed, fleet(), faulty).run(policy(), InvariantChecker.create());
    }
  }
}
