package dev.muster.examples.qos;

import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.PaperQos;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.core.qos.RolloutQos;
import dev.muster.examples.hls.LibraryJson;
import dev.muster.hal.sim.workload.DeadlineJobs;
import dev.muster.hal.sim.workload.QosScenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Compares the policy that does better with the paper's M4 on the same random workloads. */
public final class QosComparison {
  /** Names the first seed of the comparison; seeds below 100,000 were used in tuning. */
  public static final long FIRST_SEED = 100_000;

  private final VariantLibrary library;
  private final SortedMap<String, Long> nominalMillis;
  private final Duration reconfiguration;

  private QosComparison(
      VariantLibrary library, SortedMap<String, Long> nominalMillis, Duration reconfiguration) {
    this.library = library;
    this.nominalMillis = nominalMillis;
    this.reconfiguration = reconfiguration;
  }

  /**
   * Creates a comparison over the designs that come with the examples. The nominal times are the
   * first quartiles over all 42 designs that were generated for each application; the library keeps
   * only those on the Pareto frontier.
   */
  public static QosComparison bundled(Duration reconfiguration) {
    SortedMap<String, Long> nominal = new TreeMap<>();
    nominal.put("kmeans-tiling", 99_236L);
    nominal.put("kmeans-unroll", 88_541L);
    nominal.put("knn-tiling", 49_875L);
    nominal.put("knn-unroll", 36_508L);
    return new QosComparison(LibraryJson.bundled(), nominal, reconfiguration);
  }

  /** Returns the designs. */
  VariantLibrary library() {
    return library;
  }

  /** Returns the nominal time each application is allowed. */
  SortedMap<String, Long> nominalMillis() {
    return nominalMillis;
  }

  /**
   * Holds one scenario's result.
   *
   * @param scenario which workloads
   * @param base the paper's M4, one run a seed
   * @param better the other policy on the same workloads
   */
  public record Result(QosScenario scenario, List<QosRun> base, List<QosRun> better) {
    /** Creates a result. */
    public Result {
      base = List.copyOf(base);
      better = List.copyOf(better);
    }

    /** Returns mean violations of the base. */
    public double baseViolations() {
      return base.stream().mapToInt(QosRun::violations).average().orElse(0);
    }

    /** Returns mean violations of the better policy. */
    public double betterViolations() {
      return better.stream().mapToInt(QosRun::violations).average().orElse(0);
    }

    /** Returns the change of violations in percent of the base's mean. */
    public double changePercent() {
      return 100 * (betterViolations() - baseViolations()) / Math.max(1e-9, baseViolations());
    }

    /** Returns half the 95 % interval of the change, paired by workload, in percent. */
    public double intervalPercent() {
      int n = base.size();
      double mean = betterViolations() - baseViolations();
      double squares = 0;
      for (int i = 0; i < n; i++) {
        double d = better.get(i).violations() - base.get(i).violations() - mean;
        squares += d * d;
      }
      double error = Math.sqrt(squares / Math.max(1, n - 1) / n);
      return 100 * 1.984 * error / Math.max(1e-9, baseViolations());
    }

    /** Returns the base's mean wait in seconds. */
    public double baseWaitSeconds() {
      return base.stream().mapToDouble(QosRun::averageWait).average().orElse(0) / 1e3;
    }

    /** Returns the better policy's mean wait in seconds. */
    public double betterWaitSeconds() {
      return better.stream().mapToDouble(QosRun::averageWait).average().orElse(0) / 1e3;
    }
  }

  /** Compares the default policy on eight mergeable slots with M4. */
  public Result compare(QosScenario scenario, long firstSeed, int seeds, boolean baseReuses) {
    return compare(scenario, firstSeed, seeds, baseReuses, RolloutQos::of);
  }

  /** Compares a policy on eight mergeable slots with M4. */
  public Result compare(
      QosScenario scenario,
      long firstSeed,
      int seeds,
      boolean baseReuses,
      Function<RegionLayout, RolloutQos> policy) {
    RegionLayout quarters = RegionLayout.symmetric(library.device(), 4);
    RegionLayout slots = RegionLayout.mergeable(library.device(), 8);
    RegionFleet quartersFleet = RegionFleet.of(quarters, library, reconfiguration);
    RegionFleet slotsFleet = RegionFleet.of(slots, library, reconfiguration);
    List<QosRun> base = new ArrayList<>();
    List<QosRun> better = new ArrayList<>();
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      DeadlineJobs workload = scenario.generate(nominalMillis, seed);
      PaperQos paper = PaperQos.of(quarters);
      base.add(QosRun.of(baseReuses ? paper.withReuse() : paper, quartersFleet, workload));
      better.add(QosRun.of(policy.apply(slots), slotsFleet, workload));
    }
    return new Result(scenario, base, better);
  }
}
