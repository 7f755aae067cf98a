package dev.muster.core.qos;

import dev.muster.api.Capability;
import dev.muster.api.InvalidInputException;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Worker;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Schedules over equal regions exactly as published ("Linking High-Level Synthesis with FPGA
 * Runtime Orchestration", section 3.2), or first come, first served.
 *
 * <p>Once all events of an instant are in, one pass: a queued task whose remaining time no longer
 * covers reconfiguration and its fastest fitting variant is demoted for good; the others go by
 * remaining time, the demoted behind them in the order of demotion; while there is a task and an
 * idle region, the head takes the idle region of the lowest index with the fastest variant that
 * fits. Runs are never interrupted. The published filter "fastest among those that meet the
 * deadline" is the fastest that fits whenever any meets it. A task that fits no region is rejected.
 *
 * <p>Reconfiguration is charged at every dispatch, unless {@link #withReuse} spares it where the
 * design is loaded already. {@link RolloutQos} is the form that does better.
 *
 * <p>A pass takes O(n + regions) for n queued tasks and allocates nothing but replaced workers.
 */
public final class PaperQos implements SchedulingPolicy {
  private final String name;
  private final RegionLayout layout;
  private final boolean isFifo;
  private final boolean reuses;
  private final QosObserver observer;

  private @Nullable RegionMap regions;
  private @Nullable JobTable table;
  private @Nullable JobQueue arrivals;
  private @Nullable JobQueue feasible;
  private @Nullable JobQueue demoted;
  private boolean draining;

  private PaperQos(
      String name, RegionLayout layout, boolean isFifo, boolean reuses, QosObserver observer) {
    this.name = name;
    this.layout = layout;
    this.isFifo = isFifo;
    this.reuses = reuses;
    this.observer = observer;
    if (layout.kinds().size() != 1) {
      throw InvalidInputException.of(
          "layout of policy " + name,
          layout.kinds(),
          "must have regions of one size",
          "use RegionLayout.symmetric, or RolloutQos for other layouts");
    }
  }

  /** Creates the paper's scheduler. */
  public static PaperQos of(RegionLayout layout) {
    return new PaperQos("QoS-paper", layout, false, false, QosObserver.NONE);
  }

  /** Creates the paper's baseline: order of arrival, no demotion, the same choice of variant. */
  public static PaperQos fifo(RegionLayout layout) {
    return new PaperQos("QoS-FIFO", layout, true, false, QosObserver.NONE);
  }

  /**
   * Returns this scheduler with reuse: among idle regions it takes the lowest that has the design
   * loaded, else the one unused for longest, and does not pay for loading a design again.
   */
  public PaperQos withReuse() {
    return new PaperQos(name + "-reuse", layout, isFifo, true, observer);
  }

  /** Returns this scheduler, watched. */
  public PaperQos observedBy(QosObserver value) {
    return new PaperQos(name, layout, isFifo, reuses, value);
  }

  /** Returns the region a worker is, or null if it is none of the layout's. */
  public RegionLayout.@Nullable Block regionOf(Worker worker) {
    RegionMap map = started(regions);
    int block = map.blockOf(worker);
    return block < 0 ? null : layout.blocks().get(block);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Capability> requirements() {
    return Set.of(Capability.DEADLINES, Capability.VARIANTS, Capability.REGIONS);
  }

  @Override
  public void onStart(SchedulingContext context) {
    RegionMap map = new RegionMap(layout, context.pools());
    regions = map;
    map.keep(true, context);
    JobTable jobs = new JobTable(map);
    table = jobs;
    arrivals = new JobQueue(jobs, JobQueue.Key.NONE);
    feasible = new JobQueue(jobs, isFifo ? JobQueue.Key.NONE : JobQueue.Key.DEADLINE);
    demoted = new JobQueue(jobs, JobQueue.Key.NONE);
  }

  @Override
  public void onSubmit(Task task, SchedulingContext context) {
    JobTable jobs = started(table);
    int job = jobs.add(task, started(regions), context);
    if (jobs.fitsNowhere(job)) {
      jobs.remove(job);
      context.reject(task, RejectReason.NO_CAPABLE_WORKER);
      return;
    }
    started(arrivals).append(job);
    context.wakeAtInstantEnd();
  }

  @Override
  public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
    if (worker == null) {
      forget(task);
    } else {
      vacate(worker);
    }
    context.wakeAtInstantEnd();
  }

  @Override
  public void onWorkerGone(Worker worker, SchedulingContext context) {
    started(regions).forget(worker);
    // A pass at any other time than the published ones would demote in another order.
    if (worker.state() == Worker.State.LOST) {
      context.wakeAtInstantEnd();
    }
  }

  @Override
  public void onDrain(SchedulingContext context) {
    draining = true;
    letGoWhenDone(context);
  }

  @Override
  public void onInstantEnd(SchedulingContext context) {
    RegionMap map = started(regions);
    vacateIdle(map);
    order(context.nowNanos());
    while (true) {
      JobQueue queue = started(feasible).size() > 0 ? started(feasible) : started(demoted);
      if (queue.size() == 0 || !dispatch(queue.get(0), map, context)) {
        break;
      }
      queue.removeAt(0);
    }
    letGoWhenDone(context);
  }

  private void letGoWhenDone(SchedulingContext context) {
    int waiting = started(arrivals).size() + started(feasible).size() + started(demoted).size();
    if (draining && waiting == 0) {
      started(regions).keep(false, context);
    }
  }

  /** Demotes what became infeasible, in walk order, and sorts in what arrived. */
  private void order(long nowNanos) {
    JobTable jobs = started(table);
    JobQueue queue = started(feasible);
    JobQueue late = started(demoted);
    JobQueue fresh = started(arrivals);
    if (isFifo) {
      for (int i = 0; i < fresh.size(); i++) {
        queue.append(fresh.get(i));
      }
    } else {
      int kept = 0;
      for (int i = 0; i < queue.size(); i++) {
        int job = queue.get(i);
        if (jobs.isFeasible(job, nowNanos)) {
          queue.set(kept++, job);
        } else {
          demote(job, late, nowNanos);
        }
      }
      queue.truncate(kept);
      for (int i = 0; i < fresh.size(); i++) {
        int job = fresh.get(i);
        if (jobs.isFeasible(job, nowNanos)) {
          queue.insert(job);
        } else {
          demote(job, late, nowNanos);
        }
      }
    }
    fresh.clear();
  }

  private void demote(int job, JobQueue late, long nowNanos) {
    late.append(job);
    observer.onDemoted(started(table).task(job), nowNanos);
  }

  private boolean dispatch(int job, RegionMap map, SchedulingContext context) {
    JobTable jobs = started(table);
    int block = idleBlock(job, map);
    if (block < 0) {
      return false;
    }
    boolean paysAgain = !reuses && map.loadNanos(block) > 0;
    Worker worker = map.claim(block, jobs.variant(job, 0), paysAgain, context);
    if (worker == null) {
      return false;
    }
    Task task = jobs.task(job);
    context.assign(task, worker, jobs.variant(job, 0));
    jobs.remove(job);
    return true;
  }

  private int idleBlock(int job, RegionMap map) {
    int best = -1;
    long bestUsedNanos = 0;
    for (int block = 0; block < map.masks.length; block++) {
      if (!map.isFree(block)) {
        continue;
      }
      if (!reuses || map.configured[block] == started(table).variant(job, 0)) {
        return block;
      }
      long usedNanos = map.slotUsedNanos[block];
      if (best < 0 || usedNanos < bestUsedNanos) {
        best = block;
        bestUsedNanos = usedNanos;
      }
    }
    return best;
  }

  private void vacate(Worker worker) {
    RegionMap map = started(regions);
    int block = map.blockOf(worker);
    if (block >= 0 && worker.load() == 0) {
      map.vacate(block);
    }
  }

  /** Frees regions whose run ended without telling: failed and given back. */
  private static void vacateIdle(RegionMap map) {
    for (int block = 0; block < map.workers.length; block++) {
      Worker worker = map.workers[block];
      if (worker != null && worker.load() == 0) {
        map.vacate(block);
      }
    }
  }

  /** Removes a held task that was cancelled. */
  private void forget(Task task) {
    JobTable jobs = started(table);
    for (JobQueue queue : new JobQueue[] {started(arrivals), started(feasible), started(demoted)}) {
      for (int i = 0; i < queue.size(); i++) {
        int job = queue.get(i);
        if (jobs.taskIds[job] == task.id()) {
          queue.removeAt(i);
          jobs.remove(job);
          return;
        }
      }
    }
  }

  private <T> T started(@Nullable T part) {
    return Objects.requireNonNull(part, () -> "policy " + name + " was not started");
  }
}
