package dev.muster.hal.sim;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Simulates workers under virtual time with the plain service-time model.
 *
 * <p>A worker is ready after its type's spin-up time, loads an image in its type's load time, and
 * runs a task in the {@link ServiceTimes} given, by default exactly what the variant's model says.
 * The driver asks for {@link #nextEventNanos()} and calls {@link #deliver} when virtual time gets
 * there.
 *
 * <p>A worker has at most one event pending, so events are kept in an {@link EventQueue} over
 * worker slots, without allocation. Events at one instant come in the order they were scheduled.
 */
public final class SimHal implements Hal {
  private static final long NOBODY = -1;

  /** Tells how long a run really takes. */
  @FunctionalInterface
  public interface ServiceTimes {
    /** Takes exactly what the variant's model says. */
    ServiceTimes MODELLED = (worker, task, variant) -> variant.serviceNanos(task.sizeNanos());

    /** Returns the time of a run in nanoseconds, at least 0. */
    long nanos(Worker worker, Task task, Variant variant);
  }

  private static final byte NONE = 0;
  private static final byte READY = 1;
  private static final byte LOADED = 2;
  private static final byte COMPLETED = 3;
  private static final byte CANCELLED = 4;
  private static final byte GONE = 5;

  private final ServiceTimes serviceTimes;
  private @Nullable Events events;
  private boolean closed;
  private long nowNanos;
  private final EventQueue queue = new EventQueue();

  private byte[] kind = new byte[0];
  private @Nullable Worker[] workers = new Worker[0];
  private long[] workerIds = new long[0];
  private long[] runIds = new long[0];

  private int capacity;

  private SimHal(ServiceTimes serviceTimes) {
    this.serviceTimes = serviceTimes;
    grow(64);
  }

  /** Creates a simulated fleet whose runs take what their variants' models say. */
  public static SimHal create() {
    return new SimHal(ServiceTimes.MODELLED);
  }

  /** Creates a simulated fleet with service times of its own. */
  public static SimHal create(ServiceTimes serviceTimes) {
    return new SimHal(serviceTimes);
  }

  /** Returns when the next event is due, or {@link Long#MAX_VALUE}. O(1). */
  public long nextEventNanos() {
    return queue.nextTime();
  }

  /** Sets the time of the command that follows. */
  public void advanceTo(long nanos) {
    nowNanos = nanos;
  }

  /** Delivers the next event; virtual time must have got there. O(log n). */
  public void deliver() {
    nowNanos = queue.nextTime();
    int slot = queue.take();
    Worker worker = Objects.requireNonNull(workers[slot]);
    long runId = runIds[slot];
    byte what = kind[slot];
    kind[slot] = NONE;
    Events to = openEvents();
    switch (what) {
      case READY -> to.ready(worker);
      case LOADED -> to.loaded(worker);
      case COMPLETED -> to.completed(worker, runId, null, null);
      case CANCELLED ->
          to.failed(
              worker,
              runId,
              new DeviceException(
                  DeviceException.Kind.RUN_FAILED, deviceId(worker) + ": run cancelled", null));
      case GONE -> {
        clear(slot);
        to.lost(
            worker,
            new DeviceException(
                DeviceException.Kind.LOST, deviceId(worker) + ": taken away", null));
      }
      default -> throw new IllegalStateException("no event is due");
    }
  }

  @Override
  public String name() {
    return "sim";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.ELASTIC_WORKERS, Capability.REGIONS);
  }

  @Override
  public String deviceId(Worker worker) {
    return "sim:" + worker.type().name() + "-" + worker.id();
  }

  @Override
  public void open(Events value) {
    if (events != null) {
      throw new IllegalStateException("the simulated fleet is open already");
    }
    events = value;
  }

  @Override
  public void provision(Worker worker) {
    if (worker.slot() >= capacity) {
      grow(Math.max(capacity * 2, Integer.highestOneBit(worker.slot()) * 2));
    }
    requireOpen(worker, "provision");
    workers[worker.slot()] = worker;
    workerIds[worker.slot()] = worker.id();
    schedule(worker.slot(), Math.max(nowNanos, worker.readyNanos()), READY);
  }

  /** Takes a worker away, as a card that drops off its bus; what it was doing is lost. O(log n). */
  public void lose(Worker worker) {
    requireHeld(worker, "lose");
    schedule(worker.slot(), nowNanos, GONE);
  }

  @Override
  public void load(Worker worker, Variant variant) {
    requireHeld(worker, "load");
    requireIdle(worker, "load");
    schedule(worker.slot(), nowNanos + worker.type().loadNanos(), LOADED);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    int slot = worker.slot();
    if (workerIds[slot] != worker.id() || closed || kind[slot] != NONE) {
      requireHeld(worker, "run");
      requireIdle(worker, "run");
    }
    runIds[slot] = runId;
    schedule(slot, nowNanos + serviceTimes.nanos(worker, task, variant), COMPLETED);
  }

  @Override
  public void cancel(Worker worker, long runId) {
    int slot = worker.slot();
    if (workerIds[slot] == worker.id() && kind[slot] == COMPLETED && runIds[slot] == runId) {
      schedule(slot, nowNanos, CANCELLED);
    }
  }

  @Override
  public void release(Worker worker) {
    requireHeld(worker, "release");
    clear(worker.slot());
    openEvents().released(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    for (int slot = 0; slot < capacity; slot++) {
      if (workerIds[slot] != NOBODY) {
        clear(slot);
      }
    }
    closed = true;
    return List.of();
  }

  private void clear(int slot) {
    workers[slot] = null;
    workerIds[slot] = NOBODY;
    kind[slot] = NONE;
    queue.cancel(slot);
  }

  private void schedule(int slot, long nanos, byte what) {
    kind[slot] = what;
    queue.schedule(slot, nanos);
  }

  private void grow(int newCapacity) {
    int old = capacity;
    capacity = newCapacity;
    kind = Arrays.copyOf(kind, newCapacity);
    workers = Arrays.copyOf(workers, newCapacity);
    runIds = Arrays.copyOf(runIds, newCapacity);
    workerIds = Arrays.copyOf(workerIds, newCapacity);
    Arrays.fill(workerIds, old, newCapacity, NOBODY);
  }

  private Events openEvents() {
    Events to = events;
    if (to == null) {
      throw new IllegalStateException("the simulated fleet is not open");
    }
    return to;
  }

  private void requireOpen(Worker worker, String command) {
    if (closed) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker) + ": " + command + " after close; open a new simulated fleet",
          null);
    }
  }

  private void requireIdle(Worker worker, String command) {
    if (kind[worker.slot()] != NONE) {
      throw new DeviceException(
          DeviceException.Kind.BUSY,
          deviceId(worker) + ": " + command + " before the last command was answered; wait for it",
          null);
    }
  }

  private void requireHeld(Worker worker, String command) {
    requireOpen(worker, command);
    if (worker.slot() >= capacity || workerIds[worker.slot()] != worker.id()) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker) + ": " + command + " on a worker that is not up; provision one",
          null);
    }
  }
}
