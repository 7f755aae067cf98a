package dev.muster.benchmarks.device;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.engine.Engine;
import dev.muster.hal.sim.device.DetailedSimHal;
import dev.muster.hal.sim.device.DevicePresets;
import dev.muster.hal.sim.device.WorkModel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures a task's way through engine and detailed simulator: submission, transfer in, computation
 * and transfer out, with {@value #WORKERS} workers kept busy.
 *
 * <p>A task has two events of its own, submission and completion, and five changes of phase.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DetailedSimBenchmark {
  static final int WORKERS = 16;
  private static final long SIZE_NANOS = 1_000_000;

  /** Counts the regions of a card. */
  @Param({"1", "4"})
  public int regions = 1;

  private DetailedSimHal hal = create(1);
  private Engine engine = create(hal);
  private long now;
  private long open;

  /** Makes the fleet. */
  @Setup(Level.Trial)
  public void fill() {
    hal = create(regions);
    engine = create(hal);
    engine.start();
    now = 0;
    open = 0;
  }

  /** Submits a task and lets time pass until no more than one a worker is open. */
  @Benchmark
  public long task() {
    hal.advanceTo(now);
    engine.submit(now, 0, SIZE_NANOS, now + 3 * SIZE_NANOS / 2, 1, null);
    open++;
    while (open >= WORKERS && hal.nextEventNanos() != Long.MAX_VALUE) {
      now = hal.nextEventNanos();
      engine.advanceTo(now);
      hal.deliver();
      open = engine.tally().open();
    }
    return now;
  }

  private static DetailedSimHal create(int regions) {
    return DetailedSimHal.of(
        DevicePresets.preset("u250"), regions, WorkModel.proportional(1_000, 500, 8_000));
  }

  private static Engine create(DetailedSimHal hal) {
    WorkerType type =
        WorkerType.builder("card").spinUp(Duration.ZERO).maxWorkers(WORKERS).power(20, 10).build();
    return Engine.builder(Baselines.fixed("bench", "card", WORKERS), hal)
        .workerTypes(List.of(type))
        .workloadCapabilities(EnumSet.allOf(Capability.class))
        .applications(List.of(Application.of("app", Variant.of("a", "card"))))
        .build();
  }
}
