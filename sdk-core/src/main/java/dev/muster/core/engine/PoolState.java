package dev.muster.core.engine;

import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Holds the workers of one type: who is allocated, when each becomes available, what they used.
 *
 * <p>Estimates can be wrong on real hardware: a run may take longer than its variant's model says.
 * A worker that is late is noticed when a query meets it and moved to a later time, on the rule
 * that a run which is late by d needs another d. Under exact times this never happens.
 */
final class PoolState implements WorkerPool {
  /** Bounds from below by how much a late worker is moved, so that queries make progress. */
  private static final long LEAST_DELAY_NANOS = 1_000;

  final int index;
  final WorkerType type;
  private final Clock clock;

  final SortedWorkers ready;
  final SpinningUpWorkers spinningUp;
  private @Nullable WorkerState oldest;
  private @Nullable WorkerState newest;
  private int allocated;

  /** Bounds the runs that the HAL takes in advance per worker. */
  int runAhead;

  int kept;
  long keptSinceNanos;
  long idleTimeoutNanos;

  long provisionedCount;
  long lostCount;
  long completedCount;
  long missedCount;
  long spinUpNanos;
  long aliveNanos;
  long loadNanos;
  long spinDownNanos;
  long[] powerMilliwatts;
  long[] busyNanosByPower;

  PoolState(int index, WorkerType type, Clock clock, WorkerTable table) {
    ready = new SortedWorkers(table);
    spinningUp = new SpinningUpWorkers(table);
    this.index = index;
    this.type = type;
    this.clock = clock;
    idleTimeoutNanos = type.idleTimeoutNanos();
    powerMilliwatts = new long[] {type.busyPowerMilliwatts()};
    busyNanosByPower = new long[1];
  }

  /** Holds the time of the event being handled. */
  static final class Clock {
    long nowNanos;
  }

  /** Returns the index under which busy time at a power is summed. */
  int powerClass(long milliwatts) {
    for (int i = 0; i < powerMilliwatts.length; i++) {
      if (powerMilliwatts[i] == milliwatts) {
        return i;
      }
    }
    powerMilliwatts = Arrays.copyOf(powerMilliwatts, powerMilliwatts.length + 1);
    busyNanosByPower = Arrays.copyOf(busyNanosByPower, powerMilliwatts.length);
    powerMilliwatts[powerMilliwatts.length - 1] = milliwatts;
    return powerMilliwatts.length - 1;
  }

  void link(WorkerState worker) {
    worker.previous = newest;
    if (newest == null) {
      oldest = worker;
    } else {
      newest.next = worker;
    }
    newest = worker;
    allocated++;
    provisionedCount++;
    spinningUp.add(worker);
  }

  /** Takes a worker out of the pool, whatever its state. */
  void unlink(WorkerState worker) {
    if (worker.group != null) {
      spinningUp.remove(worker);
    } else {
      ready.remove(worker, worker.availableAtNanos);
    }
    if (worker.previous == null) {
      oldest = worker.next;
    } else {
      worker.previous.next = worker.next;
    }
    if (worker.next == null) {
      newest = worker.previous;
    } else {
      worker.next.previous = worker.previous;
    }
    allocated--;
  }

  /** Changes when a worker becomes available, keeping the index in order. */
  void setAvailableAt(WorkerState worker, long nanos) {
    if (nanos == worker.availableAtNanos) {
      return;
    }
    if (worker.group != null) {
      spinningUp.rekey(worker, worker.availableAtNanos, nanos);
    } else {
      ready.rekey(worker, worker.availableAtNanos, nanos);
    }
    worker.availableAtNanos = nanos;
  }

  /** Moves a worker from spinning up to ready. */
  void becomeReady(WorkerState worker, long nowNanos) {
    spinningUp.remove(worker);
    worker.readyNanos = nowNanos;
    worker.availableAtNanos = nowNanos + worker.expectedWorkNanos;
    ready.insert(worker, worker.availableAtNanos);
    spinUpNanos += nowNanos - worker.createdNanos;
  }

