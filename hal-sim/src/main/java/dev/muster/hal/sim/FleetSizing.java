package dev.muster.hal.sim;

import dev.muster.api.InvalidInputException;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.hal.sim.workload.Workload;
import java.util.List;

/** Sizes fixed fleets by simulation. */
public final class FleetSizing {
  private FleetSizing() {}

  /**
   * Returns the least number of workers of one type that miss no deadline of a workload.
   *
   * <p>Doubles until a fleet suffices, then bisects; each trial stops at its first miss. The
   * paper's FPGA-static is sized this way, with perfect knowledge (Spork, section 5.1).
   *
   * @param limit how many workers to try at most
   * @throws InvalidInputException if that many do not suffice
   */
  public static int leastFixedFleet(Workload workload, WorkerType type, int limit) {
    int enough = 1;
    int tooFew = 0;
    while (!suffices(workload, type, enough)) {
      tooFew = enough;
      if (enough >= limit) {
        throw InvalidInputException.of(
            "fixed fleet of " + type.name() + " for workload " + workload.name(),
            enough,
            "workers miss deadlines, and the limit is " + limit,
            "relax the deadlines or raise the limit");
      }
      enough = Math.min(limit, enough * 2);
    }
    while (enough - tooFew > 1) {
      int middle = (enough + tooFew) >>> 1;
      if (suffices(workload, type, middle)) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return enough;
  }

  private static boolean suffices(Workload workload, WorkerType type, int workers) {
    return Simulation.builder(Baselines.fixed("sizing", type.name(), workers), workload)
            .workerTypes(List.of(type))
            .stopAtFirstMiss()
            .build()
            .run()
            .tally()
            .missed()
        == 0;
  }
}
