package dev.muster.hal.xrt;

import dev.muster.api.Application;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Plays the engine's part: gives commands, and waits for the event that answers each. */
final class HalDriver implements Hal.Events {
  private static final int PATIENCE_SECONDS = 30;
  static final WorkerType CARD = WorkerType.builder("card").build();

  /**
   * Holds one event.
   *
   * @param kind its name
   * @param worker whose
   * @param runId of which run, else -1
   * @param value its result or cause
   */
  record Event(String kind, Worker worker, long runId, @Nullable Object value) {
    Throwable cause() {
      return (Throwable) java.util.Objects.requireNonNull(value);
    }

    KernelResult result() {
      return (KernelResult) java.util.Objects.requireNonNull(value);
    }
  }

  private final Hal hal;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private long nextWorker;
  private long nextRun;

  HalDriver(Hal hal) {
    this.hal = hal;
    hal.open(this);
  }

  Worker provision() throws InterruptedException {
    Worker worker = new FakeWorker(nextWorker, (int) nextWorker++);
    hal.provision(worker);
    expect("ready");
    return worker;
  }

  static Variant variant(String image) {
    return Variant.builder("v", "card").image(image).build();
  }

  /** Starts a run and returns its id. */
  long run(Worker worker, Variant variant, KernelCall call) {
    hal.run(worker, new FakeTask(nextRun, call), variant, nextRun);
    return nextRun++;
  }

  KernelResult completed(Worker worker, Variant variant, KernelCall call)
      throws InterruptedException {
    run(worker, variant, call);
    return expect("completed").result();
  }

  /** Returns the next event, which must be of a kind. */
  Event expect(String kind) throws InterruptedException {
    Event event = next();
    if (!event.kind.equals(kind)) {
      throw new AssertionError("expected " + kind + " but got " + event);
    }
    return event;
  }

  /** Returns the next event. */
  Event next() throws InterruptedException {
    Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("no event");
    }
    return event;
  }

  boolean isSilent(int millis) throws InterruptedException {
    return events.poll(millis, TimeUnit.MILLISECONDS) == null;
  }

  private void add(String kind, Worker worker, long runId, @Nullable Object value) {
    events.add(new Event(kind, worker, runId, value));
  }

  @Override
  public void ready(Worker worker) {
    add("ready", worker, -1, null);
  }

  @Override
  public void loaded(Worker worker) {
    add("loaded", worker, -1, null);
  }

  @Override
  public void loadFailed(Worker worker, Throwable cause) {
    add("loadFailed", worker, -1, cause);
  }

  @Override
  public void completed(
      Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
    add("completed", worker, runId, result);
  }

  @Override
  public void failed(Worker worker, long runId, Throwable cause) {
    add("failed", worker, runId, cause);
  }

  @Override
  public void lost(Worker worker, Throwable cause) {
    add("lost", worker, -1, cause);
  }

  @Override
  public void released(Worker worker) {
    add("released", worker, -1, null);
  }

  private record FakeWorker(long id, int slot) implements Worker {
    @Override
    public WorkerType type() {
      return CARD;
    }

    @Override
    public WorkerPool pool() {
      throw new UnsupportedOperationException();
    }

    @Override
    public State state() {
      return State.IDLE;
    }

    @Override
    public long createdNanos() {
      return 0;
    }

    @Override
    public long readyNanos() {
      return 0;
    }

    @Override
    public int allocationRank() {
      return 0;
    }

    @Override
    public long availableAtNanos() {
      return 0;
    }

    @Override
    public int load() {
      return 0;
    }

    @Override
    public @Nullable String image() {
      return null;
    }
  }

  private record FakeTask(long id, @Nullable Object payload) implements Task {
    @Override
    public Application application() {
      return Application.of("app", Variant.of("v", "card"));
    }

    @Override
    public long arrivalNanos() {
      return 0;
    }

    @Override
    public long deadlineNanos() {
      return NO_DEADLINE;
    }

    @Override
    public long sizeNanos() {
      return 0;
    }

    @Override
    public int weight() {
      return 1;
    }

    @Override
    public int attempts() {
      return 0;
    }
  }
}
