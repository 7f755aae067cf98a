package dev.muster.testkit;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.hal.sim.SimHal;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.Workload;
import dev.muster.hal.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Describes a small random run: tasks, variants and faults, all drawn from one seed.
 *
 * <p>Arrivals come alone, in bursts at one instant, and after silences; sizes go from 0 to several
 * spin-up times; deadlines are missing, tight or ample. Replay it from the seed in the message of a
 * failed test.
 *
 * @param seed root of everything random
 * @param types the fleet
 * @param faulty whether hardware faults are injected and runs take longer or shorter than modelled
 */
public record Scenario(long seed, List<WorkerType> types, boolean faulty) {
  private static final int MAX_TASKS = 60;
  private static final double FAULT_PROBABILITY = 0.1;

  /** Creates a scenario. */
  public Scenario {
    types = List.copyOf(types);
  }

  /**
   * Runs a policy through the scenario under all invariants.
   *
   * @param checker watches; new for each run
   * @return what the run used
   * @throws AssertionError if an invariant is broken; the message holds the seed
   */
  public SimulationResult run(SchedulingPolicy policy, InvariantChecker checker) {
    SplittableRandom random = new SplittableRandom(seed);
    Workload workload = tasks(random.split());
    Simulation.Builder builder =
        Simulation.builder(policy, workload)
            .workerTypes(types)
            .applications(List.of(application(random.split())))
            .workloadCapabilities(EnumSet.allOf(Capability.class))
            .observer(checker);
    if (faulty) {
      long faultSeed = random.nextLong();
      builder
          .halLayer(hal -> FaultyHal.of(hal, faultSeed, FAULT_PROBABILITY))
          .serviceTimes(wrongTimes(random.split()));
    }
    try {
      SimulationResult result = builder.build().run();
      checker.finish(result.usage(), result.tally());
      return result;
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("policy " + policy.name() + ", " + this + ": " + e.getMessage(), e);
    }
  }

  private Workload tasks(SplittableRandom random) {
    int count = random.nextInt(MAX_TASKS + 1);
    long scale = Math.max(1_000, types.stream().mapToLong(WorkerType::spinUpNanos).max().orElse(0));
    long[] arrivals = new long[count];
    long[] sizes = new long[count];
    long[] deadlines = new long[count];
    long now = 0;
    for (int i = 0; i < count; i++) {
      now +=
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextLong(scale / 10 + 1);
            case 2 -> random.nextLong(scale + 1);
            default -> random.nextLong(3 * scale + 1);
          };
      arrivals[i] = now;
      sizes[i] = random.nextInt(8) == 0 ? 0 : random.nextLong(2 * scale);
      deadlines[i] = random.nextInt(8) == 0 ? Long.MAX_VALUE : now + random.nextLong(6 * scale);
    }
    return Workloads.of("scenario", "app", arrivals, sizes, deadlines, now + scale);
  }

  private Application application(SplittableRandom random) {
    List<Variant> variants = new ArrayList<>();
    for (WorkerType type : types) {
      int count = 1 + random.nextInt(2);
      for (int i = 0; i < count; i++) {
        Variant.Builder variant = Variant.builder(type.name() + "-v" + i, type.name());
        if (random.nextBoolean()) {
          variant.speedup(1 + random.nextInt(4), 1 + random.nextInt(3));
        }
        if (random.nextBoolean()) {
          variant.powerWatts(random.nextInt(300));
        }
        if (random.nextInt(3) == 0) {
          variant.image("image-" + random.nextInt(2));
        }
        variants.add(variant.build());
      }
    }
    return new Application("app", variants);
  }

  private static SimHal.ServiceTimes wrongTimes(SplittableRandom random) {
    return (worker, task, variant) -> {
      long modelled = variant.serviceNanos(task.sizeNanos());
      return switch (random.nextInt(4)) {
        case 0 -> modelled / 2;
        case 1 -> modelled * 3;
        default -> modelled;
      };
    };
  }
}
