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
 * <p>The hand-over is a single slot, for a worker has one run at a time: the scheduler writes the
 * run and moves {@link #state} from IDLE to GIVEN; the thread moves it to RUNNING and back. An
 * interrupt is sent only between CANCELLING and CANCELLED, and the thread waits for the latter
 * before it takes another run, so that no interrupt hits the wrong one.
 */
final class CpuWorker implements Runnable, TaskBody.Control {
  private static final int IDLE = 0;
  private static final int GIVEN = 1;
  private static final int RUNNING = 2;
  private static final int CANCELLING = 3;
  private static final int CANCELLED = 4;

  /** Marks a run that outlived its time limit: nobody waits for it or the worker any more. */
  private static final int ABANDONED = 5;

  /** Stands for a limit that never comes. */
  static final long NO_LIMIT = Long.MAX_VALUE;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(CpuWorker.class, "state", int.class);
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

  private volatile int state = IDLE;
  private volatile boolean parked;
  private volatile boolean releasing;

  // Below: written by the scheduler's thread before it sets GIVEN.
  private @Nullable TaskBody body;
  private String application = "";
  private String variant = "";
  private @Nullable Object payload;
  private volatile long runId;

  /** Holds when the run passes its limit, for the watchdog; {@link #NO_LIMIT} outside runs. */
  volatile long limitAtNanos = NO_LIMIT;

  private volatile long timedOutRun;
  private volatile long timedOutAtNanos;

  CpuWorker(CpuHal hal, Worker worker, Backend backend, Hal.Events events, long spinNanos) {
    this.hal = hal;
    this.worker = worker;
    this.backend = backend;
    this.events = events;
    this.spinNanos = spinNanos;
    deviceId = hal.deviceId(worker);
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
      TaskBody newBody,
      String applicationName,
      String variantId,
      @Nullable Object newPayload,
      long newRunId) {
    if (state == ABANDONED) {
      return; // the loss of the worker, which is on its way, answers for this run too
    }
    body = newBody;
    application = applicationName;
    variant = variantId;
    payload = newPayload;
    runId = newRunId;
    STATE.setVolatile(this, GIVEN);
    unparkIfParked();
  }

  /** Asks the run to end early; without effect on any other run. */
  void cancel(long which) {
    if (runId != which) {
      return;
    }
    if (STATE.compareAndSet(this, GIVEN, IDLE)) {
      events.failed(worker, which, cancelledBefore());
    } else {
      interruptRun();
    }
  }

  private void interruptRun() {
    if (STATE.compareAndSet(this, RUNNING, CANCELLING)) {
      finishInterrupt();
    }
  }

  private void finishInterrupt() {
    Thread runner = thread();
    if (runner != null) {
      backend.interrupt(runner);
    }
    STATE.setVolatile(this, CANCELLED);
  }

  /** Ends the thread once nothing runs; answers with {@code released} when it is down. */
  void release() {
    boolean down;
    synchronized (this) {
      releasing = true;
      down = thread == null || state == ABANDONED;
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
    interruptRun();
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
    int before = state;
    if ((before != RUNNING && before != CANCELLED)
        || !STATE.compareAndSet(this, before, CANCELLING)) {
      return;
    }
    // No run can end or begin now; the one in progress may be a later one than we looked at.
    if (limitAtNanos > nowNanos) {
      STATE.setVolatile(this, before);
      return;
    }
    limitAtNanos = NO_LIMIT;
    timedOutAtNanos = nowNanos;
    timedOutRun = runId;
    finishInterrupt();
  }

  /** Tells whether a run that was timed out has not ended yet. */
  boolean isOverdue() {
    return state == CANCELLED && timedOutRun == runId;
  }

  long timedOutAtNanos() {
    return timedOutAtNanos;
  }

  /** Gives up on a run that ignores its cancellation, and on the worker with it. */
  void abandon() {
    if (STATE.compareAndSet(this, CANCELLED, ABANDONED)) {
      long id = runId;
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
    int now = state;
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
      if (state != ABANDONED && releasing) {
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
      if (state == GIVEN) {
        if (STATE.compareAndSet(this, GIVEN, RUNNING) && !runOne()) {
          return;
        }
      } else {
        idle();
      }
    }
  }

  /** Executes the run that was given; tells whether the worker can take another one. */
  @SuppressWarnings("CatchingUnchecked") // user code may throw anything; the task gets it
  private boolean runOne() {
    long id = runId;
    PowercapMeter.Reading before = hal.runStarts(this);
    Object result = null;
    Throwable error = null;
    try {
      result = backend.call(Objects.requireNonNull(body), application, variant, payload, this);
    } catch (Throwable t) {
      error = t;
    }
    limitAtNanos = NO_LIMIT;
    EnergyReading energy = hal.runEnds(before);
    body = null;
    payload = null;
    boolean cancelled = false;
    while (!STATE.compareAndSet(this, RUNNING, IDLE)) {
      int now = state;
      if (now == ABANDONED) {
        return false;
      }
      if (now == CANCELLED && STATE.compareAndSet(this, CANCELLED, IDLE)) {
        cancelled = true;
        break;
      }
      Thread.onSpinWait();
    }
    Thread.interrupted(); // ours, or one that the body left behind
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
  private void idle() {
    if (spinNanos > 0) {
      long until = System.nanoTime() + spinNanos;
      while (System.nanoTime() < until) {
        if (state != IDLE || releasing) {
          return;
        }
        Thread.yield(); // the thread we wait for may be in need of this core
      }
    }
    parked = true;
    if (state == IDLE && !releasing) {
      LockSupport.park(this);
    }
    parked = false;
    Thread.interrupted(); // a straggler's, which would turn parking into spinning
  }
}
