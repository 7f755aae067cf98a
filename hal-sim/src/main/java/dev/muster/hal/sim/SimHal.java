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
 * <p>A worker has at most one event pending, so events are kept in a winner tree over worker slots:
 * O(log n) per event without allocation. Events at one instant come by increasing slot.
 */
public final class SimHal implements Hal {
  private static final long NEVER = Long.MAX_VALUE;
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

  private final ServiceTimes serviceTimes;
  private @Nullable Events events;
  private boolean closed;
  private long nowNanos;

  /** Holds the time of a slot's event at capacity + slot, and of a subtree's next event at 1.. */
  private long[] time = new long[0];

  /** Holds the slot that the time at the same node belongs to. */
  private int[] winner = new int[0];

  private byte[] kind = new byte[0];
  private @Nullable Worker[] workers = new Worker[0];
  private long[] workerIds = new long[0];
  private long[] runIds = new long[0];

  private int capacity;

  /** Holds the slot whose event is being delivered; its leaf is updated once, afterwards. */
  private int delivering = -1;

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
    return time[1];
  }

  /** Sets the time of the command that follows. */
  public void advanceTo(long nanos) {
    nowNanos = nanos;
  }

  /** Delivers the next event; virtual time must have got there. O(log n). */
  public void deliver() {
    int slot = winner[1];
    nowNanos = time[1];
    Worker worker = Objects.requireNonNull(workers[slot]);
    long runId = runIds[slot];
    byte what = kind[slot];
    delivering = slot;
    time[capacity + slot] = NEVER;
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
      default -> throw new IllegalStateException("no event is due");
    }
    delivering = -1;
    update(slot);
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

  @Override
  public void load(Worker worker, Variant variant) {
    requireHeld(worker, "load");
    schedule(worker.slot(), nowNanos + worker.type().loadNanos(), LOADED);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    int slot = worker.slot();
    if (workerIds[slot] != worker.id() || closed) {
      requireHeld(worker, "run");
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
    time[capacity + slot] = NEVER;
    if (slot != delivering) {
      update(slot);
    }
  }

  private void schedule(int slot, long nanos, byte what) {
    time[capacity + slot] = nanos;
    kind[slot] = what;
    if (slot != delivering) {
      update(slot);
    }
  }

  /** Replays the matches between a leaf and the root; ties go to the lower slot. */
  private void update(int slot) {
    int node = capacity + slot;
    long best = time[node];
    int bestSlot = slot;
    while (node > 1) {
      int sibling = node ^ 1;
      long other = time[sibling];
      if (other < best || (other == best && winner[sibling] < bestSlot)) {
        best = other;
        bestSlot = winner[sibling];
      }
      node >>= 1;
      time[node] = best;
      winner[node] = bestSlot;
    }
  }

  private void grow(int newCapacity) {
    long[] old = time;
    int oldCapacity = capacity;
    capacity = newCapacity;
    time = new long[2 * newCapacity];
    winner = new int[2 * newCapacity];
    Arrays.fill(time, NEVER);
    System.arraycopy(old, oldCapacity, time, newCapacity, oldCapacity);
    for (int slot = 0; slot < newCapacity; slot++) {
      winner[newCapacity + slot] = slot;
    }
    for (int node = newCapacity - 1; node > 0; node--) {
      int left = 2 * node;
      int next = time[left] <= time[left + 1] ? left : left + 1;
      time[node] = time[next];
      winner[node] = winner[next];
    }
    kind = Arrays.copyOf(kind, newCapacity);
    workers = Arrays.copyOf(workers, newCapacity);
    runIds = Arrays.copyOf(runIds, newCapacity);
    workerIds = Arrays.copyOf(workerIds, newCapacity);
    Arrays.fill(workerIds, oldCapacity, newCapacity, NOBODY);
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
