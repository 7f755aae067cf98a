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
 * are checked at every event. Each test answers for one rule: a scenario that fails by another rule
 * is left to that rule's test, so that the names of the failed tests say what is wrong. A failure
 * names the seed; {@code new Scenario(seed, fleet(), faulty).run(policy(),
 * InvariantChecker.create())} repeats it.
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

  /**
   * Returns how many look-ups in the fleet the policy documents for one event (POL-6), one step of
   * an iteration over workers counting as one. Commands come on top: as many look-ups again are
   * allowed for each.
   *
   * <p>By default O(log n) in the workers, which is what the pools' look-ups are for. A policy that
   * scans says so by overriding this.
   *
   * @param workers workers allocated before the event
   * @param openTasks tasks without an outcome before the event
   */
  default long maxLookUps(int workers, int openTasks) {
    int log = Integer.SIZE - Integer.numberOfLeadingZeros(workers + 1);
    return 8L * fleet().size() * (1 + log);
  }

  /** Holds that every worker can run what it is given (POL-1). */
  @Test
  default void pol1_assignsOnlyToCapableWorkers() {
    PolicyTrials.of(this).forbid("POL-1");
  }

  /** Holds that the same events lead to the same decisions (POL-2). */
  @Test
  default void pol2_decidesTheSameOnTheSameEvents() {
    PolicyTrials trials = PolicyTrials.of(this);
    for (int seed = 0; seed < scenarios(); seed++) {
      InvariantChecker first = InvariantChecker.logging();
      InvariantChecker second = InvariantChecker.logging();
      Scenario scenario = trials.scenario(seed, seed % 2 == 1);
      if (trials.failure(scenario, first) == null && trials.failure(scenario, second) == null) {
        assertThat(second.log()).as("POL-2: %s, twice", scenario).isEqualTo(first.log());
      }
    }
  }

  /** Holds that every task reaches exactly one terminal outcome (POL-3). */
  @Test
  default void pol3_bringsEveryTaskToATerminalOutcome() {
    PolicyTrials trials = PolicyTrials.of(this);
    trials.forbid("POL-3");
    trials.forbid(PolicyTrials.NO_RULE);
    for (int seed = 0; seed < scenarios(); seed++) {
      SimulationResult result = trials.result(trials.scenario(seed, false));
      if (result != null) {
        assertThat(result.tally().failed() + result.tally().cancelled())
            .as("POL-3: seed %d: nothing fails on sound hardware", seed)
            .isZero();
      }
    }
  }

  /** Holds that a worker never runs two tasks (POL-4), also when runs take longer than modelled. */
  @Test
  default void pol4_neverRunsTwoTasksOnAWorker() {
    PolicyTrials.of(this).forbid("POL-4");
  }

  /** Holds that counts and capacities are kept with few workers (POL-5). */
  @Test
  default void pol5_keepsLimits() {
    PolicyTrials trials = PolicyTrials.of(this);
    trials.forbid("POL-5");
    for (int seed = 0; seed < scenarios(); seed++) {
      if (trials.failure(trials.scenario(seed, false)) == null) {
        trials.rethrow("POL-5", trials.failure(trials.crowded(seed)));
      }
    }
  }

  /** Holds that one event costs no more look-ups than {@link #maxLookUps} says (POL-6). */
  @Test
  default void pol6_boundsTheWorkPerEvent() {
    PolicyTrials.of(this).countWork();
  }

  /** Holds that lost workers, failed loads, late and duplicate answers are survived (POL-7). */
  @Test
  default void pol7_survivesFaults() {
    PolicyTrials trials = PolicyTrials.of(this);
    for (int seed = 0; seed < scenarios(); seed++) {
      if (trials.failure(trials.scenario(seed, false)) == null) {
        trials.rethrow("POL-7", trials.failure(trials.scenario(seed, true)));
      }
    }
  }
}
