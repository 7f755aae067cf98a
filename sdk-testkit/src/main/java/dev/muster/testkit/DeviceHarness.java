package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Hal;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Worker;
import dev.muster.core.engine.Engine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Drives a HAL through an engine with a policy that keeps one worker. */
final class DeviceHarness {
  final Hal hal;
  final Engine engine;
  private final DeviceContract contract;
  final OneWorker policy = new OneWorker();

  DeviceHarness(DeviceContract contract) {
    this.contract = contract;
    hal = contract.hal();
    engine =
        Engine.builder(policy, hal)
            .workerTypes(
                List.of(contract.type().toBuilder().idleTimeout(Duration.ofDays(1)).build()))
            .applications(List.of(contract.application()))
            .build();
    engine.start();
  }

  long nowNanos() {
    return policy.nowNanos;
  }

  long submit() {
    return engine.submit(
        policy.nowNanos, 0, contract.sizeNanos(), Task.NO_DEADLINE, 1, contract.payload());
  }

  Worker worker() {
    Worker worker = policy.worker.get();
    if (worker == null) {
      throw new AssertionError("the HAL never got a worker");
    }
    return worker;
  }

  Task task() {
    Task task = policy.last;
    if (task == null) {
      throw new AssertionError("no task was submitted");
    }
    return task;
  }

  void pumpUntilStarted() {
    while (worker().state() != Worker.State.BUSY && contract.pump(hal, engine)) {
      // time passes
    }
  }

  void pumpAll() {
    while (engine.tally().open() > 0 && contract.pump(hal, engine)) {
      // time passes
    }
    assertThat(engine.tally().open()).as("tasks the HAL never answered").isZero();
  }

  void close() {
    assertThat(hal.close(Duration.ofSeconds(10))).isEmpty();
  }

  /** Gives every task to one worker, provisioned with the first. */
  static final class OneWorker implements SchedulingPolicy {
    private final AtomicReference<@Nullable Worker> worker = new AtomicReference<>();
    private @Nullable Task last;
    private long nowNanos;
    boolean releasesAfterTask;

    @Override
    public String name() {
      return "one worker";
    }

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      nowNanos = context.nowNanos();
      Worker to = worker.get();
      if (to == null || to.state() == Worker.State.RELEASED) {
        to = context.provision(context.pools().get(0));
        worker.set(to);
      }
      last = task;
      if (to != null) {
        context.assign(task, to);
      }
    }

    @Override
    public void onTaskDone(Task task, @Nullable Worker on, SchedulingContext context) {
      nowNanos = context.nowNanos();
      if (releasesAfterTask && on != null && on.load() == 0) {
        context.release(on);
      }
    }
  }
}
