package dev.muster.hal.sim;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Simulates cards in real time: everything takes as long as the model says, and runs return what
 * their bodies compute.
 *
 * <p>A body is called on a computing thread when its run starts; its result is delivered when the
 * modelled time is over, or when it is there, if that is later ({@link #lateRuns()} counts those:
 * the machine was too slow to stand in for the card). Answers are late by what the operating system
 * takes to wake a thread, typically some 50 us. Variants without a body return nothing.
 */
public final class PacedSimHal implements Hal {
  private enum Kind {
    READY,
    LOADED,
    RUN
  }

  /** Holds what is due on a worker; a worker has one thing due at most. */
  private static final class Due {
    final long sequence;
    final Worker worker;
    final Kind kind;
    final long runId;
    long atNanos;
    boolean computed;
    boolean cancelled;
    @Nullable Object result;
    @Nullable Throwable error;
    @Nullable Future<?> computation;

    Due(long sequence, Worker worker, Kind kind, long runId, long atNanos) {
      this.sequence = sequence;
      this.worker = worker;
      this.kind = kind;
      this.runId = runId;
      this.atNanos = atNanos;
    }

    static int compare(Due a, Due b) {
      int byTime = Long.compare(a.atNanos, b.atNanos);
      return byTime != 0 ? byTime : Long.compare(a.sequence, b.sequence);
    }
  }

  private final TaskBody.Registry bodies;
  private final SimHal.ServiceTimes serviceTimes;
  private final ExecutorService computing;
  private final Thread pacer;
  private final long originNanos = System.nanoTime();
  private volatile @Nullable Events events;

  // Below: guarded by the lock.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Due> queue = new PriorityQueue<>(Due::compare);
  private final Map<Long, @Nullable Due> up = new HashMap<>();
  private long sequence;
  private long lateRuns;
  private boolean closed;

  private PacedSimHal(
      TaskBody.Registry bodies, SimHal.ServiceTimes serviceTimes, int computingThreads) {
    this.bodies = bodies;
    this.serviceTimes = serviceTimes;
    computing =
        Executors.newFixedThreadPool(
            computingThreads,
            Thread.ofPlatform().daemon().name("muster-sim-compute-", 0).factory());
    pacer = Thread.ofPlatform().daemon().name("muster-sim-pacer").unstarted(this::pace);
  }

  /** Creates cards whose runs take what their variants' models say, computed by one thread. */
  public static PacedSimHal create(TaskBody.Registry bodies) {
    return new PacedSimHal(bodies, SimHal.ServiceTimes.MODELLED, 1);
  }

  /**
   * Creates cards with service times of their own.
   *
   * @param computingThreads how many bodies may compute at the same time, at least 1
   */
  public static PacedSimHal create(
      TaskBody.Registry bodies, SimHal.ServiceTimes serviceTimes, int computingThreads) {
    return new PacedSimHal(bodies, serviceTimes, computingThreads);
  }

  /** Returns how many runs took longer than modelled because their result was not there. */
  public long lateRuns() {
    lock.lock();
    try {
      return lateRuns;
    } finally {
      lock.unlock();
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
      throw new IllegalStateException("the simulated cards are open already");
    }
    events = value;
    pacer.start();
  }

  @Override
  public void provision(Worker worker) {
    // A worker of the initial fleet spun up before the run; it is ready at time 0, that is, now.
    long spinUp = worker.readyNanos() == 0 ? 0 : worker.readyNanos() - worker.createdNanos();
    lock.lock();
    try {
      requireOpen(worker, "provision");
      up.put(worker.id(), null);
      add(worker, Kind.READY, 0, spinUp);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void load(Worker worker, Variant variant) {
    lock.lock();
    try {
      requireUp(worker, "load");
      add(worker, Kind.LOADED, 0, worker.type().loadNanos());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    TaskBody body = bodies.body(task.application(), variant);
    Object payload = task.payload();
    long nanos = serviceTimes.nanos(worker, task, variant);
    lock.lock();
    try {
      requireUp(worker, "run");
      Due due = add(worker, Kind.RUN, runId, nanos);
      if (body == null) {
        due.computed = true;
      } else {
        due.computation = computing.submit(() -> compute(due, body, payload));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void cancel(Worker worker, long runId) {
    lock.lock();
    try {
      Due due = up.get(worker.id());
      if (due != null && due.kind == Kind.RUN && due.runId == runId && !due.cancelled) {
        due.cancelled = true;
        if (due.computation != null) {
          due.computation.cancel(true);
        }
        reschedule(due, nowNanos());
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void release(Worker worker) {
    lock.lock();
    try {
      requireUp(worker, "release");
      Due due = up.remove(worker.id());
      if (due != null) {
        queue.remove(due);
      }
    } finally {
      lock.unlock();
    }
    Objects.requireNonNull(events).released(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    lock.lock();
    try {
      closed = true;
      queue.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    computing.shutdownNow();
    long endNanos = System.nanoTime() + timeout.toNanos();
    try {
      boolean ended = computing.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (pacer.isAlive()) {
        pacer.join(Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
      }
      return ended && !pacer.isAlive() ? List.of() : List.of("sim:compute");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of("sim:compute");
    }
  }

  private long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  private Due add(Worker worker, Kind kind, long runId, long nanos) {
    Due due = new Due(sequence++, worker, kind, runId, nowNanos() + nanos);
    up.put(worker.id(), due);
    queue.add(due);
    if (queue.peek() != null && queue.peek().sequence == due.sequence) {
      changed.signalAll();
    }
    return due;
  }

  private void reschedule(Due due, long atNanos) {
    queue.remove(due);
    due.atNanos = atNanos;
    queue.add(due);
    changed.signalAll();
  }

  @SuppressWarnings("CatchingUnchecked") // a body may throw anything; its task gets it
  private void compute(Due due, TaskBody body, @Nullable Object payload) {
    Object result = null;
    Throwable error = null;
    try {
      result = body.run(payload, () -> Thread.currentThread().isInterrupted());
    } catch (Throwable t) {
      error = t;
    }
    lock.lock();
    try {
      due.result = result;
      due.error = error;
      due.computed = true;
      long now = nowNanos();
      if (now >= due.atNanos && !due.cancelled && up.get(due.worker.id()) != null) {
        lateRuns++;
        reschedule(due, now);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---------------------------------------------------------------- the pacer's thread

  private void pace() {
    Events to = Objects.requireNonNull(events);
    while (true) {
      Due due;
      lock.lock();
      try {
        due = awaitNext();
      } finally {
        lock.unlock();
      }
      if (due == null) {
        return;
      }
      deliver(due, to); // without the lock: whoever receives it may be in a command just now
    }
  }

  /** Waits for something to be due and takes it; null when closed. */
  private @Nullable Due awaitNext() {
    while (!closed) {
      Due first = queue.peek();
      long left = first == null ? Long.MAX_VALUE : first.atNanos - nowNanos();
      try {
        if (first == null) {
          changed.await();
        } else if (left > 0) {
          changed.awaitNanos(left);
        } else {
          queue.remove();
          boolean isComplete = first.kind != Kind.RUN || first.computed || first.cancelled;
          if (isComplete) {
            up.put(first.worker.id(), null);
            return first;
          }
          // Otherwise the computation puts it back when it ends.
        }
      } catch (InterruptedException e) {
        return null; // nobody but the end of the JVM interrupts this thread
      }
    }
    return null;
  }

  private void deliver(Due due, Events to) {
    Throwable error = due.error;
    if (due.kind == Kind.READY) {
      to.ready(due.worker);
    } else if (due.kind == Kind.LOADED) {
      to.loaded(due.worker);
    } else if (due.cancelled) {
      to.failed(
          due.worker,
          due.runId,
          new DeviceException(
              DeviceException.Kind.RUN_FAILED, deviceId(due.worker) + ": run cancelled", error));
    } else if (error != null) {
      to.failed(due.worker, due.runId, error);
    } else {
      to.completed(due.worker, due.runId, due.result, null);
    }
  }

  private void requireOpen(Worker worker, String command) {
    if (closed || events == null) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker)
              + ": "
              + command
              + " on simulated cards that are not open; open new ones",
          null);
    }
  }

  private void requireUp(Worker worker, String command) {
    requireOpen(worker, command);
    if (!up.containsKey(worker.id())) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker) + ": " + command + " on a worker that is not up; provision one",
          null);
    }
  }
}
