package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.engine.EngineObserver;
import dev.muster.hal.sim.SimHal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keeps mended faults of the engine mended. */
final class EngineTest {
  /** Gives all tasks to one worker, provisioned with the first. */
  private static final class OneWorker implements SchedulingPolicy {
    private @Nullable Worker worker;

    @Override
    public String name() {
      return "one worker";
    }

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      Worker to = worker == null ? context.provision(context.pools().get(0)) : worker;
      worker = to;
      if (to != null) {
        context.assign(task, to);
      }
    }
  }

  @Test
  void cancellingTheHeadOfAStartingWorkersQueueStartsNothingBeforeItIsReady() {
    List<String> story = new ArrayList<>();
    List<Task> tasks = new ArrayList<>();
    SimHal sim = SimHal.create();
    Engine engine =
        Engine.builder(new OneWorker(), sim)
            .workerTypes(
                List.of(
                    WorkerType.builder("cpu").spinUp(Duration.ofNanos(100)).maxWorkers(1).build()))
            .applications(List.of(Application.of("app", Variant.of("v", "cpu"))))
            .observer(
                new EngineObserver() {
                  @Override
                  public void onSubmitted(Task task, long nowNanos) {
                    tasks.add(task);
                  }

                  @Override
                  public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
                    story.add(task.id() + " at " + nowNanos);
                  }
                })
            .build();
    engine.start();
    engine.submit(0, 0, 10, Task.NO_DEADLINE, 1, null);
    engine.submit(0, 0, 20, Task.NO_DEADLINE, 1, null);
    assertThat(engine.cancel(tasks.get(0), 0, 50)).isTrue();
    assertThat(story).as("the worker is ready at 100").isEmpty();
    assertThat(engine.pools().get(0).earliestSpinningUp())
        .extracting(Worker::availableAtNanos)
        .isEqualTo(120L);
    while (sim.nextEventNanos() < Long.MAX_VALUE) {
      engine.advanceTo(sim.nextEventNanos());
      sim.deliver();
    }
    assertThat(story).containsExactly("1 at 100");
    assertThat(engine.tally().cancelled()).isEqualTo(1);
    assertThat(engine.tally().completed()).isEqualTo(1);
  }
}
