package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.Engine;
import dev.muster.core.engine.EngineObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Drives a HAL through an engine, and keeps what it was told to do and what it reported. */
final class DeviceHarness {
  /** Names the events of a HAL. */
  enum What {
    READY,
    LOADED,
    LOAD_FAILED,
    COMPLETED,
    FAILED,
    LOST,
    RELEASED
  }

  /**
   * Holds one event.
   *
   * @param runId the run, or 0
   * @param energy what was metered, if anything
   */
  record Report(What what, long workerId, long runId, @Nullable EnergyReading energy) {}

  final Hal hal;
  final Engine engine;
  final FewWorkers policy = new FewWorkers();
  private final DeviceContract contract;
  private final List<Report> reports = new CopyOnWriteArrayList<>();
  private final Map<Long, Long> workerByRun = new HashMap<>();
  private final List<DeviceException.Kind> failureKinds = new ArrayList<>();
  private long lastRunId;

  DeviceHarness(DeviceContract contract) {
    this.contract = contract;
    hal = contract.hal();
    engine =
        Engine.builder(policy, new Recording())
            .workerTypes(
                List.of(contract.type().toBuilder().idleTimeout(Duration.ofDays(1)).build()))
            .applications(List.of(contract.application()))
            .observer(new Failures())
            .build();
    engine.start();
  }

  /** Submits a task for the first variant. */
  void submit() {
    submit(contract.application().variants().get(0), contract.payload());
  }

  /** Submits a task for a variant. */
  void submit(Variant variant) {
    submit(variant, contract.payload());
  }

  void submitPayload(Object payload) {
    submit(contract.application().variants().get(0), payload);
  }

  private void submit(Variant variant, @Nullable Object payload) {
    policy.variantId = variant.id();
    engine.submit(policy.nowNanos, 0, contract.sizeNanos(), Task.NO_DEADLINE, 1, payload);
  }

  /** Withdraws the task that was submitted last, twice. */
  void cancelTask() {
    Task task = policy.last;
    if (task == null) {
      throw new AssertionError("no task was submitted");
    }
    engine.cancel(task, policy.lastId, policy.nowNanos);
    engine.cancel(task, policy.lastId, policy.nowNanos);
  }

  /** Lets the tasks that follow go to several workers in turn. */
  void spreadOver(int workers) {
    policy.wanted = workers;
  }

  /** Returns the worker that was given a task last. */
  Worker worker() {
    Worker worker = policy.lastWorker;
    if (worker == null) {
      throw new AssertionError("the HAL never got a worker");
    }
    return worker;
  }

  /** Returns variants for the type with an image each, no two alike. */
  List<Variant> variantsWithDistinctImages() {
    Set<String> images = new HashSet<>();
    List<Variant> variants = new ArrayList<>();
    for (Variant variant : contract.application().variants()) {
      String image = variant.image();
      if (image != null
          && variant.workerType().equals(contract.type().name())
          && images.add(image)) {
        variants.add(variant.resolvedFor(contract.type()));
      }
    }
    return variants;
  }

  void pumpUntilStarted() {
    while (worker().state() != Worker.State.BUSY && contract.pump(hal, engine)) {
      // time passes
    }
    assertThat(worker().state()).as("the worker that should run").isEqualTo(Worker.State.BUSY);
  }

  void pumpAll() {
    while (engine.tally().open() > 0 && contract.pump(hal, engine)) {
      // time passes
    }
    assertThat(engine.tally().open()).as("tasks the HAL never answered").isZero();
  }

  /** Lets time pass until nothing is pending. */
  void settle() {
    while (contract.pump(hal, engine)) {
      // time passes
    }
  }

  void close() {
    assertThat(hal.close(Duration.ofSeconds(10))).isEmpty();
  }

  /** Closes after a device was lost or hung, which may then be reported as left. */
  void closeWithLosses() {
    assertThat(hal.close(Duration.ofSeconds(10))).doesNotHaveDuplicates();
  }

  List<Report> reports() {
    return reports;
  }

  /** Returns the events that end a run: completions and failures. */
  List<Report> runEnds() {
    return reports.stream()
        .filter(r -> r.what() == What.COMPLETED || r.what() == What.FAILED)
        .toList();
  }

  long lastRunId() {
    return lastRunId;
  }

  long workerOf(long runId) {
    return workerByRun.getOrDefault(runId, -1L);
  }

  /** Counts the events of a kind about a run. */
  long endsOf(long runId, What what) {
    return runEnds().stream().filter(r -> r.runId() == runId && r.what() == what).count();
  }

