package dev.muster.examples.cli.live;

import dev.muster.api.InvalidInputException;
import dev.muster.api.SchedulingPolicy;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.spork.Spork;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Finds by name the policies that need no knowledge of the future. */
final class OnlinePolicies {
  private static final int STATIC_CARDS = 2;
  private static final long INTERVAL_NANOS = 500_000_000;
  private static final Map<String, Supplier<SchedulingPolicy>> ALL =
      new TreeMap<>(
          Map.of(
              "SporkE",
              Spork::energy,
              "SporkB",
              Spork::balanced,
              "SporkC",
              Spork::cost,
              "CPU-dynamic",
              Baselines::cpuDynamic,
              "FPGA-static",
              () -> Baselines.fpgaStatic(STATIC_CARDS),
              "INFaaS-like",
              () -> Baselines.infaas("fpga", INTERVAL_NANOS),
              "AutoScale",
              () -> Baselines.autoScale("cpu"),
              "Serverless",
              () -> Baselines.serverless("cpu")));

  private OnlinePolicies() {}

  /** Makes a fresh policy, by its name in any case. */
  static SchedulingPolicy make(String name) {
    for (Map.Entry<String, Supplier<SchedulingPolicy>> entry : ALL.entrySet()) {
      if (entry.getKey().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return entry.getValue().get();
      }
    }
    throw InvalidInputException.of(
        "policy", '"' + name + '"', "must be one of " + ALL.keySet(), "name one of them");
  }
}
