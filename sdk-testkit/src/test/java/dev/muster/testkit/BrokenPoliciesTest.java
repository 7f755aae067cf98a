package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.core.spork.Spork;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Breaks one rule of the policies' contract at a time and checks that only its test fails.
 *
 * <p>POL-4 has no entry: the engine does not let a policy break it. {@link InvariantCheckerTest}
 * breaks it below the engine.
 */
final class BrokenPoliciesTest {
  /** Gives tasks to any free worker, or holds them until one is: keeps all rules. */
  private static class Greedy implements SchedulingPolicy {
    final ArrayDeque<Task> held = new ArrayDeque<>();
    final ArrayDeque<Worker> free = new ArrayDeque<>();

    @Override
    public String name() {
      return getClass().getSimpleName();
    }

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      Worker worker = free.poll();
      if (worker == null) {
        worker = context.provision(context.pools().get(0));
      }
      if (worker == null) {
        held.add(task);
      } else {
        context.assign(task, worker);
      }
    }

    @Override
    public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
      if (worker == null || worker.state() != Worker.State.IDLE || worker.load() > 0) {
        return;
      }
      Task next = held.poll();
      if (next == null) {
        free.add(worker);
      } else {
        context.assign(next, worker);
      }
    }

    @Override
    public void onWorkerGone(Worker worker, SchedulingContext context) {
      free.removeIf(w -> w.id() == worker.id());
      Task next = held.poll();
      if (next != null) {
        onSubmit(next, context);
      }
    }
  }

  /** Asks every worker for its load at each task, though one is enough. */
  private static final class Scanning extends Greedy {
    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      int busy = 0;
      for (Worker worker : context.pools().get(0)) {
        busy += worker.load();
      }
      assertThat(busy).isNotNegative();
      super.onSubmit(task, context);
    }
  }

  /** Uses the variant of another worker type. */
  private static final class WrongVariant extends Greedy {
    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      WorkerPool other = context.pools().get(1);
      Variant variant = Objects.requireNonNull(context.variant(task, other));
      Worker worker = context.provision(context.pools().get(0));
      if (worker != null) {
        context.assign(task, worker, variant);
      }
    }
  }

  /** Forgets every third task. */
  private static final class Forgetful extends Greedy {
    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      if (task.id() % 3 != 2) {
        super.onSubmit(task, context);
      }
    }
  }

  /** Counts on a further worker whenever it wants one. */
  private static final class Boundless extends Greedy {
    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      Worker worker = free.poll();
      context.assign(
          task,
          worker != null
              ? worker
              : Objects.requireNonNull(context.provision(context.pools().get(0))));
    }
  }

  /** Goes on using workers that were lost. */
  private static final class Trusting extends Greedy {
    private final ArrayDeque<Worker> known = new ArrayDeque<>();

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      if (known.isEmpty()) {
        Worker worker = context.provision(context.pools().get(0));
        if (worker != null) {
          known.add(worker);
        }
      }
      context.assign(task, known.element());
    }

    @Override
    public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
      // it knows its worker
    }

    @Override
    public void onWorkerGone(Worker worker, SchedulingContext context) {
      if (worker.state() == Worker.State.RELEASED) {
        known.clear();
      }
    }
  }

  /** Alternates between two policies, as one with hidden state across runs does. */
  private static final class Moody implements Supplier<SchedulingPolicy> {
    private int runs;

    @Override
    public SchedulingPolicy get() {
      return runs++ % 2 == 0 ? new Greedy() : Spork.energy();
    }
  }

  private static List<String> failing(Supplier<? extends SchedulingPolicy> policies) {
    return Rules.failing(PolicyContract.class, (PolicyContract) policies::get);
  }

  @Test
  void aSoundPolicyPassesAllRules() {
    assertThat(failing(Greedy::new)).isEmpty();
  }

  @Test
  void pol1RejectsAWrongVariant() {
    assertThat(failing(WrongVariant::new)).containsExactly("pol1_assignsOnlyToCapableWorkers");
  }

  @Test
  void pol2RejectsHiddenState() {
    assertThat(failing(new Moody())).containsExactly("pol2_decidesTheSameOnTheSameEvents");
  }

  @Test
  void pol3RejectsForgottenTasks() {
    assertThat(failing(Forgetful::new)).containsExactly("pol3_bringsEveryTaskToATerminalOutcome");
  }

  @Test
  void pol5RejectsUnboundedProvisioning() {
    assertThat(failing(Boundless::new)).containsExactly("pol5_keepsLimits");
  }

  @Test
  void pol6RejectsAScanOfAllWorkers() {
    assertThat(failing(Scanning::new)).containsExactly("pol6_boundsTheWorkPerEvent");
  }

  @Test
  void pol7RejectsTrustInLostWorkers() {
    assertThat(failing(Trusting::new)).containsExactly("pol7_survivesFaults");
  }
}
