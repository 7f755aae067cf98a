package dev.muster.hal.cpu;

import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.TaskBody;
import dev.muster.api.Worker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one worker, one after the other, on a thread of its own.
 *
 * <p>Runs are handed over through a ring of slots from the scheduler's thread. A slot holds the id
 * of its run, or 0; whoever moves it from the id to 0, the thread to begin the run or the scheduler
 * to withdraw it, has the run. {@link #state} holds the id of the run in progress beside what is
 * happening to it, so that a late cancellation cannot hit the next run. An interrupt is sent only
 * between CANCELLING and CANCELLED, and the thread waits for the latter before it takes another
 * run.
 */
final class CpuWorker implements Runnable, TaskBody.Control {
  private static final long IDLE = 0;
  private static final int RUNNING = 1;
  private static final int CANCELLING = 2;
  private static final int CANCELLED = 3;

  /** Marks a run that outlived its time limit: nobody waits for it or the worker any more. */
  private static final int ABANDONED = 4;

  /** Makes room for what happens to a run below its id. */
  private static final int ID_SHIFT = 3;

  private static final int WHAT = (1 << ID_SHIFT) - 1;

  /** Stands for a limit that never comes. */
  static final long NO_LIMIT = Long.MAX_VALUE;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(CpuWorker.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Worker worker;
  final String deviceId;
  private final CpuHal hal;
  private final Backend backend;
  private final Hal.Events events;
  private final long spinNanos;
  private @Nullable Thread thread;

  private volatile long state = IDLE;
  private volatile boolean parked;
  private volatile boolean releasing;

  // Below: slots, each written by the scheduler's thread before it sets the slot's run id.
  private final int mask;
  private final long[] runIds;
  private final @Nullable TaskBody[] bodies;
  private final String[] applications;
  private final String[] variants;
  private final @Nullable Object[] payloads;

  /** Counts the slots that the scheduler's thread filled; its own. */
  private long given;

  /** Holds, during a withdrawal, the ids of the runs that were taken back; by slot. */
  private final long[] takenBack;

  /** Counts the slots that the worker's thread took; its own. */
  private long taken;

  /** Counts the runs that have ended and are being answered. */
  private volatile long ended;

  /** Holds when the run passes its limit, for the watchdog; {@link #NO_LIMIT} outside runs. */
  volatile long limitAtNanos = NO_LIMIT;

  private volatile long timedOutRun;
  private volatile long timedOutAtNanos;

  CpuWorker(
      CpuHal hal, Worker worker, Backend backend, Hal.Events events, long spinNanos, int runAhead) {
    this.hal = hal;
    this.worker = worker;
    this.backend = backend;
    this.events = events;
    this.spinNanos = spinNanos;
    deviceId = hal.deviceId(worker);
    // Room for the run in progress and for the one that has ended unheard, too.
    int slots = Integer.highestOneBit(runAhead + 1) << 1;
    mask = slots - 1;
    runIds = new long[slots];
    takenBack = new long[slots];
    bodies = new TaskBody[slots];
    applications = new String[slots];
    variants = new String[slots];
    payloads = new Object[slots];
  }

  /** Starts the thread, which holds a core to its end; false if there is nothing to start. */
  synchronized boolean start() {
    if (releasing) {
      return false;
    }
    Thread started =
        Thread.ofPlatform().daemon().name("muster-" + deviceId.replace(':', '-')).unstarted(this);
    try {
      started.start();
    } catch (OutOfMemoryError e) {
      events.lost(
          worker,
          new DeviceException(
              DeviceException.Kind.UNAVAILABLE,
              deviceId + ": the operating system gives no further thread; lower the core budget",
              e));
      return false;
    }
    thread = started;
    return true;
  }

  synchronized @Nullable Thread thread() {
    return thread;
  }

  synchronized boolean isDead() {
    return thread != null && !thread.isAlive();
  }

  boolean needsBody() {
    return backend.needsBody();
  }

  // ---------------------------------------------------------------- the scheduler's side

  void give(
      TaskBody body, String application, String variant, @Nullable Object payload, long newRunId) {
    if (what(state) == ABANDONED) {
      return; // the loss of the worker, which is on its way, answers for this run too
    }
    int slot = (int) given & mask;
    if ((long) LONGS.getAcquire(runIds, slot) != 0) {
      throw new IllegalStateException(
          deviceId + " was given more runs than it takes in advance, " + mask);
    }
    bodies[slot] = body;
    applications[slot] = application;
    variants[slot] = variant;
    payloads[slot] = payload;
    given++;
    LONGS.setVolatile(runIds, slot, newRunId);
    unparkIfParked();
  }

  /**
   * Takes a run back unless it has begun: takes back all that was given from it on, which shows
   * whether it has begun for runs begin in order, and gives the others again. O(runs in advance).
   */
  boolean withdraw(long which) {
    long first = given;
    boolean found = false;
    while (!found && first > 0 && given - first <= mask) {
      int slot = (int) (first - 1) & mask;
      long id = runIds[slot];
      if (id == 0 || !LONGS.compareAndSet(runIds, slot, id, 0L)) {
        break;
      }
      takenBack[slot] = id;
      first--;
      found = id == which;
    }
    long end = given;
    given = first;
    for (long from = found ? first + 1 : first; from < end; from++) {
      int slot = (int) from & mask;
      give(
          Objects.requireNonNull(bodies[slot]),
          applications[slot],
          variants[slot],
          payloads[slot],
          takenBack[slot]);
    }
    return found;
  }

  /** Tells whether a run is under way or waits; by the scheduler's thread. */
  boolean isBusy() {
    return ended != given;
  }

  /** Asks the run to end early; without effect on any other run. */
  void cancel(long which) {
    if (withdraw(which)) {
      events.failed(worker, which, cancelledBefore());
    } else {
      interruptRun(which << ID_SHIFT | RUNNING);
    }
  }

  private void interruptRun(long running) {
    if (what(running) == RUNNING
        && STATE.compareAndSet(this, running, running - RUNNING + CANCELLING)) {
      finishInterrupt(running - RUNNING + CANCELLED);
    }
  }

  private static int what(long state) {
    return (int) state & WHAT;
  }

  private void finishInterrupt(long cancelled) {
    Thread runner = thread();
    if (runner != null) {
      backend.interrupt(runner);
    }
    STATE.setVolatile(this, cancelled);
  }

  /** Ends the thread once nothing runs; answers with {@code released} when it is down. */
  void release() {
    boolean down;
    synchronized (this) {
      releasing = true;
      down = thread == null || what(state) == ABANDONED;
    }
    if (down) {
      events.released(worker);
    } else {
      unparkIfParked();
    }
  }

  /** Ends run and thread as soon as possible. */
  void stopNow() {
    releasing = true;
    interruptRun(state);
    backend.stop();
    unparkIfParked();
  }

  boolean isReleasing() {
    return releasing;
  }

  private void unparkIfParked() {
    if (parked) {
      LockSupport.unpark(thread());
    }
  }

  // ---------------------------------------------------------------- the watchdog's side

  /** Cancels a run that passed its limit; it fails as TIMED_OUT whatever it returns. */
  void timeOutIfDue(long nowNanos) {
    if (limitAtNanos > nowNanos) {
      return;
    }
    long before = state;
    long cancelling = before - what(before) + CANCELLING;
    if ((what(before) != RUNNING && what(before) != CANCELLED)
        || !STATE.compareAndSet(this, before, cancelling)) {
      return;
    }
    // No run can end or begin now; the one in progress may be a later one than we looked at.
    if (limitAtNanos > nowNanos) {
      STATE.setVolatile(this, before);
      return;
    }
    limitAtNanos = NO_LIMIT;
    timedOutAtNanos = nowNanos;
    timedOutRun = before >>> ID_SHIFT;
    finishInterrupt(cancelling - CANCELLING + CANCELLED);
  }

  /** Tells whether a run that was timed out has not ended yet. */
  boolean isOverdue() {
    long now = state;
    return what(now) == CANCELLED && timedOutRun == now >>> ID_SHIFT;
  }

  long timedOutAtNanos() {
    return timedOutAtNanos;
  }

  /** Gives up on a run that ignores its cancellation, and on the worker with it. */
  void abandon() {
    long id = timedOutRun;
    long cancelled = id << ID_SHIFT | CANCELLED;
    if (STATE.compareAndSet(this, cancelled, cancelled - CANCELLED + ABANDONED)) {
      events.failed(worker, id, timedOutException());
      events.lost(
          worker,
          new DeviceException(
              DeviceException.Kind.LOST,
              deviceId
                  + ": its thread is stuck in a run that passed its time limit; make the body heed"
                  + " interrupts or Control.isCancelled()",
              null));
    }
  }

  // ---------------------------------------------------------------- the worker's thread

  @Override
  public boolean isCancelled() {
    int now = what(state);
    return now == CANCELLED || now == ABANDONED;
  }

  @Override
  public void run() {
    try {
      if (begin()) {
        loop();
      }
    } finally {
      backend.stop();
      hal.ended();
      if (what(state) != ABANDONED && releasing) {
        events.released(worker);
      }
    }
  }

  @SuppressWarnings("CatchingUnchecked") // a worker that cannot start is lost, whatever the reason
  private boolean begin() {
    try {
      hal.pin(this);
      backend.start();
    } catch (Throwable t) {
      if (!releasing) {
        events.lost(
            worker,
            new DeviceException(
                DeviceException.Kind.UNAVAILABLE, deviceId + ": could not start; see cause", t));
      }
      return false;
    }
    events.ready(worker);
    return true;
  }

  private void loop() {
    while (true) {
      if (releasing) {
        return;
      }
      int slot = nextSlot();
      long id = runAt(slot);
      if (id == 0) {
        idle(slot);
      } else if (take(slot, id) && !runOne(slot, id)) {
        return;
      }
    }
  }

  int nextSlot() {
    return (int) taken & mask;
  }

  /** Returns the run that waits in a slot, or 0. */
  long runAt(int slot) {
    return (long) LONGS.getAcquire(runIds, slot);
  }

  /** Begins a run unless it is withdrawn at this moment. */
  boolean take(int slot, long id) {
    // Set first: who finds the slot taken must find the run in progress.
    STATE.setVolatile(this, id << ID_SHIFT | RUNNING);
    if (LONGS.compareAndSet(runIds, slot, id, 0L)) {
      taken++;
      return true;
    }
    STATE.setVolatile(this, IDLE);
    return false;
  }

  /** Executes a run; tells whether the worker can take another one. */
  @SuppressWarnings("CatchingUnchecked") // user code may throw anything; the task gets it
  boolean runOne(int slot, long id) {
    TaskBody body = Objects.requireNonNull(bodies[slot]);
    Object payload = payloads[slot];
    bodies[slot] = null;
    payloads[slot] = null;
    PowercapMeter.Reading before = hal.runStarts(this);
    Object result = null;
    Throwable error = null;
    try {
      result = backend.call(body, applications[slot], variants[slot], payload, this);
    } catch (Throwable t) {
      error = t;
    }
    limitAtNanos = NO_LIMIT;
    EnergyReading energy = hal.runEnds(before);
    boolean cancelled = false;
    while (!STATE.compareAndSet(this, id << ID_SHIFT | RUNNING, IDLE)) {
      long now = state;
      if (what(now) == ABANDONED) {
        return false;
      }
      if (what(now) == CANCELLED && STATE.compareAndSet(this, now, IDLE)) {
        cancelled = true;
        break;
      }
      Thread.onSpinWait();
    }
    Thread.interrupted(); // ours, or one that the body left behind
    ended = taken;
    report(id, cancelled, result, error, energy);
    if (backend.isAlive()) {
      return true;
    }
    if (!releasing) {
      events.lost(
          worker,
          new DeviceException(DeviceException.Kind.LOST, deviceId + ": its process ended", error));
    }
    return false;
  }

  private void report(
      long id,
      boolean cancelled,
      @Nullable Object result,
      @Nullable Throwable error,
      @Nullable EnergyReading energy) {
    if (timedOutRun == id) {
      events.failed(worker, id, timedOutException());
    } else if (error == null) {
      events.completed(worker, id, result, energy);
    } else if (cancelled) {
      events.failed(
          worker,
          id,
          new DeviceException(
              DeviceException.Kind.RUN_FAILED, deviceId + ": the run was cancelled", error));
    } else if (!backend.isAlive()) {
      events.failed(
          worker,
          id,
          new DeviceException(
              DeviceException.Kind.LOST, deviceId + ": its process ended during the run", error));
    } else {
      events.failed(worker, id, error);
    }
  }

  private DeviceException timedOutException() {
    return new DeviceException(
        DeviceException.Kind.TIMED_OUT,
        deviceId
            + ": the run passed its time limit of "
            + hal.timeLimit()
            + "; raise the limit or give the task less work",
        null);
  }

  private DeviceException cancelledBefore() {
    return new DeviceException(
        DeviceException.Kind.RUN_FAILED,
        deviceId + ": the run was cancelled before it began",
        null);
  }

  @SuppressWarnings("ThreadPriorityCheck") // only speed depends on what yielding does
  private void idle(int slot) {
    if (spinNanos > 0) {
      long until = System.nanoTime() + spinNanos;
      while (System.nanoTime() < until) {
        if ((long) LONGS.getAcquire(runIds, slot) != 0 || releasing) {
          return;
        }
        Thread.yield(); // the thread we wait for may be in need of this core
      }
    }
    parked = true;
    if ((long) LONGS.getVolatile(runIds, slot) == 0 && !releasing) {
      LockSupport.park(this);
    }
    parked = false;
    Thread.interrupted(); // a straggler's, which would turn parking into spinning
  }
}
