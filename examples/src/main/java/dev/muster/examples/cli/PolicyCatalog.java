package dev.muster.examples.cli;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Objective;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.policy.ComposedPolicy;
import dev.muster.core.policy.IndexPacking;
import dev.muster.core.policy.RoundRobin;
import dev.muster.core.sos.SosPolicy;
import dev.muster.core.spork.Spork;
import dev.muster.core.spork.SporkAllocator;
import dev.muster.hal.sim.FleetSizing;
import dev.muster.hal.sim.workload.DemandProfile;
import dev.muster.hal.sim.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Knows the policies by name.
 *
 * <p>To add one, add a line to the constructor. A name may take arguments behind colons.
 */
final class PolicyCatalog {
  /** Bounds the fixed fleets that are searched for the least sufficient one. */
  private static final int MAX_FIXED_FLEET = 4_096;

  private static final Duration SOS_TICK = Duration.ofMillis(1);

  /**
   * Holds what a policy may depend on.
   *
   * @param workload the workload it will run
   * @param types the worker types of the fleet
   * @param intervalNanos the decision interval, or 0 for each policy's own
   */
  record Setting(Workload workload, List<WorkerType> types, long intervalNanos) {
    /** Returns the interval of periodic policies: as asked, else the longest spin-up time. */
    long periodNanos() {
      if (intervalNanos > 0) {
        return intervalNanos;
      }
      return Math.max(1, types.stream().mapToLong(WorkerType::spinUpNanos).max().orElse(1));
    }

    WorkerType type(String name) {
      return types.stream()
          .filter(type -> type.name().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  InvalidInputException.of(
                      "worker type",
                      '"' + name + '"',
                      "must be one of " + types.stream().map(WorkerType::name).toList(),
                      "name a type of the fleet"));
    }
  }

  /** Makes a policy for one run. */
  interface Factory {
    SchedulingPolicy make(Setting setting);
  }

  /** Describes one policy. */
  private record Entry(String usage, String description, Function<List<String>, Factory> parser) {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  PolicyCatalog() {
    add(
        "SporkE",
        "Spork for least energy, as published",
        s -> spork("SporkE", Objective.ENERGY, s));
    add(
        "SporkB",
        "Spork, energy and cost weighed equally",
        s -> spork("SporkB", Objective.BALANCED, s));
    add("SporkC", "Spork for least cost, as published", s -> spork("SporkC", Objective.COST, s));
    add("Spork-adaptive", "re-plans several times per spin-up", s -> Spork.adaptive());
    add(
        "SporkE-RR",
        "SporkE's allocation, round-robin dispatch",
        s -> dispatchedBy(RoundRobin.create(), "SporkE-RR", s));
    add(
        "SporkE-IP",
        "SporkE's allocation, index packing",
        s -> dispatchedBy(IndexPacking.create(), "SporkE-IP", s));
    add("CPU-dynamic", "CPUs only, provisioned on demand", s -> Baselines.cpuDynamic());
    add("FPGA-dynamic", "FPGAs only, least headroom without misses", PolicyCatalog::fpgaDynamic);
    add(
        "MArk-ideal",
        "cost-optimised, perfect knowledge, round robin",
        s -> Baselines.markIdeal(demand(s), s.periodNanos()));
    add(
        "SporkE-ideal",
        "SporkE with perfect predictions",
        s -> ideal("SporkE-ideal", Objective.ENERGY, s));
    add(
        "SporkC-ideal",
        "SporkC with perfect predictions",
        s -> ideal("SporkC-ideal", Objective.COST, s));
    add(
        "INFaaS-like",
        "reactive, utilisation-based",
        s -> Baselines.infaas("fpga", s.periodNanos()));
    add("AutoScale", "CPUs only, index packing", s -> Baselines.autoScale("cpu"));
    add("Serverless", "CPUs only, one instance per request", s -> Baselines.serverless("cpu"));
    add("SOS", "stochastic online, 64 workers a type", s -> SosPolicy.of(SOS_TICK, 64));
    entries.put(
        "fpga-static",
        new Entry(
            "FPGA-static[:N]",
            "N FPGAs all the time; by default the least without misses",
            arguments -> fixed("FPGA-static", "fpga", arguments)));
    entries.put(
        "fixed",
        new Entry(
            "fixed:TYPE[:N]",
            "N workers of a type all the time",
            arguments ->
                fixed(
                    "fixed:" + argument(arguments, 0, "fixed:TYPE[:N]"),
                    arguments.get(0),
                    arguments.subList(1, arguments.size()))));
    entries.put(
        "dynamic",
        new Entry(
            "dynamic:TYPE",
            "workers of a type, provisioned on demand",
            arguments -> {
              String type = argument(arguments, 0, "dynamic:TYPE");
              return setting -> Baselines.dynamic("dynamic:" + type, setting.type(type).name());
            }));
    entries.put(
        "spork",
        new Entry(
            "spork:E:C",
            "Spork with weights for energy and cost",
            arguments -> {
              int energy = number(argument(arguments, 0, "spork:E:C"), "energy weight");
              int cost = number(argument(arguments, 1, "spork:E:C"), "cost weight");
              Objective objective = new Objective(energy, cost);
              return setting -> spork("spork:" + energy + ":" + cost, objective, setting);
            }));
  }

