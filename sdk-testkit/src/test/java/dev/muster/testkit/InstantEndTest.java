package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Shows what the engine offers policies that decide once an instant or take runs back. */
class InstantEndTest {
  @Test
  void instantEndsAfterItsLastEvent() {
    Recalling policy = new Recalling(false);
    run(policy);
    // The run that finishes at 10 and the task that arrives at 10 are seen together.
    assertThat(policy.log).contains("10: done 0", "10: submitted 2", "10: end");
    assertThat(policy.log.indexOf("10: end")).isGreaterThan(policy.log.indexOf("10: submitted 2"));
    assertThat(policy.log.indexOf("10: submitted 2"))
        .isGreaterThan(policy.log.indexOf("10: done 0"));
  }

  @Test
  void recalledRunComesBackWithoutCountingAsAnAttempt() {
    Recalling policy = new Recalling(true);
    SimulationResult result = run(policy);
    assertThat(policy.log).contains("4: submitted 0 after 0 attempts");
    assertThat(result.tally().completed()).isEqualTo(3);
    assertThat(result.tally().failed()).isZero();
    // The second task ran from 4, the first one again after it.
    assertThat(policy.log.indexOf("9: done 1")).isLessThan(policy.log.indexOf("19: done 0"));
  }

  private static SimulationResult run(SchedulingPolicy policy) {
    return Simulation.builder(
            policy,
            Workloads.of(
                "three", new long[] {0, 4, 10}, new long[] {10, 5, 1}, new long[] {99, 99, 99}, 11))
        .workerTypes(List.of(WorkerType.builder("cpu").build()))
        .build()
        .run();
  }

  /** Runs one task at a time, newest first, on one worker; may take a run back once. */
  private static final class Recalling implements SchedulingPolicy {
    final List<String> log = new ArrayList<>();
    private final List<Task> held = new ArrayList<>();
    private boolean recalls;
    private @Nullable Worker worker;

    Recalling(boolean recalls) {
      this.recalls = recalls;
    }

    @Override
    public String name() {
      return "recalling";
    }

    @Override
    public void onStart(SchedulingContext context) {
      worker = context.provision(context.pools().get(0));
      context.keep(context.pools().get(0), 1);
    }

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      boolean isBack = held.stream().anyMatch(t -> t.id() > task.id());
      log.add(
          context.nowNanos()
              + ": submitted "
              + task.id()
              + (isBack ? " after " + task.attempts() + " attempts" : ""));
      held.add(0, task);
      if (isBack) {
        held.add(held.remove(0));
      }
      context.wakeAtInstantEnd();
    }

    @Override
    public void onTaskDone(Task task, @Nullable Worker by, SchedulingContext context) {
      log.add(context.nowNanos() + ": done " + task.id());
      context.wakeAtInstantEnd();
    }

    @Override
    public void onInstantEnd(SchedulingContext context) {
      log.add(context.nowNanos() + ": end");
      Worker only = worker;
      if (only == null || held.isEmpty()) {
        return;
      }
      if (only.load() == 0) {
        context.assign(held.remove(0), only);
      } else if (recalls && context.recall(only)) {
        recalls = false;
      }
    }

    @Override
    public void onDrain(SchedulingContext context) {
      context.keep(context.pools().get(0), held.isEmpty() ? 0 : 1);
    }
  }
}
