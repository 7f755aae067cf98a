package dev.muster.core.sos;

import dev.muster.api.Capability;
import dev.muster.api.InvalidInputException;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Schedules by a {@link SosEngine}: a task is assigned to a machine's virtual schedule when it is
 * submitted, and joins the worker's FIFO when the virtual schedule releases it.
 *
 * <p>A machine is a worker: so many of each type are provisioned at the start and kept until the
 * run drains; a lost one is replaced where the pool has room, and what waited for it is decided
 * again. A task's expected time on a machine is its service time there, in whole ticks, clamped to
 * 1 to 65,535. Releases of a tick happen at its end.
 *
 * <p>O(M log n) per task for M machines with n tasks each; a lost worker costs O(M n).
 */
public final class SosPolicy implements SchedulingPolicy, SosListener {
  private static final int MAX_WEIGHT = 255;

  private final String name;
  private final long tickNanos;
  private final int perType;

  /** Tasks that are not released, by id. */
  private final TreeMap<Long, Held> held = new TreeMap<>();

  /** Released tasks to assign once the engine is done, with their workers. */
  private final List<Held> released = new ArrayList<>();

  private @Nullable SosEngine engine;
  private @Nullable Worker[] workers = new Worker[0];
  private WorkerPool[] pools = new WorkerPool[0];
  private long[] epts = new long[0];
  private boolean draining;
  private boolean letGo;

  /** Holds a task and where it is planned. */
  private static final class Held {
    final Task task;
    int machine = SosEngine.WAITING;

    Held(Task task) {
      this.task = task;
    }
  }

  private SosPolicy(String name, long tickNanos, int perType) {
    this.name = name;
    this.tickNanos = tickNanos;
    this.perType = perType;
  }

  /**
   * Creates the policy.
   *
   * @param tick length of a unit of virtual work, at least 1 ns; a good one is far shorter than a
   *     task and longer than 1/65,535 of the longest
   * @param workersPerType how many workers of each type to use, where the type has as many
   */
  public static SosPolicy of(Duration tick, int workersPerType) {
    if (tick.compareTo(Duration.ofNanos(1)) < 0 || tick.compareTo(Duration.ofDays(1)) > 0) {
      throw InvalidInputException.of(
          "SOS tick", tick, "must be between 1 ns and 1 day", "give the length of a unit of work");
    }
    if (workersPerType < 1 || workersPerType > 4_096) {
      throw InvalidInputException.of(
          "SOS workers per type",
          workersPerType,
          "must be between 1 and 4096",
          "give the number of machines");
    }
    return new SosPolicy("SOS", tick.toNanos(), workersPerType);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Capability> requirements() {
    return Set.of(Capability.SIZES);
  }

  @Override
  public void onStart(SchedulingContext context) {
    List<Worker> fleet = new ArrayList<>();
    keep(perType, context);
    for (WorkerPool pool : context.pools()) {
      for (int i = 0; i < perType; i++) {
        Worker worker = context.provision(pool);
        if (worker == null) {
          break;
        }
        fleet.add(worker);
      }
    }
    workers = fleet.toArray(new Worker[0]);
    pools = fleet.stream().map(Worker::pool).toArray(WorkerPool[]::new);
    epts = new long[workers.length];
    engine = SosEngine.create(SosParameters.builder(Math.max(1, workers.length)).build(), this);
  }

  @Override
  public void onSubmit(Task task, SchedulingContext context) {
    SosEngine sos = advanced(context);
    submit(sos, task, context);
    settle(sos, context);
  }

  private void submit(SosEngine sos, Task task, SchedulingContext context) {
    boolean any = false;
    if (letGo) {
      // A task came back: its machine must not be reclaimed before the virtual release.
      letGo = false;
      keep(perType, context);
    }
    for (int i = 0; i < workers.length; i++) {
      if (workers[i] == null) {
        replace(i, sos, context);
      }
      Variant variant = workers[i] == null ? null : context.variant(task, pools[i]);
      epts[i] = variant == null ? SosEngine.CANNOT_RUN : ticks(sos, task, variant);
      any |= variant != null;
    }
    if (!any) {
      context.reject(task, RejectReason.NO_CAPACITY);
      return;
    }
    held.put(task.id(), new Held(task));
    sos.submit(task.id(), Math.min(task.weight(), MAX_WEIGHT), epts);
  }

  private long ticks(SosEngine sos, Task task, Variant variant) {
    long ticks = variant.serviceNanos(task.sizeNanos()) / tickNanos;
    return Math.max(1, Math.min(ticks, sos.parameters().maxEptTicks()));
  }

  private void replace(int machine, SosEngine sos, SchedulingContext context) {
    Worker worker = context.provision(pools[machine]);
    if (worker != null) {
      workers[machine] = worker;
      sos.open(machine);
    }
  }

  @Override
  public void onAssigned(long job, int machine, long tick, long cost) {
    Held task = held.get(job);
    if (task != null) {
      task.machine = machine;
    }
  }

  @Override
  public void onReleased(long job, int machine, long tick) {
    Held task = held.remove(job);
    if (task != null) {
      released.add(task);
    }
  }

  @Override
  public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
    SosEngine sos = advanced(context);
    if (worker == null && held.remove(task.id()) != null) {
      sos.cancel(task.id());
    }
    settle(sos, context);
  }

  @Override
  public void onWorkerGone(Worker worker, SchedulingContext context) {
    SosEngine sos = advanced(context);
    for (int i = 0; i < workers.length; i++) {
      Worker member = workers[i];
      if (member != null && member.id() == worker.id()) {
        workers[i] = null;
        sos.close(i);
        replan(sos, i, context);
      }
    }
    settle(sos, context);
  }

  /** Decides again about what was planned for a machine that is gone, or for none. */
  private void replan(SosEngine sos, int machine, SchedulingContext context) {
    List<Task> again = new ArrayList<>();
    for (Held task : held.values()) {
      if ((task.machine == machine || task.machine == SosEngine.WAITING)
          && sos.cancel(task.task.id())) {
        again.add(task.task);
      }
    }
    for (Task task : again) {
      held.remove(task.id());
      submit(sos, task, context);
    }
  }

  @Override
  public void onTick(SchedulingContext context) {
    settle(advanced(context), context);
  }

  @Override
  public void onDrain(SchedulingContext context) {
    draining = true;
    settle(advanced(context), context);
  }

  private SosEngine advanced(SchedulingContext context) {
    SosEngine sos = engine;
    if (sos == null) {
      throw new IllegalStateException("policy " + name + " was not started");
    }
    sos.advanceTo(Math.max(sos.nowTick(), context.nowNanos() / tickNanos));
    return sos;
  }

  /** Assigns what was released, and asks to be woken when the next release is due. */
  private void settle(SosEngine sos, SchedulingContext context) {
    for (Held task : released) {
      Worker worker = workers[task.machine];
      if (worker == null) {
        throw new IllegalStateException("released " + task.task + " on a closed machine");
      }
      context.assign(task.task, worker);
    }
    released.clear();
    long next = sos.nextEventTick();
    context.wakeAt(next >= Long.MAX_VALUE / tickNanos ? Long.MAX_VALUE : (next + 1) * tickNanos);
    if (draining && !letGo && held.isEmpty()) {
      letGo = true;
      keep(0, context);
    }
  }

  private static void keep(int workers, SchedulingContext context) {
    for (WorkerPool pool : context.pools()) {
      context.keep(pool, workers);
    }
  }
}