  /** Returns the factory of a policy, without making one yet. */
  Factory find(String text) {
    List<String> parts = new ArrayList<>(List.of(text.strip().split(":", -1)));
    Entry entry = entries.get(parts.remove(0).toLowerCase(Locale.ROOT));
    if (entry == null) {
      throw InvalidInputException.of(
          "policy", '"' + text + '"', "is unknown", "use one of " + String.join(", ", usages()));
    }
    return entry.parser().apply(parts);
  }

  /** Returns how each policy is written. */
  List<String> usages() {
    return entries.values().stream().map(Entry::usage).toList();
  }

  /** Returns one line per policy. */
  List<String> describe() {
    return entries.values().stream()
        .map(entry -> String.format(Locale.ROOT, "%-16s %s", entry.usage(), entry.description()))
        .toList();
  }

  private void add(String name, String description, Factory factory) {
    entries.put(
        name.toLowerCase(Locale.ROOT),
        new Entry(
            name,
            description,
            arguments -> {
              if (!arguments.isEmpty()) {
                throw InvalidInputException.of(
                    "policy",
                    name + ":" + String.join(":", arguments),
                    "takes no argument",
                    "use " + name);
              }
              return factory;
            }));
  }

  private static SchedulingPolicy spork(String name, Objective objective, Setting setting) {
    return Spork.of(name, allocator(objective, setting));
  }

  private static SporkAllocator allocator(Objective objective, Setting setting) {
    SporkAllocator allocator = SporkAllocator.of(objective);
    return setting.intervalNanos() > 0 ? allocator.every(setting.intervalNanos()) : allocator;
  }

  private static SchedulingPolicy dispatchedBy(
      DispatchPolicy dispatch, String name, Setting setting) {
    return ComposedPolicy.builder(name)
        .allocation(allocator(Objective.ENERGY, setting))
        .dispatch(dispatch)
        .build();
  }

  private static SchedulingPolicy ideal(String name, Objective objective, Setting setting) {
    return Baselines.sporkIdeal(name, objective, demand(setting), setting.periodNanos());
  }

  private static DemandProfile demand(Setting setting) {
    return DemandProfile.of(setting.workload(), setting.periodNanos());
  }

  private static SchedulingPolicy fpgaDynamic(Setting setting) {
    DemandProfile demand = demand(setting);
    long headroom =
        FleetSizing.leastHeadroom(
            setting.workload(), setting.type("fpga"), demand, setting.periodNanos());
    return Baselines.fpgaDynamic(demand, setting.periodNanos(), headroom);
  }

  private static Factory fixed(String name, String type, List<String> arguments) {
    if (arguments.isEmpty()) {
      return setting ->
          Baselines.fixed(
              name,
              type,
              FleetSizing.leastFixedFleet(setting.workload(), setting.type(type), MAX_FIXED_FLEET));
    }
    int workers = number(arguments.get(0), "number of workers");
    return setting -> Baselines.fixed(name, setting.type(type).name(), workers);
  }

  private static String argument(List<String> arguments, int index, String usage) {
    if (arguments.size() <= index || arguments.get(index).isBlank()) {
      throw InvalidInputException.of(
          "policy argument", arguments, "is not complete", "write " + usage);
    }
    return arguments.get(index);
  }

  private static int number(String text, String what) {
    try {
      int value = Integer.parseInt(text);
      if (value >= 0 && value <= 1_000_000) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below, together with numbers out of range
    }
    throw InvalidInputException.of(
        what, '"' + text + '"', "must be a whole number from 0 to 1000000", "correct it");
  }
}
