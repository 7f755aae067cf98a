package dev.muster.examples.cli;

import dev.muster.api.Capability;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Tally;
import dev.muster.core.engine.Usage;
import dev.muster.hal.sim.LatencyProbe;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.ArrivalSource;
import dev.muster.hal.sim.workload.Workload;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs every policy on every workload and adds up, policy by policy.
 *
 * <p>Each workload has a fleet of its own. Sums are exact integers and are taken in a fixed order,
 * so that the figures do not depend on the number of threads.
 */
final class Study {
  /** Says what the capabilities of simulated workloads are: all, the future included. */
  private static final EnumSet<Capability> SIMULATED = EnumSet.allOf(Capability.class);

  /**
   * Holds the sums of one policy over all workloads. Energy and cost are modelled.
   *
   * @param policy name of the policy
   * @param energyPicojoules energy
   * @param costUnits cost, in microdollar-nanoseconds per hour
   * @param tally tasks by outcome
   * @param byType sums by worker type, in the order of the fleet
   * @param latency decision times, measured
   */
  record Row(
      String policy,
      BigInteger energyPicojoules,
      BigInteger costUnits,
      Tally tally,
      List<TypeSum> byType,
      LatencyProbe latency) {}

  /**
   * Holds what workers of one type did.
   *
   * @param type the name of the type
   * @param completed tasks completed
   * @param provisioned workers provisioned
   */
  record TypeSum(String type, long completed, long provisioned) {}

  /**
   * Holds the result of a study.
   *
   * @param tasks tasks in all workloads
   * @param idealPicojoules energy of an ideal fleet of the reference type: busy power, no idling
   * @param idealCostUnits its cost
   * @param rows one row per policy
   */
  record Result(long tasks, BigInteger idealPicojoules, BigInteger idealCostUnits, List<Row> rows) {
    double energyEfficiency(Row row) {
      return idealPicojoules.doubleValue() / row.energyPicojoules().doubleValue();
    }

    double relativeCost(Row row) {
      return row.costUnits().doubleValue() / idealCostUnits.doubleValue();
    }
  }

  private final List<Workload> workloads;
  private final List<WorkerType> types;
  private final long intervalNanos;
  private final int threads;
  private final Progress progress;

  Study(
      List<Workload> workloads,
      List<WorkerType> types,
      long intervalNanos,
      int threads,
      Progress progress) {
    this.workloads = workloads;
    this.types = types;
    this.intervalNanos = intervalNanos;
    this.threads = threads;
    this.progress = progress;
  }

  Result run(List<PolicyCatalog.Factory> policies) {
    progress.start(policies.size() * workloads.size());
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> work = new ArrayList<>();
      for (Workload workload : workloads) {
        work.add(pool.submit(() -> totalWorkNanos(workload)));
      }
      List<List<Future<Run>>> runs = new ArrayList<>();
      for (PolicyCatalog.Factory policy : policies) {
        List<Future<Run>> row = new ArrayList<>();
        for (Workload workload : workloads) {
          row.add(pool.submit(() -> runOne(policy, workload)));
        }
        runs.add(row);
      }
      List<Row> rows = new ArrayList<>();
      for (List<Future<Run>> row : runs) {
        rows.add(sum(await(row)));
      }
      BigInteger total = BigInteger.ZERO;
      for (long part : await(work)) {
        total = total.add(BigInteger.valueOf(part));
      }
      return result(total, rows);
    } finally {
      progress.stop();
    }
  }

  private static long totalWorkNanos(Workload workload) {
    long total = 0;
    for (ArrivalSource tasks = workload.open(); tasks.advance(); ) {
      total += tasks.sizeNanos();
    }
    return total;
  }

  private record Run(SimulationResult result, LatencyProbe latency) {}

  private Run runOne(PolicyCatalog.Factory factory, Workload workload) {
    SchedulingPolicy policy =
        factory.make(new PolicyCatalog.Setting(workload, types, intervalNanos));
    LatencyProbe latency = LatencyProbe.create();
    SimulationResult result =
        Simulation.builder(policy, workload)
            .workerTypes(types)
            .workloadCapabilities(SIMULATED)
            .latencyProbe(latency)
            .build()
            .run();
    progress.step();
    return new Run(result, latency);
  }

  private static <T> List<T> await(List<Future<T>> futures) {
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while simulating", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException("a simulation failed", e.getCause());
      }
    }
    return results;
  }

  private static Row sum(List<Run> runs) {
    BigInteger energy = BigInteger.ZERO;
    BigInteger cost = BigInteger.ZERO;
    LatencyProbe latency = LatencyProbe.create();
    Tally tally = new Tally(0, 0, 0, 0, 0, 0, 0);
    List<TypeSum> byType = new ArrayList<>();
    for (Run run : runs) {
      Usage usage = run.result().usage();
      energy = energy.add(usage.energyPicojoules());
      cost = cost.add(usage.costUnits());
      tally = tally.plus(run.result().tally());
      latency.addAll(run.latency());
      for (int i = 0; i < usage.pools().size(); i++) {
        Usage.Pool pool = usage.pools().get(i);
        TypeSum part = new TypeSum(pool.type().name(), pool.completed(), pool.provisioned());
        if (i == byType.size()) {
          byType.add(part);
        } else {
          TypeSum old = byType.get(i);
          byType.set(
              i,
              new TypeSum(
                  old.type(),
                  old.completed() + part.completed(),
                  old.provisioned() + part.provisioned()));
        }
      }
    }
    return new Row(runs.get(0).result().policy(), energy, cost, tally, byType, latency);
  }

  private Result result(BigInteger totalWorkNanos, List<Row> rows) {
    WorkerType reference = types.get(0);
    for (WorkerType type : types) {
      if (energyPerWork(type) < energyPerWork(reference)) {
        reference = type;
      }
    }
    BigInteger serviceNanos =
        totalWorkNanos
            .multiply(BigInteger.valueOf(reference.speedupDenominator()))
            .divide(BigInteger.valueOf(reference.speedupNumerator()));
    return new Result(
        rows.get(0).tally().submitted(),
        serviceNanos.multiply(BigInteger.valueOf(reference.busyPowerMilliwatts())),
        serviceNanos.multiply(BigInteger.valueOf(reference.priceMicrodollarsPerHour())),
        rows);
  }

  private static double energyPerWork(WorkerType type) {
    return (double) type.busyPowerMilliwatts()
        * type.speedupDenominator()
        / type.speedupNumerator();
  }
}
