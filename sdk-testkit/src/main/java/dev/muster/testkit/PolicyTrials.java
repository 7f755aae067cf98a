package dev.muster.testkit;

import dev.muster.api.Capability;
import dev.muster.api.Task;
import dev.muster.api.WorkerType;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.Workload;
import dev.muster.hal.sim.workload.Workloads;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs the scenarios of a {@link PolicyContract} and says which rule a failure breaks. */
final class PolicyTrials {
  /** Stands for a failure that no rule claims, for instance an exception of the policy's own. */
  static final String NO_RULE = "";

  private static final Pattern RULE = Pattern.compile("POL-\\d");
  private static final int BURST = 3_000;

  private final PolicyContract contract;

  private PolicyTrials(PolicyContract contract) {
    this.contract = contract;
  }

  static PolicyTrials of(PolicyContract contract) {
    return new PolicyTrials(contract);
  }

  Scenario scenario(long seed, boolean faulty) {
    return new Scenario(1_000_003L * seed, contract.fleet(), faulty);
  }

  /** Returns the same tasks with at most two workers of each type. */
  Scenario crowded(long seed) {
    List<WorkerType> few =
        contract.fleet().stream().map(type -> type.toBuilder().maxWorkers(2).build()).toList();
    return new Scenario(1_000_003L * seed, few, false);
  }

  /** Returns how a scenario fails with a new policy, or {@code null}. */
  @Nullable AssertionError failure(Scenario scenario) {
    return failure(scenario, InvariantChecker.create());
  }

  @Nullable AssertionError failure(Scenario scenario, InvariantChecker checker) {
    try {
      scenario.run(contract.policy(), checker);
      return null;
    } catch (AssertionError e) {
      return e;
    }
  }

  /** Returns the result of a scenario, or {@code null} if it fails. */
  @Nullable SimulationResult result(Scenario scenario) {
    try {
      return scenario.run(contract.policy(), InvariantChecker.create());
    } catch (AssertionError e) {
      return null;
    }
  }

  /** Fails if a scenario on sound hardware breaks a rule. */
  void forbid(String rule) {
    for (int seed = 0; seed < contract.scenarios(); seed++) {
      AssertionError failure = failure(scenario(seed, false));
      if (failure != null && ruleOf(failure).equals(rule)) {
        throw failure;
      }
    }
  }

  void rethrow(String rule, @Nullable AssertionError failure) {
    if (failure != null) {
      throw new AssertionError(rule + ": " + failure.getMessage(), failure);
    }
  }

  /**
   * Counts look-ups while thousands of tasks need a worker each, then while as many wait for few. A
   * policy that fails otherwise is left to the other rules.
   */
  void countWork() {
    CountingPolicy counting = new CountingPolicy(contract.policy(), contract);
    try {
      Simulation.builder(counting, burst())
          .workerTypes(contract.fleet())
          .workloadCapabilities(EnumSet.allOf(Capability.class))
          .observer(counting.observer())
          .build()
          .run();
    } catch (IllegalStateException e) {
      if (!ruleOf(e).equals("POL-3") && !ruleOf(e).equals("POL-1")) {
        throw e;
      }
    }
    counting.verdict();
  }

  /** Makes tasks that come almost at once and have no time to wait, then some that have. */
  private Workload burst() {
    long spinUp = contract.fleet().stream().mapToLong(WorkerType::spinUpNanos).min().orElse(0);
    long size = 100 * BURST + 100 * spinUp;
    int count = BURST + BURST / 10;
    long[] arrivals = new long[count];
    long[] sizes = new long[count];
    long[] deadlines = new long[count];
    for (int i = 0; i < count; i++) {
      arrivals[i] = i < BURST ? i : 2 * size + (i - BURST) * 10L;
      sizes[i] = size;
      deadlines[i] = i < BURST ? i + size + spinUp : Task.NO_DEADLINE;
    }
    return Workloads.of("burst", arrivals, sizes, deadlines, 4 * size);
  }

  private static String ruleOf(Throwable failure) {
    Matcher rule = RULE.matcher(String.valueOf(failure.getMessage()).split("\n", -1)[0]);
    return rule.find() ? rule.group() : NO_RULE;
  }
}
