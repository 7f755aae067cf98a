package dev.muster.examples.qos;

import dev.muster.api.Application;
import dev.muster.api.Objective;
import dev.muster.api.Variant;
import dev.muster.api.VariantPolicy;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.qos.QosVariants;
import dev.muster.core.spork.SporkAllocator;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.Workloads;
import java.util.Arrays;
import java.util.List;

/** Puts the choice among variants of different speed and power inside Spork's dispatcher. */
public final class VariantsInSpork {
  private VariantsInSpork() {}

  /** Compares the fastest variant with the one of least energy that is on time. */
  public static void main(String[] args) {
    print(run("fastest", VariantPolicy.fastest()));
    print(run("least energy on time", QosVariants.leastEnergyOnTime(25)));
  }

  static SimulationResult run(String name, VariantPolicy variants) {
    Application app =
        Application.of(
            "app",
            Variant.of("cpu", "cpu"),
            Variant.builder("wide", "fpga").speedup(4, 1).powerWatts(70).build(),
            Variant.builder("narrow", "fpga").speedup(2, 1).powerWatts(25).build());
    return Simulation.builder(
            ComposedPolicy.builder(name)
                .allocation(SporkAllocator.of(Objective.ENERGY))
                .variants(variants)
                .build(),
            workload())
        .applications(List.of(app))
        // Sizes are predicted on the safe side: every third run takes a fifth less.
        .serviceTimes((w, t, v) -> v.serviceNanos(t.sizeNanos()) * (t.id() % 3 == 0 ? 4 : 5) / 5)
        .build()
        .run();
  }

  /** Makes five minutes of 50 tasks a second, each of 0.1 s with a second to spare. */
  private static dev.muster.hal.sim.workload.Workload workload() {
    long[] arrivals = new long[15_000];
    Arrays.setAll(arrivals, i -> i * 20_000_000L);
    long[] sizes = Arrays.stream(arrivals).map(t -> 100_000_000).toArray();
    long[] deadlines = Arrays.stream(arrivals).map(t -> t + 1_000_000_000L).toArray();
    return Workloads.of("steady", arrivals, sizes, deadlines, 300_000_000_000L);
  }

  private static void print(SimulationResult r) {
    System.out.printf(
        "%-22s %8.0f J (modelled), %d of %d tasks late%n",
        r.policy(), r.usage().energyJoules(), r.tally().missed(), r.tally().completed());
  }
}
