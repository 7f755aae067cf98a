package dev.muster.testkit;

import dev.muster.api.EnergyReading;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.engine.Tally;
import dev.muster.core.engine.Usage;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks, event by event, that an engine and the policy in it keep their laws.
 *
 * <p>Checked are: every submitted task gets exactly one outcome; a worker runs one task at a time,
 * in the order given, only between ready and gone, and only variants for its type that fit its
 * capacity; no type exceeds its number of workers; time never goes back. {@link #finish} compares
 * energy and cost with sums over the observed workers and runs, unit by unit.
 *
 * <p>A violation throws {@link AssertionError} with the last events.
 */
public final class InvariantChecker implements EngineObserver {
  private static final int STORY_LENGTH = 20;

  /** Follows one worker. */
  private static final class WorkerRecord {
    final WorkerType type;
    final long createdNanos;
    final ArrayDeque<Long> fifo = new ArrayDeque<>();
    long readyNanos = -1;
    long goneNanos = -1;
    boolean lost;
    @Nullable Long running;
    long runStartNanos;
    long runMilliwatts;
    long loadStartNanos = -1;
    long loadNanos;
    BigInteger runEnergy = BigInteger.ZERO;
    long runNanos;

    WorkerRecord(Worker worker) {
      type = worker.type();
      createdNanos = worker.createdNanos();
    }

    void endLoad(long now) {
      if (loadStartNanos >= 0) {
        loadNanos += now - loadStartNanos;
        loadStartNanos = -1;
      }
    }

    void endRun(long now) {
      if (running != null) {
        long nanos = now - runStartNanos;
        runNanos += nanos;
        runEnergy =
            runEnergy.add(BigInteger.valueOf(nanos).multiply(BigInteger.valueOf(runMilliwatts)));
        running = null;
      }
    }
  }

  private final Map<Long, WorkerRecord> workers = new HashMap<>();
  private final Map<WorkerType, Integer> allocated = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  private final Map<Long, Long> assignedTo = new HashMap<>();
  private final ArrayDeque<String> story = new ArrayDeque<>();
  private final List<String> log = new ArrayList<>();
  private final boolean keepsLog;
  private long nowNanos;
  private long submitted;
  private long ended;

  private InvariantChecker(boolean keepsLog) {
    this.keepsLog = keepsLog;
  }

  /** Creates a checker. */
  public static InvariantChecker create() {
    return new InvariantChecker(false);
  }

  /** Creates a checker that also keeps all events, to compare runs by {@link #log}. */
  public static InvariantChecker logging() {
    return new InvariantChecker(true);
  }

  /** Returns all events so far; empty unless made by {@link #logging}. */
  public List<String> log() {
    return List.copyOf(log);
  }

  @Override
  public void onSubmitted(Task task, long now) {
    event(now, "submitted " + task.id());
    require(open.add(task.id()), "task " + task.id() + " was submitted twice");
    submitted++;
  }

  @Override
  public void onAssigned(Task task, Worker worker, Variant variant, long now) {
    event(now, "assigned " + task.id() + " to " + worker.id() + " as " + variant);
    WorkerRecord record = live(worker);
    require(open.contains(task.id()), "POL-3: task " + task.id() + " has ended");
    require(assignedTo.put(task.id(), worker.id()) == null, "POL-3: task assigned twice");
    require(variant.workerType().equals(record.type.name()), "POL-1: variant of another type");
    require(
        variant.footprint().fitsIn(record.type.capacity()), "POL-5: variant exceeds the capacity");
    record.fifo.add(task.id());
  }

  @Override
  public void onLoading(Worker worker, Variant variant, long now) {
    event(now, "loading " + variant + " on " + worker.id());
    WorkerRecord record = live(worker);
    require(record.readyNanos >= 0, "load before the worker is ready");
    require(record.running == null, "DEV-3: load under a run");
    record.loadStartNanos = now;
  }

  @Override
  public void onStarted(Task task, Worker worker, Variant variant, long now) {
    event(now, "started " + task.id() + " on " + worker.id());
    WorkerRecord record = live(worker);
    record.endLoad(now);
    require(record.readyNanos >= 0, "run before the worker is ready");
    require(record.running == null, "POL-4: two running tasks on worker " + worker.id());
    require(
        record.fifo.peekFirst() != null && record.fifo.peekFirst() == task.id(),
        "the FIFO of worker " + worker.id() + " is out of order");
    record.running = task.id();
    record.runStartNanos = now;
    record.runMilliwatts = variant.powerMilliwatts().orElse(record.type.busyPowerMilliwatts());
  }

  @Override
  public void onReclaimed(Task task, Worker worker, long now) {
    event(now, "reclaimed " + task.id() + " from " + worker.id());
    require(open.contains(task.id()), "POL-3: reclaimed a task that has ended");
    detach(task, now);
  }

  @Override
  public void onCompleted(
      Task task,
      Worker worker,
      Variant variant,
      long startNanos,
      long finishNanos,
      @Nullable Object result,
      @Nullable EnergyReading energy) {
    event(finishNanos, "completed " + task.id() + " on " + worker.id());
    require(open.contains(task.id()), "POL-3: task " + task.id() + " ended twice");
    require(startNanos >= task.arrivalNanos(), "the run started before the task arrived");
    Long on = assignedTo.get(task.id());
    require(on != null && on == worker.id(), "completed on a worker it was not assigned to");
    end(task, finishNanos);
  }

  @Override
  public void onRejected(Task task, RejectReason reason, long now) {
    event(now, "rejected " + task.id() + " " + reason);
    end(task, now);
  }

  @Override
  public void onFailed(Task task, Throwable cause, long now) {
    event(now, "failed " + task.id());
    end(task, now);
  }

  @Override
  public void onCancelled(Task task, long now) {
    event(now, "cancelled " + task.id());
    end(task, now);
  }

  @Override
  public void onProvisioned(Worker worker, long now) {
    event(now, "provisioned " + worker.id() + " " + worker.type().name());
    require(workers.put(worker.id(), new WorkerRecord(worker)) == null, "worker id reused");
    int count = allocated.merge(worker.type(), 1, Integer::sum);
    require(count <= worker.type().maxWorkers(), "POL-5: more workers than " + worker.type());
  }

  @Override
  public void onReady(Worker worker, long now) {
    event(now, "ready " + worker.id());
    WorkerRecord record = live(worker);
    require(record.readyNanos < 0, "worker " + worker.id() + " became ready twice");
    record.readyNanos = now;
  }

  @Override
  public void onGone(Worker worker, long busyNanos, long now) {
    event(now, "gone " + worker.id() + " " + worker.state());
    WorkerRecord record = live(worker);
    record.lost = worker.state() == Worker.State.LOST;
    require(record.lost || record.fifo.isEmpty(), "released with tasks");
    record.endLoad(now);
    record.endRun(now);
    require(record.runNanos == busyNanos, "busy time " + busyNanos + " is not " + record.runNanos);
    record.goneNanos = now;
    allocated.merge(worker.type(), -1, Integer::sum);
  }

  /**
   * Compares the engine's accounts with what was observed, after the run.
   *
   * @param usage the engine's usage; every worker must be gone
   * @param tally the engine's tally
   */
  public void finish(Usage usage, Tally tally) {
    require(open.isEmpty(), "POL-3: tasks without an outcome: " + open);
    require(tally.submitted() == submitted && tally.open() == 0, "the tally lost tasks: " + tally);
    require(
        tally.completed() + tally.rejected() + tally.failed() + tally.cancelled() == ended,
        "outcomes are " + ended + ", the tally says " + tally);
    BigInteger energy = BigInteger.ZERO;
    BigInteger cost = BigInteger.ZERO;
    for (Map.Entry<Long, WorkerRecord> entry : workers.entrySet()) {
      WorkerRecord record = entry.getValue();
      require(record.goneNanos >= 0, "worker " + entry.getKey() + " leaked");
      energy = energy.add(energyOf(record));
      cost = cost.add(costOf(record));
    }
    require(energy.equals(usage.energyPicojoules()), "law 6: energy is not the sum of its parts");
    require(cost.equals(usage.costUnits()), "law 6: cost is not the sum of its parts");
  }

  private static BigInteger energyOf(WorkerRecord r) {
    WorkerType type = r.type;
    long alive = r.readyNanos < 0 ? 0 : r.goneNanos - r.readyNanos;
    long atBusyPower = transition(r) + r.loadNanos;
    return BigInteger.valueOf(atBusyPower)
        .multiply(BigInteger.valueOf(type.busyPowerMilliwatts()))
        .add(r.runEnergy)
        .add(
            BigInteger.valueOf(alive - r.loadNanos - r.runNanos)
                .multiply(BigInteger.valueOf(type.idlePowerMilliwatts())));
  }

  private static BigInteger costOf(WorkerRecord r) {
    long alive = r.readyNanos < 0 ? 0 : r.goneNanos - r.readyNanos;
    return BigInteger.valueOf(transition(r) + alive)
        .multiply(BigInteger.valueOf(r.type.priceMicrodollarsPerHour()));
  }

  /** Returns the time spent spinning up and down. */
  private static long transition(WorkerRecord r) {
    long up = (r.readyNanos < 0 ? r.goneNanos : r.readyNanos) - r.createdNanos;
    return up + (r.lost ? 0 : r.type.spinDownNanos());
  }

  private void end(Task task, long now) {
    require(open.remove(task.id()), "POL-3: task " + task.id() + " ended twice");
    ended++;
    detach(task, now);
  }

  /** Takes a task off the worker that held it, if one did. */
  private void detach(Task task, long now) {
    Long id = assignedTo.remove(task.id());
    WorkerRecord record = id == null ? null : workers.get(id);
    if (record != null) {
      record.fifo.remove(task.id());
      if (record.running != null && record.running == task.id()) {
        record.endRun(now);
      } else if (record.running == null) {
        record.endLoad(now);
      }
    }
  }

  private WorkerRecord live(Worker worker) {
    WorkerRecord record = workers.get(worker.id());
    if (record == null) {
      throw violation("worker " + worker.id() + " was never provisioned");
    }
    require(record.goneNanos < 0, "worker " + worker.id() + " is gone");
    return record;
  }

  private void event(long now, String what) {
    String line = now + " " + what;
    story.add(line);
    if (story.size() > STORY_LENGTH) {
      story.remove();
    }
    if (keepsLog) {
      log.add(line);
    }
    require(now >= nowNanos, "time went back from " + nowNanos);
    nowNanos = now;
  }

  private void require(boolean holds, String rule) {
    if (!holds) {
      throw violation(rule);
    }
  }

  private AssertionError violation(String rule) {
    return new AssertionError(rule + "\nlast events:\n  " + String.join("\n  ", story));
  }
}