  /** Returns a time before which no worker can be due for reclamation. */
  long nextExpiryNanos() {
    if (allocated <= kept || ready.size() == 0) {
      return Long.MAX_VALUE;
    }
    return expiryNanos(ready.first());
  }

  /** Returns the worker due for reclamation now, or null: the longest idle one, ties highest id. */
  @Nullable WorkerState expired(long nowNanos) {
    while (allocated > kept && ready.size() > 0) {
      WorkerState worker = ready.first();
      if (expiryNanos(worker) > nowNanos) {
        return null;
      }
      if (worker.state == Worker.State.IDLE) {
        return worker;
      }
      postpone(worker);
    }
    return null;
  }

  private long expiryNanos(WorkerState worker) {
    return Math.max(worker.availableAtNanos + idleTimeoutNanos, keptSinceNanos);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public WorkerType type() {
    return type;
  }

  @Override
  public int allocated() {
    return allocated;
  }

  @Override
  public int spinningUp() {
    return spinningUp.size();
  }

  @Override
  public int kept() {
    return kept;
  }

  @Override
  public int headroom() {
    return Math.max(0, type.maxWorkers() - allocated);
  }

  @Override
  public @Nullable Worker latestAvailable(long latestStartNanos) {
    if (latestStartNanos < clock.nowNanos) {
      return null;
    }
    while (true) {
      WorkerState worker = ready.floor(latestStartNanos);
      if (worker == null || !isLate(worker)) {
        return worker;
      }
      postpone(worker);
    }
  }

  @Override
  public @Nullable Worker earliestAvailable() {
    while (ready.size() > 0) {
      WorkerState worker = ready.first();
      if (!isLate(worker)) {
        return worker;
      }
      postpone(worker);
    }
    return null;
  }

  @Override
  public @Nullable Worker mostLoadedSpinningUp(long latestStartNanos) {
    if (spinningUp.size() == 0 || latestStartNanos < clock.nowNanos) {
      return null;
    }
    postponeOverdue();
    return spinningUp.mostLoaded(latestStartNanos);
  }

  @Override
  public @Nullable Worker earliestSpinningUp() {
    if (spinningUp.size() == 0) {
      return null;
    }
    postponeOverdue();
    return spinningUp.earliest();
  }

  @Override
  public Iterator<Worker> iterator() {
    return new Iterator<>() {
      private @Nullable WorkerState next = oldest;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Worker next() {
        WorkerState worker = next;
        if (worker == null) {
          throw new NoSuchElementException();
        }
        next = worker.next;
        return worker;
      }
    };
  }

  private boolean isLate(WorkerState worker) {
    return worker.availableAtNanos <= clock.nowNanos && worker.state != Worker.State.IDLE;
  }

  /** Moves a worker whose run or load is late to now + lateness + the work behind it. */
  private void postpone(WorkerState worker) {
    TaskState head = worker.head;
    long behind = head == null ? 0 : worker.expectedWorkNanos - head.expectedNanos;
    long expected = head == null ? type.loadNanos() : head.expectedNanos;
    long started =
        head == null || worker.state == Worker.State.LOADING
            ? worker.loadStartNanos
            : head.startNanos;
    long lateness = clock.nowNanos - (started + expected);
    setAvailableAt(worker, clock.nowNanos + Math.max(lateness, LEAST_DELAY_NANOS) + behind);
  }

  /** Moves workers that should be ready by now, and are not, to a later ready time. */
  private void postponeOverdue() {
    WorkerState worker;
    while ((worker = spinningUp.overdue(clock.nowNanos)) != null) {
      long lateness = clock.nowNanos - (worker.createdNanos + type.spinUpNanos());
      spinningUp.remove(worker);
      worker.readyNanos = clock.nowNanos + Math.max(lateness, LEAST_DELAY_NANOS);
      worker.availableAtNanos = worker.readyNanos + worker.expectedWorkNanos;
      spinningUp.add(worker);
    }
  }
}
