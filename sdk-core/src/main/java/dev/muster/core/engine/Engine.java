package dev.muster.core.engine;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.RuntimePredictor;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.UnsupportedException;
import dev.muster.api.Variant;
import dev.muster.api.VariantPolicy;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Owns tasks, workers, timers and accounts, and turns events into policy callbacks and HAL
 * commands.
 *
 * <p>The engine is sans-I/O: it has no clock, thread, log or randomness of its own. A driver (the
 * virtual-time simulation or the live scheduler) calls it from one thread with the time of each
 * event, never going back:
 *
 * <ul>
 *   <li>{@link #submit}, {@link #cancel} and {@link #drain} for the host,
 *   <li>{@link #events()} for what the HAL reports, after {@link #advanceTo},
 *   <li>{@link #fireTimers} when {@link #nextTimerNanos()} is reached.
 * </ul>
 *
 * <p>At one instant a driver must deliver HAL events first, then timers, then submissions; the
 * timers themselves run idle reclamation, then the policy's tick, then reclamation that the tick
 * permits. This is the order the golden data are written for. Before a driver lets time go on, it
 * calls {@link #endInstant} if {@link #instantEndPending()}; a live one takes a round of its loop
 * for an instant.
 *
 * <p>A HAL reports {@code released} from inside the command or later; every other event only after
 * the command returned. An event costs O(log n) in the workers of a pool plus what the policy does,
 * and allocates nothing in steady state.
 */
public final class Engine {
  /** Bounds open tasks unless {@link Builder#maxOpenTasks} says otherwise. */
  public static final int DEFAULT_MAX_OPEN_TASKS = 1 << 22;

  /** Bounds the attempts per task unless {@link Builder#maxAttempts} says otherwise. */
  public static final int DEFAULT_MAX_ATTEMPTS = 3;

  private final SchedulingPolicy policy;
  private final VariantPolicy variantPolicy;
  private final Hal hal;
  private final EngineObserver observer;
  private final int maxOpenTasks;
  private final int maxAttempts;
  private final @Nullable RuntimePredictor predictor;
  private final double sizeQuantile;
  private final PoolState.Clock clock = new PoolState.Clock();
  private final WorkerTable workers = new WorkerTable();
  private final PoolState[] pools;
  private final List<WorkerPool> poolViews;
  private final ApplicationEntry[] applications;
  private final Map<String, Integer> applicationIndex = new LinkedHashMap<>();
  private final Context context = new Context();
  private final Answers answers = new Answers();

  private long nextTaskId;
  private long nextWorkerId;
  private long nextRunId;
  private @Nullable TaskState freeTasks;
  private @Nullable TaskState oldestHeld;
  private @Nullable TaskState newestHeld;
  private long openCount;
  private long completedCount;
  private long rejectedCount;
  private long failedCount;
  private long cancelledCount;
  private long missedCount;
  private long staleEvents;

  private long wakeNanos = Long.MAX_VALUE;
  private long nextTimerNanos = Long.MAX_VALUE;
  private boolean started;
  private boolean starting;
  private boolean ticking;
  private boolean draining;
  private boolean instantEndPending;

  private Engine(Builder b) {
    policy = b.policy;
    hal = b.hal;
    observer = b.observer;
    maxOpenTasks = b.maxOpenTasks;
    maxAttempts = b.maxAttempts;
    predictor = b.predictor;
    sizeQuantile = b.sizeQuantile;
    variantPolicy = policy.variantPolicy();
    pools = new PoolState[b.types.size()];
    for (int i = 0; i < pools.length; i++) {
      pools[i] = new PoolState(i, b.types.get(i), clock, workers);
      pools[i].runAhead = hal.runAhead(b.types.get(i));
    }
    poolViews = List.of((WorkerPool[]) pools);
    applications = new ApplicationEntry[b.applications.size()];
    for (int i = 0; i < applications.length; i++) {
      Application application = b.applications.get(i);
      applications[i] = new ApplicationEntry(application, List.of(pools));
      if (applications[i].byPool.stream().allMatch(List::isEmpty)) {
        throw InvalidInputException.of(
            "application \"" + application.name() + "\" variants",
            application.variants(),
            "must include one for a worker type of the fleet, " + b.types,
            "add a variant or a worker type");
      }
      applicationIndex.put(application.name(), i);
    }
  }

  /** Starts to describe an engine for a policy and a HAL. */
  public static Builder builder(SchedulingPolicy policy, Hal hal) {
    return new Builder(policy, hal);
  }

  /** Opens the HAL and lets the policy set up its initial fleet, at time 0. */
  public void start() {
    if (started) {
      throw new IllegalStateException("the engine was started before");
    }
    started = true;
    hal.open(answers);
    starting = true;
    policy.onStart(context);
    starting = false;
    rescheduleTimers();
  }

  /** Sets the time of the HAL event that is delivered next. Time never goes back. */
  public void advanceTo(long nowNanos) {
    if (nowNanos > clock.nowNanos) {
      clock.nowNanos = nowNanos;
    }
  }

  /** Returns where the HAL reports to; call {@link #advanceTo} first. */
  public Hal.Events events() {
    return answers;
  }

  /** Returns the index of an application, to submit its tasks with. */
  public int application(String name) {
    Integer index = applicationIndex.get(name);
    if (index == null) {
      throw InvalidInputException.of(
          "application",
          '"' + name + '"',
          "must be one of " + applicationIndex.keySet(),
          "register it before submitting");
    }
    return index;
  }

  /**
   * Accepts a task and asks the policy where it goes.
   *
   * @param nowNanos the time
   * @param application index from {@link #application}
   * @param sizeNanos service time on the reference worker, or {@link Task#UNKNOWN_SIZE} to have it
   *     predicted
   * @param deadlineNanos latest finish on time, or {@link Task#NO_DEADLINE}
   * @param weight at least 1
   * @param payload what the variants work on, or {@code null}
   * @return the id of the task
   * @throws InvalidInputException if the size, deadline or weight is out of range
   */
  public long submit(
      long nowNanos,
      int application,
      long sizeNanos,
      long deadlineNanos,
      int weight,
      @Nullable Object payload) {
    return submit(nowNanos, application, sizeNanos, deadlineNanos, weight, payload, null);
  }

  /**
   * Accepts a task as {@link #submit(long, int, long, long, int, Object)} does, and remembers an
   * object of the driver's with it.
   *
   * @param attachment what {@link #attachment} returns until the task's outcome is terminal
   */
  public long submit(
      long nowNanos,
      int application,
      long sizeNanos,
      long deadlineNanos,
      int weight,
      @Nullable Object payload,
      @Nullable Object attachment) {
    boolean predicted = sizeNanos == Task.UNKNOWN_SIZE && predictor != null;
    if ((sizeNanos < 0 && !predicted)
        || sizeNanos > Task.MAX_SIZE_NANOS
        || deadlineNanos < nowNanos
        || weight < 1) {
      throw refuse(nowNanos, sizeNanos, deadlineNanos, weight);
    }
    advanceTo(nowNanos);
    long size = predicted ? predictSize(application, payload) : sizeNanos;
    TaskState task = newTask();
    task.id = nextTaskId++;
    task.application = applications[application];
    task.arrivalNanos = nowNanos;
    task.deadlineNanos = deadlineNanos;
    task.sizeNanos = size;
    task.predicted = predicted;
    task.weight = weight;
    task.attempts = 0;
    task.cancelRequested = false;
    task.recallRequested = false;
    if (payload != null) {
      task.payload = payload;
    }
    if (attachment != null) {
      task.attachment = attachment;
    }
    long id = task.id;
    observer.onSubmitted(task, nowNanos);
    if (openCount > maxOpenTasks) {
      endRejected(task, RejectReason.QUEUE_FULL);
    } else {
      policy.onSubmit(task, context);
      if (task.id == id && task.phase == TaskState.HELD) {
        linkHeld(task);
      }
    }
    return id;
  }

  /**
   * Returns the size that a task of unknown size would be submitted with: the predictor's quantile.
   *
   * @throws InvalidInputException if the engine has no predictor
   */
  public long predictSize(int application, @Nullable Object payload) {
    RuntimePredictor by = predictor;
    if (by == null) {
      throw refuseSize(Task.UNKNOWN_SIZE);
    }
    long nanos =
        by.predict(applications[application].application, payload).quantileNanos(sizeQuantile);
    return Math.max(0, Math.min(nanos, Task.MAX_SIZE_NANOS));
  }

  /** Returns what the driver attached to an open task. */
  public static @Nullable Object attachment(Task task) {
    return ((TaskState) task).attachment;
  }

  /**
   * Withdraws an open task: held and queued ones end at once, a running one when the HAL answers.
   * Idempotent. O(load of the worker). A task whose run a HAL that runs ahead has begun, while the
   * answer to the run before is still under way, is left alone: see {@link #prepareCancel}.
   *
   * @param task the object an observer was given
   * @param taskId its id, to tell whether the object was recycled since
   * @return whether the task was open, and not left alone
   */
  public boolean cancel(Task task, long taskId, long nowNanos) {
    advanceTo(nowNanos);
    TaskState state = (TaskState) task;
    if (state.phase == TaskState.FREE || state.id != taskId) {
      return false;
    }
    WorkerState worker = state.worker;
    if (worker == null || state.phase == TaskState.HELD) {
      endCancelled(state, null, false);
    } else if (worker.head != state) {
      if (!withdraw(worker, state)) {
        return false;
      }
      worker.unlink(state);
      correctAvailability(
          worker, Math.max(clock.nowNanos, worker.availableAtNanos - state.expectedNanos));
      endCancelled(state, worker, false);
    } else if (state.phase == TaskState.QUEUED) {
      worker.dequeue();
      endCancelled(state, worker, true);
    } else if (!state.cancelRequested) {
      state.cancelRequested = true;
      if (worker.runId != 0) {
        hal.cancel(worker, worker.runId);
      }
    }
    return true;
  }

  /**
   * Tells whether {@link #cancel} can do its work now; if so, call it next. Only a task that the
   * HAL was given in advance ({@link Hal#runAhead}) and has begun cannot be cancelled: deliver the
   * HAL's events, after which the task counts as running, and try again.
   *
   * @param task the object an observer was given
   * @param taskId its id, to tell whether the object was recycled since
   */
  public boolean prepareCancel(Task task, long taskId) {
    TaskState state = (TaskState) task;
    WorkerState worker = state.worker;
    return state.phase != TaskState.QUEUED
        || state.id != taskId
        || worker == null
        || worker.head == state
        || withdraw(worker, state);
  }

  private boolean withdraw(WorkerState worker, TaskState task) {
    if (task.runId != 0 && !task.withdrawn) {
      task.withdrawn = hal.withdraw(worker, task.runId);
    }
    return task.runId == 0 || task.withdrawn;
  }

  /**
   * Returns a variant as it is now, with the speed of its worker type filled in.
   *
   * @throws IllegalArgumentException if no pool runs a variant of that id
   */
  public Variant variant(int application, String id) {
    for (List<Variant> variants : applications[application].byPool) {
      for (Variant variant : variants) {
        if (variant.id().equals(id)) {
          return variant;
        }
      }
    }
    throw new IllegalArgumentException("application " + application + " has no variant " + id);
  }

  /**
   * Changes the time model of a variant; tasks that are assigned already keep the one they were
   * assigned with. O(variants of the application).
   *
   * @param application index from {@link #application}
   * @param replacement a variant of the application with another fixed time or speed
   * @throws IllegalArgumentException if the application has no variant of that id
   */
  public void replaceVariant(int application, Variant replacement) {
    for (PoolState pool : pools) {
      if (pool.type.name().equals(replacement.workerType())
          && applications[application].replace(pool.index, replacement.resolvedFor(pool.type))) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "application " + application + " has no variant " + replacement);
  }

  /** Tells the policy that no further task will come. Idempotent. */
  public void drain(long nowNanos) {
    advanceTo(nowNanos);
    if (!draining) {
      draining = true;
      policy.onDrain(context);
      rescheduleTimers();
    }
  }

  /**
   * Returns a time before which {@link #fireTimers} has nothing to do; {@link Long#MAX_VALUE} when
   * there is no timer. Firing early is harmless.
   */
  public long nextTimerNanos() {
    return nextTimerNanos;
  }

  /** Runs the timers that are due: idle reclamation, then the policy's tick. */
  public void fireTimers(long nowNanos) {
    advanceTo(nowNanos);
    while (true) {
      PoolState due = pools[0];
      long expiryNanos = due.nextExpiryNanos();
      for (int i = 1; i < pools.length; i++) {
        long nanos = pools[i].nextExpiryNanos();
        if (nanos < expiryNanos) {
          expiryNanos = nanos;
          due = pools[i];
        }
      }
      if (expiryNanos <= nowNanos && expiryNanos <= wakeNanos) {
        WorkerState idle = due.expired(nowNanos);
        if (idle != null) {
          releaseWorker(idle);
        }
      } else if (wakeNanos <= nowNanos) {
        wakeNanos = Long.MAX_VALUE;
        ticking = true;
        policy.onTick(context);
        ticking = false;
      } else {
        nextTimerNanos = Math.min(expiryNanos, wakeNanos);
        return;
      }
    }
  }

  /** Tells whether the policy asked to be called at the end of this instant. */
  public boolean instantEndPending() {
    return instantEndPending;
  }

  /** Lets the policy decide about all that happened at this instant, if it asked to. */
  public void endInstant(long nowNanos) {
    if (instantEndPending) {
      advanceTo(nowNanos);
      instantEndPending = false;
      policy.onInstantEnd(context);
    }
  }

  /** Returns what the fleet used up to now, workers still allocated included. */
  public Usage usage() {
    List<Usage.Pool> accounts = new ArrayList<>();
    for (PoolState pool : pools) {
      accounts.add(account(pool));
    }
    return new Usage(accounts);
  }

  /** Returns how many tasks ended in which way so far. */
  public Tally tally() {
    return new Tally(
        nextTaskId,
        completedCount,
        rejectedCount,
        failedCount,
        cancelledCount,
        missedCount,
        openCount);
  }

  /** Returns how many completed tasks missed their deadline so far. */
  public long missedDeadlines() {
    return missedCount;
  }

  /** Returns how many stale or duplicate HAL events were ignored so far. */
  public long staleEvents() {
    return staleEvents;
  }

  /** Returns the number of workers allocated now. */
  public int allocatedWorkers() {
    int sum = 0;
    for (PoolState pool : pools) {
      sum += pool.allocated();
    }
    return sum;
  }

  /** Returns the ids of open tasks, ascending, at most {@code limit} of them. O(open tasks). */
  public List<Long> openTasks(int limit) {
    List<Long> ids = new ArrayList<>();
    for (TaskState task = oldestHeld; task != null; task = task.nextHeld) {
      ids.add(task.id);
    }
    for (PoolState pool : pools) {
      for (Worker worker : pool) {
        for (TaskState task = ((WorkerState) worker).head; task != null; task = task.next) {
          ids.add(task.id);
        }
      }
    }
    Collections.sort(ids);
    return ids.size() <= limit ? ids : List.copyOf(ids.subList(0, limit));
  }

  /** Returns the pools, for observers and checkers. */
  public List<WorkerPool> pools() {
    return poolViews;
  }

  // ---------------------------------------------------------------- tasks

  private TaskState newTask() {
    TaskState task = freeTasks;
    if (task == null) {
      task = new TaskState();
    } else {
      freeTasks = task.next;
      task.next = null;
    }
    task.phase = TaskState.HELD;
    openCount++;
    return task;
  }

  /** Lists a task that its policy holds, so that it can be named. */
  private void linkHeld(TaskState task) {
    if (task.listed) {
      return;
    }
    task.listed = true;
    task.previousHeld = newestHeld;
    if (newestHeld == null) {
      oldestHeld = task;
    } else {
      newestHeld.nextHeld = task;
    }
    newestHeld = task;
  }

  private void unlinkHeld(TaskState task) {
    TaskState before = task.previousHeld;
    TaskState after = task.nextHeld;
    if (before == null) {
      oldestHeld = after;
    } else {
      before.nextHeld = after;
    }
    if (after == null) {
      newestHeld = before;
    } else {
      after.previousHeld = before;
    }
    task.previousHeld = null;
    task.nextHeld = null;
    task.listed = false;
  }

  private void recycle(TaskState task) {
    if (task.listed) {
      unlinkHeld(task);
    }
    openCount--;
    task.phase = TaskState.FREE;
    if (task.payload != null) {
      task.payload = null;
    }
    if (task.attachment != null) {
      task.attachment = null;
    }
    task.next = freeTasks;
    freeTasks = task;
  }

  private void endRejected(TaskState task, RejectReason reason) {
    rejectedCount++;
    observer.onRejected(task, reason, clock.nowNanos);
    policy.onTaskDone(task, null, context);
    recycle(task);
  }

  private void endCancelled(TaskState task, @Nullable WorkerState worker, boolean settles) {
    cancelledCount++;
    task.worker = null;
    observer.onCancelled(task, clock.nowNanos);
    if (settles && worker != null) {
      settle(worker);
    }
    policy.onTaskDone(task, worker, context);
    recycle(task);
  }

  private void endFailed(TaskState task, WorkerState worker, Throwable cause, boolean settles) {
    failedCount++;
    task.worker = null;
    observer.onFailed(task, cause, clock.nowNanos);
    if (settles) {
      settle(worker);
    }
    policy.onTaskDone(task, worker, context);
    recycle(task);
  }

  /**
   * Gives a task whose attempt ended badly back to the policy, or ends it. Observers learn of it
   * before the worker starts its next task, the policy afterwards.
   *
   * @param settles whether the worker goes on with its FIFO; not if it is gone
   */
  private void reclaim(TaskState task, WorkerState worker, Throwable cause, boolean settles) {
    task.worker = null;
    boolean recalled = task.recallRequested;
    task.recallRequested = false;
    if (recalled) {
      task.attempts--;
    }
    if (task.cancelRequested) {
      endCancelled(task, worker, settles);
    } else if (recalled || (isRetryable(cause) && task.attempts < maxAttempts)) {
      giveBack(task, worker, settles);
    } else {
      endFailed(task, worker, cause, settles);
    }
  }

  private void giveBack(TaskState task, WorkerState worker, boolean settles) {
    task.phase = TaskState.HELD;
    observer.onReclaimed(task, worker, clock.nowNanos);
    if (settles) {
      settle(worker);
    }
    long id = task.id;
    policy.onSubmit(task, context);
    if (task.id == id && task.phase == TaskState.HELD) {
      linkHeld(task);
    }
  }

  /** Tells whether a failure was the hardware's, so that another worker may succeed. */
  private static boolean isRetryable(Throwable cause) {
    return cause instanceof DeviceException device
        && device.kind() != DeviceException.Kind.TIMED_OUT;
  }

  // ---------------------------------------------------------------- workers

  private @Nullable WorkerState provisionWorker(PoolState pool) {
    if (pool.headroom() == 0) {
      return null;
    }
    long spinUp = pool.type.spinUpNanos();
    long created = starting ? clock.nowNanos - spinUp : clock.nowNanos;
    WorkerState worker =
        new WorkerState(nextWorkerId++, workers.takeSlot(), pool, created, created + spinUp);
    workers.put(worker);
    pool.link(worker);
    nextTimerNanos = Math.min(nextTimerNanos, pool.nextExpiryNanos());
    observer.onProvisioned(worker, clock.nowNanos);
    hal.provision(worker);
    return worker;
  }

  private void releaseWorker(WorkerState worker) {
    PoolState pool = worker.pool;
    if (worker.state == Worker.State.SPINNING_UP) {
      pool.spinUpNanos += clock.nowNanos - worker.createdNanos;
    } else {
      pool.aliveNanos += clock.nowNanos - worker.readyNanos;
    }
    pool.spinDownNanos += pool.type.spinDownNanos();
    pool.unlink(worker);
    worker.state = Worker.State.RELEASED;
    hal.release(worker);
    observer.onGone(worker, worker.busyNanos, clock.nowNanos);
    policy.onWorkerGone(worker, context);
  }

  private void loseWorker(WorkerState worker, Throwable cause) {
    PoolState pool = worker.pool;
    TaskState head = worker.head;
    switch (worker.state) {
      case SPINNING_UP -> pool.spinUpNanos += clock.nowNanos - worker.createdNanos;
      case BUSY -> {
        pool.aliveNanos += clock.nowNanos - worker.readyNanos;
        if (head != null) {
          addBusy(worker, head);
        }
      }
      case LOADING -> {
        pool.aliveNanos += clock.nowNanos - worker.readyNanos;
        pool.loadNanos += clock.nowNanos - worker.loadStartNanos;
      }
      default -> pool.aliveNanos += clock.nowNanos - worker.readyNanos;
    }
    pool.lostCount++;
    boolean neverUp = worker.state == Worker.State.SPINNING_UP;
    TaskState begun = head != null && head.phase == TaskState.STARTED ? head : null;
    pool.unlink(worker);
    worker.state = Worker.State.LOST;
    worker.runId = 0;
    workers.freeSlot(worker.slot);
    List<TaskState> returned = new ArrayList<>();
    while (worker.load > 0) {
      returned.add(worker.dequeue());
    }
    observer.onGone(worker, worker.busyNanos, clock.nowNanos);
    policy.onWorkerGone(worker, context);
    Throwable loss =
        cause instanceof DeviceException
            ? cause
            : new DeviceException(
                DeviceException.Kind.LOST, worker + " was lost; see the cause", cause);
    for (TaskState task : returned) {
      if (task == begun) {
        reclaim(task, worker, loss, false);
      } else {
        reclaimQueued(task, worker, loss, neverUp);
      }
    }
  }

  /**
   * Gives a task that had not begun on a lost worker back to the policy, whatever the cause: it was
   * another task's or the hardware's. Waiting for a worker that never came up counts as an attempt,
   * so that hardware that cannot start fails the tasks in the end.
   */
  private void reclaimQueued(
      TaskState task, WorkerState worker, Throwable loss, boolean countsAsAttempt) {
    task.worker = null;
    if (countsAsAttempt) {
      task.attempts++;
    }
    if (task.cancelRequested) {
      endCancelled(task, worker, false);
    } else if (!countsAsAttempt || task.attempts < maxAttempts) {
      giveBack(task, worker, false);
    } else {
      endFailed(task, worker, loss, false);
    }
  }

  private void addBusy(WorkerState worker, TaskState task) {
    long nanos = clock.nowNanos - task.startNanos;
    worker.busyNanos += nanos;
    worker.pool.busyNanosByPower[task.powerClass] += nanos;
  }

  /** Starts what is at the head of an idle worker's FIFO and corrects its availability. */
  private void settle(WorkerState worker) {
    if (worker.state == Worker.State.SPINNING_UP) {
      correctAvailability(worker, worker.readyNanos + worker.expectedWorkNanos);
      return;
    }
    if (worker.load == 0) {
      worker.plannedImage = worker.image;
      correctAvailability(worker, clock.nowNanos);
    } else {
      correctAvailability(worker, clock.nowNanos + worker.expectedWorkNanos);
      startHead(worker);
    }
  }

  /**
   * Replaces an estimate that turned out wrong; with exact service times there is nothing to do.
   */
  private void correctAvailability(WorkerState worker, long nanos) {
    if (nanos != worker.availableAtNanos) {
      worker.pool.setAvailableAt(worker, nanos);
      nextTimerNanos = Math.min(nextTimerNanos, nanos + worker.pool.idleTimeoutNanos);
    }
  }

  private void startHead(WorkerState worker) {
    TaskState task = worker.head;
    Variant variant = task == null ? null : task.variant;
    if (task == null || variant == null) {
      throw new IllegalStateException(worker + " has nothing to start");
    }
    task.phase = TaskState.STARTED;
    task.attempts++;
    String image = variant.image();
    if (image != null && !image.equals(worker.image)) {
      worker.state = Worker.State.LOADING;
      worker.loadStartNanos = clock.nowNanos;
      observer.onLoading(worker, variant, clock.nowNanos);
      hal.load(worker, variant);
    } else {
      runHead(worker, task, variant);
    }
  }

  private void runHead(WorkerState worker, TaskState task, Variant variant) {
    worker.state = Worker.State.BUSY;
    boolean given = task.runId != 0;
    if (!given) {
      worker.issue(task, ++nextRunId);
    }
    worker.runId = task.runId;
    task.startNanos = clock.nowNanos;
    observer.onStarted(task, worker, variant, clock.nowNanos);
    if (!given) {
      hal.run(worker, task, variant, worker.runId);
    }
    if (worker.pool.runAhead > 0) {
      runAhead(worker);
    }
  }

  /** Gives a HAL that runs ahead the next tasks of a busy worker that need no other image. */
  private void runAhead(WorkerState worker) {
    int most = worker.pool.runAhead;
    while (worker.issued <= most) {
      TaskState last = worker.lastIssued;
      TaskState task = last == null ? null : last.next;
      Variant variant = task == null ? null : task.variant;
      if (task == null || variant == null) {
        return;
      }
      String image = variant.image();
      if (image != null && !image.equals(worker.image)) {
        return;
      }
      worker.issue(task, ++nextRunId);
      hal.run(worker, task, variant, task.runId);
    }
  }

  private void rescheduleTimers() {
    long next = wakeNanos;
    for (PoolState pool : pools) {
      next = Math.min(next, pool.nextExpiryNanos());
    }
    nextTimerNanos = next;
  }

  // ---------------------------------------------------------------- accounts

  private Usage.Pool account(PoolState pool) {
    long spinUp = pool.spinUpNanos;
    long alive = pool.aliveNanos;
    long load = pool.loadNanos;
    long[] busy = pool.busyNanosByPower.clone();
    for (Worker view : pool) {
      WorkerState worker = (WorkerState) view;
      if (worker.state == Worker.State.SPINNING_UP) {
        spinUp += clock.nowNanos - worker.createdNanos;
        continue;
      }
      alive += clock.nowNanos - worker.readyNanos;
      if (worker.state == Worker.State.LOADING) {
        load += clock.nowNanos - worker.loadStartNanos;
      } else if (worker.state == Worker.State.BUSY && worker.head != null) {
        busy[worker.head.powerClass] += clock.nowNanos - worker.head.startNanos;
      }
    }
    List<Usage.Busy> parts = new ArrayList<>();
    for (int i = 0; i < busy.length; i++) {
      parts.add(new Usage.Busy(pool.powerMilliwatts[i], busy[i]));
    }
    return new Usage.Pool(
        pool.type,
        pool.provisionedCount,
        pool.lostCount,
        pool.completedCount,
        pool.missedCount,
        spinUp,
        alive,
        load,
        pool.spinDownNanos,
        parts);
  }

  private static InvalidInputException refuse(
      long nowNanos, long sizeNanos, long deadlineNanos, int weight) {
    if (sizeNanos < 0 || sizeNanos > Task.MAX_SIZE_NANOS) {
      return refuseSize(sizeNanos);
    }
    if (deadlineNanos < nowNanos) {
      return InvalidInputException.of(
          "task deadline (ns)",
          deadlineNanos,
          "must not be before the arrival at " + nowNanos,
          "give the latest finish, or Task.NO_DEADLINE");
    }
    return InvalidInputException.of("task weight", weight, "must be >= 1", "use 1 for equal tasks");
  }

  private static InvalidInputException refuseSize(long sizeNanos) {
    return sizeNanos == Task.UNKNOWN_SIZE
        ? InvalidInputException.of(
            "task size",
            "unknown",
            "needs a runtime predictor",
            "give the service time on the reference worker, or configure a predictor")
        : InvalidInputException.of(
            "task size (ns)",
            sizeNanos,
            "must be between 0 and " + Task.MAX_SIZE_NANOS,
            "give the service time on the reference worker");
  }

  // ---------------------------------------------------------------- HAL events

  /** Receives what the HAL reports. */
  private final class Answers implements Hal.Events {
    @Override
    public void ready(Worker view) {
      WorkerState worker = (WorkerState) view;
      if (worker.state != Worker.State.SPINNING_UP) {
        staleEvents++;
        return;
      }
      worker.state = Worker.State.IDLE;
      worker.pool.becomeReady(worker, clock.nowNanos);
      observer.onReady(worker, clock.nowNanos);
      nextTimerNanos = Math.min(nextTimerNanos, worker.pool.nextExpiryNanos());
      if (worker.load > 0) {
        startHead(worker);
      }
      policy.onWorkerReady(worker, context);
    }

    @Override
    public void loaded(Worker view) {
      WorkerState worker = (WorkerState) view;
      TaskState task = worker.head;
      if (worker.state != Worker.State.LOADING || task == null || task.variant == null) {
        staleEvents++;
        return;
      }
      worker.pool.loadNanos += clock.nowNanos - worker.loadStartNanos;
      worker.image = task.variant.image();
      if (task.cancelRequested) {
        worker.state = Worker.State.IDLE;
        worker.dequeue();
        endCancelled(task, worker, true);
      } else {
        runHead(worker, task, task.variant);
      }
      policy.onWorkerReady(worker, context);
    }

    @Override
    public void loadFailed(Worker view, Throwable cause) {
      WorkerState worker = (WorkerState) view;
      if (worker.state != Worker.State.LOADING) {
        staleEvents++;
        return;
      }
      worker.pool.loadNanos += clock.nowNanos - worker.loadStartNanos;
      worker.image = null;
      worker.state = Worker.State.IDLE;
      TaskState task = worker.dequeue();
      reclaim(task, worker, cause, true);
    }

    @Override
    public void completed(
        Worker view, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      WorkerState worker = (WorkerState) view;
      if (worker.runId != runId || runId == 0) {
        staleEvents++;
        return;
      }
      TaskState task = endRun(worker);
      Variant variant = Objects.requireNonNull(task.variant);
      PoolState pool = worker.pool;
      completedCount++;
      pool.completedCount++;
      if (clock.nowNanos > task.deadlineNanos) {
        missedCount++;
        pool.missedCount++;
      }
      if (predictor != null) {
        predictor.observe(
            task.application(), task.payload, variant.sizeNanos(clock.nowNanos - task.startNanos));
      }
      observer.onCompleted(task, worker, variant, task.startNanos, clock.nowNanos, result, energy);
      settle(worker);
      policy.onTaskDone(task, worker, context);
      recycle(task);
    }

    @Override
    public void failed(Worker view, long runId, Throwable cause) {
      WorkerState worker = (WorkerState) view;
      if (worker.runId != runId || runId == 0) {
        staleEvents++;
        return;
      }
      TaskState task = endRun(worker);
      reclaim(task, worker, cause, true);
    }

    @Override
    public void lost(Worker view, Throwable cause) {
      WorkerState worker = (WorkerState) view;
      if (worker.isGone()) {
        staleEvents++;
        return;
      }
      loseWorker(worker, cause);
    }

    @Override
    public void released(Worker view) {
      WorkerState worker = (WorkerState) view;
      if (worker.state != Worker.State.RELEASED || worker.slotFreed) {
        staleEvents++;
        return;
      }
      worker.slotFreed = true;
      workers.freeSlot(worker.slot);
    }

    private TaskState endRun(WorkerState worker) {
      TaskState task = worker.dequeue();
      worker.runId = 0;
      worker.state = Worker.State.IDLE;
      addBusy(worker, task);
      return task;
    }
  }

  // ---------------------------------------------------------------- policy commands

  /** Offers the policy views and commands. */
  private final class Context implements SchedulingContext {
    @Override
    public long nowNanos() {
      return clock.nowNanos;
    }

    @Override
    public List<WorkerPool> pools() {
      return poolViews;
    }

    @Override
    public List<Variant> variants(Task task, WorkerPool pool) {
      return ((TaskState) task).entry().byPool.get(pool.index());
    }

    @Override
    public @Nullable Variant variant(Task task, WorkerPool pool) {
      ApplicationEntry entry = ((TaskState) task).entry();
      int index = pool.index();
      Variant only = entry.only[index];
      if (only != null) {
        return only;
      }
      List<Variant> candidates = entry.byPool.get(index);
      return candidates.isEmpty()
          ? null
          : variantPolicy.select(task, pool, candidates, clock.nowNanos);
    }

    @Override
    public RuntimePredictor.Prediction prediction(Task task) {
      RuntimePredictor by = predictor;
      return by != null && ((TaskState) task).predicted
          ? by.predict(task.application(), task.payload())
          : RuntimePredictor.Prediction.exact(task.sizeNanos());
    }

    @Override
    public long assign(Task task, Worker worker) {
      Variant variant = variant(task, worker.pool());
      if (variant == null) {
        throw violation("POL-1", task, worker, "has no variant for it");
      }
      return assign(task, worker, variant);
    }

    @Override
    public long assign(Task view, Worker chosen, Variant variant) {
      TaskState task = (TaskState) view;
      WorkerState worker = (WorkerState) chosen;
      if (task.phase != TaskState.HELD) {
        throw violation("POL-3", view, chosen, "is not held but " + task.phaseName());
      }
      if (worker.isGone()) {
        throw violation("POL-1", view, chosen, "cannot go to a worker that is " + worker.state);
      }
      PoolState pool = worker.pool;
      int position = positionOf(variant, task.entry(), pool.index);
      if (position < 0) {
        throw violation("POL-1", view, chosen, "cannot run there as variant " + variant);
      }
      long service = variant.serviceNanos(task.sizeNanos);
      String image = variant.image();
      if (image != null && !image.equals(worker.plannedImage)) {
        service += pool.type.loadNanos();
        worker.plannedImage = image;
      }
      if (task.listed) {
        unlinkHeld(task);
      }
      task.phase = TaskState.QUEUED;
      task.worker = worker;
      task.variant = variant;
      task.powerClass = task.entry().powerClass[pool.index][position];
      task.expectedNanos = service;
      worker.enqueue(task);
      pool.setAvailableAt(worker, Math.max(worker.availableAtNanos, clock.nowNanos) + service);
      observer.onAssigned(task, worker, variant, clock.nowNanos);
      if (worker.state == Worker.State.IDLE) {
        startHead(worker);
      } else if (pool.runAhead > 0 && worker.state == Worker.State.BUSY) {
        runAhead(worker);
      }
      return service;
    }

    private int positionOf(Variant variant, ApplicationEntry entry, int pool) {
      if (entry.only[pool] == variant) {
        return 0;
      }
      List<Variant> candidates = entry.byPool.get(pool);
      for (int i = 0; i < candidates.size(); i++) {
        Variant candidate = candidates.get(i);
        if (candidate == variant || (entry.recalibrated && candidate.id().equals(variant.id()))) {
          return i;
        }
      }
      return -1;
    }

    @Override
    public void foresee(Task view, Outlook outlook) {
      requireHeld(view, " foresaw the end of ");
      observer.onForeseen(view, outlook, nowNanos());
    }

    @Override
    public void reject(Task view, RejectReason reason) {
      requireHeld(view, " rejected ");
      endRejected((TaskState) view, reason);
    }

    private void requireHeld(Task view, String what) {
      TaskState task = (TaskState) view;
      if (task.phase != TaskState.HELD) {
        throw new IllegalStateException(
            "POL-3: policy " + policy.name() + what + view + ", which is " + task.phaseName());
      }
    }

    @Override
    public @Nullable Worker provision(WorkerPool pool) {
      return provisionWorker((PoolState) pool);
    }

    @Override
    public void release(Worker view) {
      WorkerState worker = (WorkerState) view;
      if (worker.load > 0 || worker.isGone() || worker.state == Worker.State.LOADING) {
        throw new IllegalStateException(
            "policy "
                + policy.name()
                + " released "
                + worker
                + ", which is "
                + worker.state
                + " with "
                + worker.load
                + " tasks");
      }
      releaseWorker(worker);
    }

    @Override
    public void keep(WorkerPool view, int workers) {
      if (workers < 0) {
        throw new IllegalStateException(
            "policy " + policy.name() + " asked to keep " + workers + " workers");
      }
      PoolState pool = (PoolState) view;
      pool.kept = workers;
      pool.keptSinceNanos = clock.nowNanos;
      nextTimerNanos = Math.min(nextTimerNanos, pool.nextExpiryNanos());
    }

    @Override
    public void idleTimeout(WorkerPool view, long nanos) {
      if (nanos < 0) {
        throw new IllegalStateException(
            "policy " + policy.name() + " asked for an idle timeout of " + nanos + " ns");
      }
      PoolState pool = (PoolState) view;
      pool.idleTimeoutNanos = nanos;
      nextTimerNanos = Math.min(nextTimerNanos, pool.nextExpiryNanos());
    }

    @Override
    public void wakeAt(long nanos) {
      if (nanos < clock.nowNanos || (ticking && nanos == clock.nowNanos)) {
        throw new IllegalStateException(
            "policy "
                + policy.name()
                + " asked to wake at "
                + nanos
                + ", now is "
                + clock.nowNanos);
      }
      wakeNanos = nanos;
      nextTimerNanos = Math.min(nextTimerNanos, nanos);
    }

    @Override
    public void wakeAtInstantEnd() {
      instantEndPending = true;
    }

    @Override
    public boolean recall(Worker view) {
      WorkerState worker = (WorkerState) view;
      TaskState task = worker.head;
      if (task == null || worker.runId == 0) {
        return false;
      }
      if (!task.cancelRequested && !task.recallRequested) {
        task.recallRequested = true;
        hal.cancel(worker, worker.runId);
      }
      return true;
    }

    private IllegalStateException violation(String rule, Task task, Worker worker, String what) {
      return new IllegalStateException(
          rule
              + ": policy "
              + policy.name()
              + " assigned "
              + task
              + " to "
              + worker
              + ", but it "
              + what);
    }
  }

  /** Builds an {@link Engine}. */
  public static final class Builder {
    private final SchedulingPolicy policy;
    private final Hal hal;
    private final List<WorkerType> types = new ArrayList<>();
    private final List<Application> applications = new ArrayList<>();
    private final Set<Capability> workload = EnumSet.noneOf(Capability.class);
    private EngineObserver observer = EngineObserver.NONE;
    private int maxOpenTasks = DEFAULT_MAX_OPEN_TASKS;
    private int maxAttempts = DEFAULT_MAX_ATTEMPTS;
    private @Nullable RuntimePredictor predictor;
    private double sizeQuantile;

    private Builder(SchedulingPolicy policy, Hal hal) {
      this.policy = policy;
      this.hal = hal;
    }

    /** Adds worker types; their order is the order of the pools. */
    public Builder workerTypes(List<WorkerType> values) {
      types.addAll(values);
      return this;
    }

    /** Adds applications; tasks refer to them by the order of declaration. */
    public Builder applications(List<Application> values) {
      applications.addAll(values);
      return this;
    }

    /** Declares what the workload offers, to be held against what the policy requires. */
    public Builder workloadCapabilities(Set<Capability> values) {
      workload.addAll(values);
      return this;
    }

    /** Sets who watches. */
    public Builder observer(EngineObserver value) {
      observer = value;
      return this;
    }

    /** Bounds the open tasks; at the bound a new task is rejected as QUEUE_FULL. */
    public Builder maxOpenTasks(int value) {
      if (value < 1) {
        throw InvalidInputException.of(
            "max open tasks", value, "must be >= 1", "give the number of tasks to hold at most");
      }
      maxOpenTasks = value;
      return this;
    }

    /** Bounds how often a task is tried when hardware fails under it. */
    public Builder maxAttempts(int value) {
      if (value < 1) {
        throw InvalidInputException.of(
            "max attempts", value, "must be >= 1", "use 1 for no second attempt");
      }
      maxAttempts = value;
      return this;
    }

    /**
     * Sets what predicts the size of tasks submitted with {@link Task#UNKNOWN_SIZE}, and learns
     * from every completed task.
     *
     * @param value the predictor; it belongs to this engine
     * @param quantile which quantile of a prediction policies plan with, above 0 and below 1; the
     *     higher, the fewer tasks take longer than planned
     */
    public Builder predictor(RuntimePredictor value, double quantile) {
      if (!(quantile > 0 && quantile < 1)) {
        throw InvalidInputException.of(
            "size quantile", quantile, "must be above 0 and below 1", "use 0.5 for the median");
      }
      predictor = value;
      sizeQuantile = quantile;
      return this;
    }

    /**
     * Builds the engine.
     *
     * @throws InvalidInputException if there is no worker type or application, a name repeats, or
     *     an application has no variant for the fleet
     * @throws UnsupportedException if the policy needs what neither workload nor HAL offers
     */
    public Engine build() {
      requireSome("worker types", types);
      requireSome("applications", applications);
      requireUnique("worker type name", types.stream().map(WorkerType::name).toList());
      requireUnique("application name", applications.stream().map(Application::name).toList());
      Set<Capability> offered = EnumSet.noneOf(Capability.class);
      offered.addAll(workload);
      offered.addAll(hal.capabilities());
      Set<Capability> missing = EnumSet.noneOf(Capability.class);
      missing.addAll(policy.requirements());
      missing.removeAll(offered);
      if (!missing.isEmpty()) {
        throw UnsupportedException.missing("policy " + policy.name(), missing, offered);
      }
      return new Engine(this);
    }

    private static void requireSome(String what, List<?> values) {
      if (values.isEmpty()) {
        throw InvalidInputException.of(what, values, "must not be empty", "declare at least one");
      }
    }

    private static void requireUnique(String what, List<String> names) {
      Set<String> seen = new HashSet<>();
      for (String name : names) {
        if (!seen.add(name)) {
          throw InvalidInputException.of(what, '"' + name + '"', "must be unique", "rename one");
        }
      }
    }
  }
}
