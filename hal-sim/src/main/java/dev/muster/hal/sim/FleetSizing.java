package dev.muster.hal.sim;

import dev.muster.api.Capability;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.hal.sim.workload.ArrivalSource;
import dev.muster.hal.sim.workload.DemandProfile;
import dev.muster.hal.sim.workload.Workload;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Sizes fixed fleets by simulation. */
public final class FleetSizing {
  /** Says how many fleet sizes one pass over the workload tries. */
  private static final int TRIALS = 15;

  /** Bounds the headroom that is tried. */
  private static final int MAX_HEADROOM = 32;

  private FleetSizing() {}

  /**
   * Returns the least number of workers of one type that miss no deadline of a workload.
   *
   * <p>The paper's FPGA-static is sized this way, with perfect knowledge (Spork, section 5.1). A
   * search over plain first-come-first-served queues, several sizes in one pass, finds where to
   * start: for tasks of one size and slack no dispatcher needs fewer. From there the real
   * dispatcher decides, one worker at a time.
   *
   * @param limit how many workers to try at most
   * @throws InvalidInputException if that many do not suffice
   */
  public static int leastFixedFleet(Workload workload, WorkerType type, int limit) {
    int workers = leastFirstComeFleet(workload, type, limit);
    if (suffices(workload, type, workers)) {
      while (workers > 1 && suffices(workload, type, workers - 1)) {
        workers--;
      }
      return workers;
    }
    do {
      workers++;
      if (workers > limit) {
        throw tooSmall(workload, type, limit);
      }
    } while (!suffices(workload, type, workers));
    return workers;
  }

  /**
   * Returns the least headroom, in multiples of the largest change of work between intervals, with
   * which FPGA-dynamic misses no deadline (Spork, section 5.1).
   *
   * @param demand work by interval
   * @param intervalNanos length of the interval
   * @return the headroom in reference service time per interval
   * @throws InvalidInputException if {@value #MAX_HEADROOM} multiples do not suffice
   */
  public static long leastHeadroom(
      Workload workload, WorkerType type, DemandProfile demand, long intervalNanos) {
    for (int k = 0; k <= MAX_HEADROOM; k++) {
      long headroomNanos = k * demand.largestChangeNanos();
      long missed =
          Simulation.builder(Baselines.fpgaDynamic(demand, intervalNanos, headroomNanos), workload)
              .workerTypes(List.of(type))
              .workloadCapabilities(EnumSet.allOf(Capability.class))
              .stopAtFirstMiss()
              .build()
              .run()
              .tally()
              .missed();
      if (missed == 0) {
        return headroomNanos;
      }
    }
    throw InvalidInputException.of(
        "headroom for workload " + workload.name(),
        MAX_HEADROOM,
        "times the largest change of load still misses deadlines",
        "relax the deadlines");
  }

  private static int leastFirstComeFleet(Workload workload, WorkerType type, int limit) {
    int tooFew = 0;
    int enough = limit + 1;
    int step = 1;
    while (enough - tooFew > 1) {
      List<FirstComeQueue> trials = new ArrayList<>();
      for (int i = 1; i <= TRIALS; i++) {
        int workers =
            enough > limit ? tooFew + i * step : tooFew + i * (enough - tooFew) / (TRIALS + 1);
        if (workers > tooFew && workers < enough && workers <= limit) {
          trials.add(new FirstComeQueue(workers));
        }
      }
      if (trials.isEmpty()) {
        if (enough > limit) {
          throw tooSmall(workload, type, limit);
        }
        trials.add(new FirstComeQueue((tooFew + enough) >>> 1));
      }
      runAll(trials, workload, Variant.of(type.name(), type.name()).resolvedFor(type));
      for (FirstComeQueue trial : trials) {
        if (trial.missed) {
          tooFew = Math.max(tooFew, trial.workers());
        } else {
          enough = Math.min(enough, trial.workers());
        }
      }
      step *= TRIALS;
    }
    return enough;
  }

  private static void runAll(List<FirstComeQueue> trials, Workload workload, Variant variant) {
    ArrivalSource arrivals = workload.open();
    List<FirstComeQueue> alive = new ArrayList<>(trials);
    while (arrivals.advance() && !alive.isEmpty()) {
      long service = variant.serviceNanos(arrivals.sizeNanos());
      for (int i = alive.size() - 1; i >= 0; i--) {
        if (!alive.get(i).serve(arrivals.arrivalNanos(), service, arrivals.deadlineNanos())) {
          alive.remove(i);
        }
      }
    }
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

  private static InvalidInputException tooSmall(Workload workload, WorkerType type, int limit) {
    return InvalidInputException.of(
        "fixed fleet of " + type.name() + " for workload " + workload.name(),
        limit,
        "workers still miss deadlines",
        "relax the deadlines or raise the limit");
  }

  /** Serves tasks in the order they come, each on the worker that is free first. */
  private static final class FirstComeQueue {
    private final long[] finishes;
    private int next;
    boolean missed;

    FirstComeQueue(int workers) {
      finishes = new long[workers];
    }

    int workers() {
      return finishes.length;
    }

    /** Serves a task; exact for tasks of one size, which finish in the order they start. */
    boolean serve(long arrivalNanos, long serviceNanos, long deadlineNanos) {
      long finish = Math.max(finishes[next], arrivalNanos) + serviceNanos;
      finishes[next] = finish;
      next = next + 1 == finishes.length ? 0 : next + 1;
      missed = finish > deadlineNanos;
      return !missed;
    }
  }
}
