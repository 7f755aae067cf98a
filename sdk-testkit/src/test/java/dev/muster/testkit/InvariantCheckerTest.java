package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Application;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.engine.Tally;
import dev.muster.core.engine.Usage;
import dev.muster.hal.sim.SimHal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tells the checker of things that an engine must never do, and checks that it objects.
 *
 * <p>The tasks and workers are a real engine's; what is said about them is not.
 */
final class InvariantCheckerTest {
  private static final WorkerType CPU =
      WorkerType.builder("cpu").spinUp(Duration.ofNanos(10)).maxWorkers(2).power(2, 1).build();
  private static final WorkerType FPGA = WorkerType.builder("fpga").build();
  private static final Variant VARIANT = Variant.of("v", "cpu").resolvedFor(CPU);

  private static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, 0, 0);

  private final InvariantChecker checker = InvariantChecker.create();
  private final List<Task> tasks = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final Engine engine;

  InvariantCheckerTest() {
    SchedulingPolicy collecting =
        new SchedulingPolicy() {
          @Override
          public String name() {
            return "collecting";
          }

          @Override
          public void onSubmit(Task task, SchedulingContext context) {
            tasks.add(task);
          }

          @Override
          public void onStart(SchedulingContext context) {
            for (Worker worker; (worker = provision(context)) != null; ) {
              workers.add(worker);
            }
          }

          private @Nullable Worker provision(SchedulingContext context) {
            return context.provision(context.pools().get(0));
          }
        };
    engine =
        Engine.builder(collecting, SimHal.create())
            .workerTypes(List.of(CPU, FPGA))
            .applications(List.of(Application.of("app", VARIANT, Variant.of("w", "fpga"))))
            .build();
    engine.start();
    for (int i = 0; i < 2; i++) {
      engine.submit(0, 0, 100, Task.NO_DEADLINE, 1, null);
    }
  }

  /** Tells of two tasks on one worker, up to the start of the first. */
  private EngineObserver started() {
    for (Task task : tasks) {
      checker.onSubmitted(task, 0);
    }
    checker.onProvisioned(workers.get(0), 0);
    checker.onAssigned(tasks.get(0), workers.get(0), VARIANT, 0);
    checker.onAssigned(tasks.get(1), workers.get(0), VARIANT, 0);
    checker.onReady(workers.get(0), 10);
    checker.onStarted(tasks.get(0), workers.get(0), VARIANT, 10);
    return checker;
  }

  private void rejects(String rule, Consumer<EngineObserver> story) {
    EngineObserver observer = started();
    ThrowingCallable call = () -> story.accept(observer);
    assertThatThrownBy(call).isInstanceOf(AssertionError.class).hasMessageContaining(rule);
  }

  private void complete(EngineObserver observer, int task, long startNanos, long finishNanos) {
    observer.onCompleted(
        tasks.get(task), workers.get(0), VARIANT, startNanos, finishNanos, null, null);
  }

  @Test
  void pol1RejectsAVariantOfAnotherType() {
    assertThatThrownBy(
            () -> {
              checker.onSubmitted(tasks.get(0), 0);
              checker.onProvisioned(workers.get(0), 0);
              checker.onAssigned(tasks.get(0), workers.get(0), Variant.of("w", "fpga"), 0);
            })
        .hasMessageContaining("POL-1");
  }

  @Test
  void pol3RejectsASecondOutcome() {
    rejects(
        "POL-3",
        observer -> {
          complete(observer, 0, 10, 110);
          complete(observer, 0, 10, 110);
        });
  }

  @Test
  void pol4RejectsTwoRunningTasks() {
    rejects("POL-4", o -> o.onStarted(tasks.get(1), workers.get(0), VARIANT, 20));
  }

  @Test
  void pol5RejectsMoreWorkersThanTheTypeHas() {
    WorkerType one = CPU.toBuilder().maxWorkers(1).build();
    assertThatThrownBy(
            () -> {
              InvariantChecker fresh = InvariantChecker.create();
              fresh.onProvisioned(new OtherType(workers.get(0), one), 0);
              fresh.onProvisioned(new OtherType(workers.get(1), one), 0);
            })
        .hasMessageContaining("POL-5");
  }

  @Test
  void rejectsALoadUnderARun() {
    rejects("DEV-3", o -> o.onLoading(workers.get(0), VARIANT, 20));
  }

  @Test
  void rejectsTimeThatGoesBack() {
    rejects("time went back", o -> o.onRejected(tasks.get(1), RejectReason.CLOSED, 5));
  }

  @Test
  void rejectsAReleaseWithTasks() {
    rejects("released with tasks", o -> o.onGone(workers.get(0), 0, 20));
  }

  @Test
  void rejectsAStartOutOfOrder() {
    rejects(
        "out of order",
        o -> {
          o.onReclaimed(tasks.get(0), workers.get(0), 20);
          o.onAssigned(tasks.get(0), workers.get(0), VARIANT, 20);
          o.onStarted(tasks.get(0), workers.get(0), VARIANT, 20);
        });
  }

  @Test
  void rejectsATaskWithoutOutcomeAndAWorkerThatLeaked() {
    started();
    Usage usage = engine.usage();
    assertThatThrownBy(() -> checker.finish(usage, engine.tally())).hasMessageContaining("POL-3");
    checker.onReclaimed(tasks.get(0), workers.get(0), 20);
    InvariantChecker fresh = InvariantChecker.create();
    fresh.onProvisioned(workers.get(0), 0);
    assertThatThrownBy(() -> fresh.finish(usage, NOTHING)).hasMessageContaining("leaked");
  }

  @Test
  void law6RejectsAnAccountThatIsNotTheSumOfItsParts() {
    InvariantChecker fresh = InvariantChecker.create();
    fresh.onProvisioned(workers.get(0), 0);
    fresh.onReady(workers.get(0), 10);
    fresh.onGone(workers.get(0), 0, 50);
    assertThatThrownBy(() -> fresh.finish(new Usage(List.of()), NOTHING))
        .hasMessageContaining("law 6");
  }

  /** Shows a worker as one of another type. */
  private record OtherType(Worker worker, WorkerType type) implements Worker {
    @Override
    public long id() {
      return worker.id();
    }

    @Override
    public int slot() {
      return worker.slot();
    }

    @Override
    public WorkerPool pool() {
      return worker.pool();
    }

    @Override
    public State state() {
      return worker.state();
    }

    @Override
    public long createdNanos() {
      return worker.createdNanos();
    }

    @Override
    public long readyNanos() {
      return worker.readyNanos();
    }

    @Override
    public int allocationRank() {
      return worker.allocationRank();
    }

    @Override
    public long availableAtNanos() {
      return worker.availableAtNanos();
    }

    @Override
    public int load() {
      return worker.load();
    }

    @Override
    public @Nullable String image() {
      return worker.image();
    }
  }
}