  List<DeviceException.Kind> failureKinds() {
    return failureKinds;
  }

  private final class Failures implements EngineObserver {
    @Override
    public void onFailed(Task task, Throwable cause, long nowNanos) {
      if (cause instanceof DeviceException device) {
        failureKinds.add(device.kind());
      }
    }
  }

  /** Passes commands on and writes events down before the engine hears of them. */
  private final class Recording implements Hal {
    @Override
    public String name() {
      return hal.name();
    }

    @Override
    public Set<Capability> capabilities() {
      return hal.capabilities();
    }

    @Override
    public String deviceId(Worker worker) {
      return hal.deviceId(worker);
    }

    @Override
    public void open(Events events) {
      hal.open(new RecordingEvents(events, reports));
    }

    @Override
    public void provision(Worker worker) {
      hal.provision(worker);
    }

    @Override
    public void load(Worker worker, Variant variant) {
      hal.load(worker, variant);
    }

    @Override
    public void run(Worker worker, Task task, Variant variant, long runId) {
      workerByRun.put(runId, worker.id());
      lastRunId = runId;
      hal.run(worker, task, variant, runId);
    }

    @Override
    public void cancel(Worker worker, long runId) {
      hal.cancel(worker, runId);
    }

    @Override
    public void release(Worker worker) {
      hal.release(worker);
    }

    @Override
    public List<String> close(Duration timeout) {
      return hal.close(timeout);
    }
  }

  private record RecordingEvents(Hal.Events to, List<Report> reports) implements Hal.Events {
    @Override
    public void ready(Worker worker) {
      reports.add(new Report(What.READY, worker.id(), 0, null));
      to.ready(worker);
    }

    @Override
    public void loaded(Worker worker) {
      reports.add(new Report(What.LOADED, worker.id(), 0, null));
      to.loaded(worker);
    }

    @Override
    public void loadFailed(Worker worker, Throwable cause) {
      reports.add(new Report(What.LOAD_FAILED, worker.id(), 0, null));
      to.loadFailed(worker, cause);
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      reports.add(new Report(What.COMPLETED, worker.id(), runId, energy));
      to.completed(worker, runId, result, energy);
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      reports.add(new Report(What.FAILED, worker.id(), runId, null));
      to.failed(worker, runId, cause);
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      reports.add(new Report(What.LOST, worker.id(), 0, null));
      to.lost(worker, cause);
    }

    @Override
    public void released(Worker worker) {
      reports.add(new Report(What.RELEASED, worker.id(), 0, null));
      to.released(worker);
    }
  }

  /** Gives tasks to a few workers in turn, by default to one; provisions them when needed. */
  static final class FewWorkers implements SchedulingPolicy {
    private final List<Worker> workers = new ArrayList<>();
    private int wanted = 1;
    private int turn;
    private String variantId = "";
    private @Nullable Worker lastWorker;
    private @Nullable Task last;
    private long lastId;
    private long nowNanos;
    boolean releasesAfterTask;

    /** Says that a task which comes back is not tried again. */
    boolean isClosing;

    @Override
    public String name() {
      return "few workers";
    }

    @Override
    public void onSubmit(Task task, SchedulingContext context) {
      nowNanos = context.nowNanos();
      if (task.attempts() == 0) {
        last = task;
        lastId = task.id();
      }
      if (isClosing) {
        context.reject(task, RejectReason.CLOSED);
        return;
      }
      if (workers.size() < wanted) {
        Worker more = context.provision(context.pools().get(0));
        if (more != null) {
          workers.add(more);
        }
      }
      if (workers.isEmpty()) {
        context.reject(task, RejectReason.NO_CAPACITY);
        return;
      }
      Worker to = workers.get(turn++ % workers.size());
      for (Variant variant : context.variants(task, context.pools().get(0))) {
        if (variant.id().equals(variantId)) {
          lastWorker = to;
          context.assign(task, to, variant);
          return;
        }
      }
      throw new AssertionError("no variant " + variantId + " runs on " + to.type());
    }

    @Override
    public void onTaskDone(Task task, @Nullable Worker on, SchedulingContext context) {
      nowNanos = context.nowNanos();
      if (releasesAfterTask && on != null && on.load() == 0 && on.state() == Worker.State.IDLE) {
        context.release(on);
      }
    }

    @Override
    public void onWorkerGone(Worker worker, SchedulingContext context) {
      nowNanos = context.nowNanos();
      workers.removeIf(w -> w.id() == worker.id());
    }
  }
}
