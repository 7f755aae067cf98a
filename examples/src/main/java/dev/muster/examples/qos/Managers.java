package dev.muster.examples.qos;

import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Pareto;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.PaperQos;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.hal.sim.workload.DeadlineJobs;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs the five configurations of the paper's evaluation (section 4.1) on one workload. */
final class Managers {
  /** Names the configurations, in the order of {@link #run}. */
  static final List<String> NAMES =
      List.of("FIFO M1", "paper M1", "paper M2", "paper M3", "paper M4");

  private Managers() {}

  /** Returns the designs a manager without a frontier would use: one naive choice each. */
  static VariantLibrary naive(VariantLibrary library) {
    SortedMap<String, List<LibraryVariant>> apps = new TreeMap<>();
    library
        .apps()
        .forEach(
            (app, variants) ->
                apps.put(
                    app, List.of(Pareto.naiveChoice(Pareto.frontier(variants), library.device()))));
    return new VariantLibrary(library.device(), apps);
  }

  /** Runs FIFO with M1, then the paper's scheduler with M1 to M4. */
  static List<QosRun> run(DeadlineJobs jobs, VariantLibrary library, VariantLibrary fixed) {
    return List.of(
        run(jobs, fixed, 1, true),
        run(jobs, fixed, 1, false),
        run(jobs, library, 1, false),
        run(jobs, library, 2, false),
        run(jobs, library, 4, false));
  }

  private static QosRun run(DeadlineJobs jobs, VariantLibrary library, int regions, boolean fifo) {
    RegionLayout layout = RegionLayout.symmetric(library.device(), regions);
    return QosRun.of(
        fifo ? PaperQos.fifo(layout) : PaperQos.of(layout),
        RegionFleet.of(layout, library, Duration.ZERO),
        jobs);
  }
}
