package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Application;
import dev.muster.api.InvalidInputException;
import dev.muster.api.RuntimePredictor;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.spork.Spork;
import dev.muster.hal.sim.workload.Workload;
import dev.muster.hal.sim.workload.Workloads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks that policies plan with predictions, and predictors learn what really happened. */
final class RuntimePredictorTest {
  private static final WorkerType CPU =
      WorkerType.builder("cpu").idleTimeout(Duration.ofMillis(1)).build();

  /** Predicts the last size it saw, and keeps all of them. */
  private static final class LastSize implements RuntimePredictor {
    private final List<Long> seen = new ArrayList<>();
    private long last;

    LastSize(long first) {
      last = first;
    }

    @Override
    public Prediction predict(Application application, @Nullable Object payload) {
      long mean = last;
      return new Prediction() {
        @Override
        public long meanNanos() {
          return mean;
        }

        @Override
        public long quantileNanos(double probability) {
          return Math.round(2 * mean * probability);
        }
      };
    }

    @Override
    public void observe(Application application, @Nullable Object payload, long sizeNanos) {
      seen.add(sizeNanos);
      last = sizeNanos;
    }
  }

  /** Gives all tasks to one worker and notes what it was told about them. */
  private static final class Noting implements SchedulingPolicy {
    private final List<Long> sizes = new ArrayList<>();
    private final List<Long> means = new ArrayList<>();
    private final List<Long> services = new ArrayList<>();
    private @Nullable Worker worker;

    @Override
    public String name() {
      return "noting";
    }

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      if (worker == null) {
        worker = context.provision(context.pools().get(0));
      }
      sizes.add(task.sizeNanos());
      means.add(context.prediction(task).meanNanos());
      if (worker != null) {
        services.add(context.assign(task, worker));
      }
    }
  }

  private static Workload threeTasks() {
    return Workloads.of(
        "three",
        "app",
        new long[] {0, 1_000, 2_000},
        new long[] {300, 500, 700},
        new long[] {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE},
        10_000);
  }

  @Test
  void policiesPlanWithTheQuantileAndRunsTakeTheTrueSize() {
    LastSize predictor = new LastSize(100);
    Noting policy = new Noting();
    SimulationResult result =
        Simulation.builder(policy, threeTasks())
            .workerTypes(List.of(CPU))
            .predictor(predictor, 0.75)
            .build()
            .run();
    assertThat(policy.sizes).containsExactly(150L, 450L, 750L);
    assertThat(policy.services).isEqualTo(policy.sizes);
    assertThat(policy.means).containsExactly(100L, 300L, 500L);
    assertThat(predictor.seen).containsExactly(300L, 500L, 700L);
    assertThat(result.usage().pools().get(0).busyNanos()).isEqualTo(1_500);
  }

  @Test
  void learnsReferenceSizesFromFasterVariants() {
    LastSize predictor = new LastSize(1);
    Variant fast = Variant.builder("fast", "cpu").speedup(3, 2).fixed(Duration.ofNanos(40)).build();
    Simulation.builder(new Noting(), threeTasks())
        .workerTypes(List.of(CPU))
        .applications(List.of(Application.of("app", fast)))
        .predictor(predictor, 0.5)
        .build()
        .run();
    assertThat(predictor.seen).containsExactly(300L, 501L, 700L);
  }

  @Test
  void sporkSchedulesTasksWhoseSizesItCannotSee() {
    SimulationResult result =
        Simulation.builder(Spork.energy(), threeTasks())
            .predictor(new LastSize(400), 0.9)
            .build()
            .run();
    assertThat(result.tally().completed()).isEqualTo(3);
  }

  @Test
  void refusesAnUnknownSizeWithoutPredictor() {
    Engine engine =
        Engine.builder(new Noting(), SimHal.create())
            .workerTypes(List.of(CPU))
            .applications(List.of(Application.of("app", Variant.of("v", "cpu"))))
            .build();
    engine.start();
    assertThatThrownBy(() -> engine.submit(0, 0, Task.UNKNOWN_SIZE, Task.NO_DEADLINE, 1, null))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("predictor");
    assertThatThrownBy(
            () -> Engine.builder(new Noting(), SimHal.create()).predictor(new LastSize(1), 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("quantile");
  }
}
