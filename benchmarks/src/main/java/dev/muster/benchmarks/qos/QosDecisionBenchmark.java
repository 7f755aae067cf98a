package dev.muster.benchmarks.qos;

import dev.muster.api.Capability;
import dev.muster.api.Footprint;
import dev.muster.api.SchedulingPolicy;
import dev.muster.core.engine.Engine;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.PaperQos;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.core.qos.RolloutQos;
import dev.muster.hal.sim.SimHal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * Measures one decision with {@value #QUEUE} tasks queued and eight slots: a run finishes, a task
 * arrives, the policy decides, the engine starts what it chose. Engine and simulator are included.
 *
 * <p>Ten applications of ten designs each. With {@code loose} deadlines nobody is late, with {@code
 * tight} ones about half of the tasks are lost, so that every rule is simulated.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QosDecisionBenchmark {
  private static final int QUEUE = 1_000;
  private static final int APPS = 10;
  private static final long MILLI = 1_000_000;

  /** Names the policy. */
  @Param({"paper", "merge", "rollout"})
  public String policy = "paper";

  /** Names how much time tasks have. */
  @Param({"loose", "tight"})
  public String deadlines = "loose";

  private SimHal hal = SimHal.create();
  private Engine engine = create("paper");
  private int next;
  private long done;

  /** Fills the queue. */
  @Setup(Level.Trial)
  public void fill() {
    engine = create(policy);
    engine.start();
    for (int i = 0; i < QUEUE; i++) {
      submit(0);
    }
    hal.advanceTo(0);
    engine.endInstant(0);
    for (int i = 0; i < 3 * QUEUE; i++) {
      decide();
    }
  }

  /** Handles one completion and one arrival. */
  @Benchmark
  public long decide() {
    long now;
    long finished;
    do {
      now = hal.nextEventNanos();
      engine.advanceTo(now);
      hal.deliver();
      finished = engine.tally().completed();
    } while (finished == done);
    // One arrival for each completion keeps the queue at its length.
    for (; done < finished; done++) {
      submit(now);
    }
    hal.advanceTo(now);
    engine.endInstant(now);
    return now;
  }

  private void submit(long now) {
    int index = next++;
    long allowed = deadlines.equals("loose") ? 100_000 : 2_000 + 97L * (index * 31 % 100);
    engine.submit(now, index * 7 % APPS, 0, now + allowed * MILLI, 1, null);
  }

  private Engine create(String name) {
    LibraryDevice device =
        new LibraryDevice("d", new Footprint(1_182_240, 2_364_480, 4_320, 6_840, 960));
    SortedMap<String, List<LibraryVariant>> apps = new TreeMap<>();
    for (int app = 0; app < APPS; app++) {
      List<LibraryVariant> designs = new ArrayList<>();
      for (int units = 1; units <= 10; units++) {
        designs.add(
            LibraryVariant.of(
                "v" + units,
                20 + (300 + 17L * app) / units,
                new Footprint(40_000L * units, 60_000L * units, 100L * units, 150L * units, 0),
                Origin.ROUTED));
      }
      apps.put("app" + app, designs);
    }
    RegionLayout layout =
        name.equals("paper")
            ? RegionLayout.symmetric(device, 8)
            : RegionLayout.mergeable(device, 8);
    RegionFleet fleet = RegionFleet.of(layout, new VariantLibrary(device, apps), Duration.ZERO);
    SchedulingPolicy scheduler =
        switch (name) {
          case "paper" -> PaperQos.of(layout);
          case "merge" -> RolloutQos.builder(layout).withoutRollout().build();
          case "rollout" -> RolloutQos.of(layout);
          default -> throw new IllegalArgumentException(name);
        };
    hal = SimHal.create();
    return Engine.builder(scheduler, hal)
        .workerTypes(fleet.types())
        .applications(fleet.applications())
        .workloadCapabilities(Set.of(Capability.DEADLINES, Capability.VARIANTS))
        .build();
  }
}
