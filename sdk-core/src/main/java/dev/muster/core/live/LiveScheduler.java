package dev.muster.core.live;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.RuntimePredictor;
import dev.muster.api.Scheduler;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.engine.Usage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives an engine in real time: the {@link Scheduler} for a host application.
 *
 * <p>One thread owns the engine. Submissions reach it through one bounded inbox, what the HAL
 * reports through another, cancellations through a linked stack; it takes HAL events first, then
 * fires timers, then takes submissions, a batch at a time, and parks until the next timer when
 * there is nothing to do. Time is {@link System#nanoTime()} since the start. In steady state the
 * thread allocates nothing; what the host keeps (its handles and outcomes) is allocated by the
 * threads that ask for it.
 *
 * <p>An error thrown by the policy, an observer or the engine stops the scheduler: every open task
 * fails with it, the HAL is closed, and {@link #failure()} returns it.
 */
public final class LiveScheduler implements Scheduler {
  /** Bounds the inbox unless {@link Builder#inboxCapacity} says otherwise. */
  public static final int DEFAULT_INBOX_CAPACITY = 1 << 14;

  /** Says what happens to a submission that finds the inbox full. */
  public enum WhenFull {
    /** The submission is refused at once, as QUEUE_FULL. */
    REJECT,
    /** The caller waits until there is room or the scheduler closes. */
    BLOCK
  }

  private static final Logger LOG = LoggerFactory.getLogger(LiveScheduler.class);
  private static final int EVENT_INBOX_CAPACITY = 1 << 12;
  private static final int BATCH = 32;
  private static final long CANCEL_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration HAL_CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final byte SUBMIT = 0;

  private static final VarHandle PARKED;

  static {
    try {
      PARKED = MethodHandles.lookup().findVarHandle(LiveScheduler.class, "parked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Engine engine;
  private final Hal hal;
  private final Map<String, Integer> applicationIndex;
  private final WhenFull whenFull;
  private final long spinNanos;
  private final @Nullable EventLog log;
  private final @Nullable Calibration calibration;
  private final boolean predicts;
  private final long originNanos;
  private final Inbox submissions;
  private final Inbox halEvents = new Inbox(EVENT_INBOX_CAPACITY);
  private final EventRing ownEvents = new EventRing();
  private final EventRing.Receiver receiver = this::handle;
  private final HalEvents halInbox = new HalEvents();
  private final Delivery delivery = new Delivery();
  private final AtomicReference<@Nullable LiveTask> cancelStack = new AtomicReference<>();
  private final AtomicReference<@Nullable Query> queries = new AtomicReference<>();
  private final AtomicLong refusedCount = new AtomicLong();
  private final AtomicLong waitCount = new AtomicLong();
  private final Notifier notifier;
  private final Thread thread;
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile boolean parked;
  private volatile long closeAtNanos = Long.MAX_VALUE;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable CloseReport report;
  private volatile @Nullable Usage lastUsage;

  // Below: written by the scheduler thread, read by others through Counter.
  private final Counter completedCount = new Counter();
  private final Counter rejectedCount = new Counter();
  private final Counter failedCount = new Counter();
  private final Counter cancelledCount = new Counter();
  private final Counter missedCount = new Counter();

  // Below: the scheduler thread's.
  private @Nullable LiveTask oldestOpen;
  private @Nullable LiveTask newestOpen;
  private long openCount;
  private @Nullable LiveTask cancelLater;
  private boolean drained;
  private boolean cancelling;
  private long cancelledAtClose;
  private long abandonedCount;
  private long abandonAtNanos = Long.MAX_VALUE;

  private LiveScheduler(Builder b) {
    hal = b.hal;
    whenFull = b.whenFull;
    spinNanos = b.spinNanos;
    submissions = new Inbox(b.inboxCapacity);
    log = b.log;
    calibration = b.calibration;
    List<Application> applications =
        calibration == null ? b.applications : calibration.applyTo(b.applications);
    List<EngineObserver> observers = new ArrayList<>(b.observers);
    if (log != null) {
      observers.add(0, log.decisions());
    }
    observers.add(delivery);
    if (calibration != null) {
      observers.add(calibration.observer());
    }
    predicts = b.predictor != null;
    Engine.Builder builder =
        Engine.builder(b.policy, new HalGate())
            .workerTypes(b.types)
            .applications(applications)
            .workloadCapabilities(b.workload)
            .observer(Observers.of(observers))
            .maxOpenTasks(b.maxOpenTasks)
            .maxAttempts(b.maxAttempts);
    if (b.predictor != null) {
      builder.predictor(b.predictor, b.sizeQuantile);
    }
    engine = builder.build();
    Map<String, Integer> index = new LinkedHashMap<>();
    for (int i = 0; i < applications.size(); i++) {
      index.put(applications.get(i).name(), i);
    }
    applicationIndex = Map.copyOf(index);
    if (log != null) {
      int[] ahead = b.types.stream().mapToInt(hal::runAhead).toArray();
      log.begin(b.policy.name(), b.maxOpenTasks, b.maxAttempts, b.types, ahead, applications);
    }
    notifier = new Notifier(b.name + "-callbacks");
    thread = Thread.ofPlatform().name(b.name + "-scheduler").unstarted(this::runThread);
    originNanos = System.nanoTime();
  }

  /**
   * Starts to describe a scheduler for a policy and a HAL. A policy keeps state: use a new one per
   * scheduler.
   */
  public static Builder builder(SchedulingPolicy policy, Hal hal) {
    return new Builder(policy, hal);
  }

  // ---------------------------------------------------------------- the host's side

  @Override
  public Handle submit(Submission submission) {
    Integer application = applicationIndex.get(submission.application());
    if (application == null) {
      throw InvalidInputException.of(
          "application",
          '"' + submission.application() + '"',
          "must be one of " + applicationIndex.keySet(),
          "register it before submitting");
    }
    if (submission.sizeNanos() == Task.UNKNOWN_SIZE && !predicts) {
      throw InvalidInputException.of(
          "task size",
          "unknown",
          "needs a runtime predictor",
          "give the service time on the reference worker, or build the scheduler with a predictor");
    }
    long now = nowNanos();
    long left = submission.deadlineNanos();
    long deadline = left > Task.NO_DEADLINE - now ? Task.NO_DEADLINE : now + left;
    LiveTask task = new LiveTask(this, application, now, deadline, submission);
    Inbox.Offer offer = submissions.offer(SUBMIT, task, 0, null, null);
    if (offer == Inbox.Offer.FULL && whenFull == WhenFull.BLOCK) {
      waitCount.incrementAndGet();
      offer =
          submissions.put(SUBMIT, task, 0, null, null) ? Inbox.Offer.ACCEPTED : Inbox.Offer.SEALED;
    }
    if (offer == Inbox.Offer.ACCEPTED) {
      wake();
    } else {
      refusedCount.incrementAndGet();
      task.reject(offer == Inbox.Offer.FULL ? RejectReason.QUEUE_FULL : RejectReason.CLOSED);
    }
    return task;
  }

  @Override
  public Stats stats() {
    // What ended first and what came in last, so that a task in between counts as open.
    long completed = completedCount.value();
    long rejected = rejectedCount.value();
    long failed = failedCount.value();
    long cancelled = cancelledCount.value();
    long missed = missedCount.value();
    long accepted = submissions.acceptedCount();
    return new Stats(
        accepted,
        refusedCount.get(),
        waitCount.get(),
        completed,
        rejected,
        failed,
        cancelled,
        missed,
        accepted - completed - rejected - failed - cancelled);
  }

  /**
   * Returns what the fleet used so far, or up to the end once the scheduler has closed.
   *
   * @throws InterruptedException if interrupted while the scheduler thread computes it
   */
  public Usage usage() throws InterruptedException {
    Query query = new Query();
    Query head;
    do {
      head = queries.get();
      query.next = head;
    } while (!queries.compareAndSet(head, query));
    wake();
    while (true) {
      Usage last = lastUsage;
      if (last != null) {
        return last;
      }
      if (query.answered.await(1, TimeUnit.MILLISECONDS)) {
        return Objects.requireNonNull(query.usage);
      }
    }
  }

  /** Returns the time on the clock that task and outcome times are on: nanoseconds since start. */
  public long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public CloseReport close(Duration drainTimeout) {
    submissions.seal();
    synchronized (started) {
      if (closeAtNanos == Long.MAX_VALUE) {
        closeAtNanos = nowNanos() + Math.max(0, LiveTask.saturatedNanos(drainTimeout));
      }
    }
    wake();
    if (thread.equals(Thread.currentThread())) {
      throw new IllegalStateException("close must not be called from a policy or an observer");
    }
    awaitEnd();
    return Objects.requireNonNull(report);
  }

  /** Puts a task on the list of those to cancel; each comes here once at most. */
  void requestCancel(LiveTask task) {
    LiveTask head;
    do {
      head = cancelStack.get();
      task.nextCancelled = head;
    } while (!cancelStack.compareAndSet(head, task));
    wake();
  }

  /** Waits until both threads have ended; an interruption is kept for later. */
  private void awaitEnd() {
    boolean interrupted = false;
    while (true) {
      try {
        ended.await();
        thread.join();
        notifier.awaitEnd(HAL_CLOSE_TIMEOUT.toMillis());
        break;
      } catch (InterruptedException e) {
        interrupted = true; // ending must not be left half done
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void wake() {
    VarHandle.fullFence(); // what was published, before the look at whether anyone must be woken
    if (parked && PARKED.compareAndSet(this, true, false)) {
      LockSupport.unpark(thread);
    }
  }

  // ---------------------------------------------------------------- the scheduler thread

  private LiveScheduler start() {
    notifier.start();
    thread.start();
    try {
      started.join();
    } catch (java.util.concurrent.CompletionException e) {
      awaitEnd(); // a scheduler that did not start leaves no thread behind
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
    return this;
  }

  @SuppressWarnings("CatchingUnchecked") // whatever it is, every open task must hear of it
  private void runThread() {
    List<String> devices = List.of();
    try {
      engine.start();
      started.complete(null);
      loop();
    } catch (Throwable t) {
      failure = t;
      LOG.error("The scheduler stops; every open task fails with the cause.", t);
    } finally {
      devices = shutDown();
      report = new CloseReport(cancelledAtClose, abandonedCount, devices);
      ended.countDown();
      Throwable cause = failure;
      if (cause != null) {
        started.completeExceptionally(cause);
      }
    }
  }

  private void loop() {
    while (true) {
      boolean worked = takeHalEvents();
      long now = nowNanos();
      if (now >= engine.nextTimerNanos()) {
        fireTimers(now);
        worked = true;
      }
      worked |= takeSubmissions();
      worked |= takeCancellations();
      if (engine.instantEndPending()) {
        endInstant(nowNanos());
        worked = true;
      }
      answerQueries();
      if (closeAtNanos != Long.MAX_VALUE && advanceClosing(nowNanos())) {
        return;
      }
      if (!worked) {
        idle();
      }
    }
  }

  private boolean takeHalEvents() {
    int taken = 0;
    while (taken < BATCH) {
      if (!ownEvents.isEmpty()) {
        ownEvents.deliverTo(receiver);
      } else if (halEvents.poll()) {
        Object worker = Objects.requireNonNull(halEvents.subject);
        handle(halEvents.kind, worker, halEvents.number, halEvents.first, halEvents.second);
      } else {
        break;
      }
      taken++;
    }
    if (taken > 0) {
      halEvents.clear();
      halEvents.signalRoom();
    }
    return taken > 0;
  }

  private void handle(
      byte kind, Object subject, long runId, @Nullable Object first, @Nullable Object second) {
    Worker worker = (Worker) subject;
    long now = nowNanos();
    engine.advanceTo(now);
    if (log != null) {
      log.halEvent(kind, worker, runId, first, now);
    }
    HalEvent.deliver(kind, worker, runId, first, second, engine.events());
    if (calibration != null && calibration.hasChanges()) {
      calibration.takeChanges((application, variant) -> recalibrate(application, variant, now));
    }
  }

  private void recalibrate(Application application, Variant variant, long now) {
    int index = engine.application(application.name());
    if (log != null) {
      log.calibrated(index, variant, now);
    }
    engine.replaceVariant(index, variant);
  }

  private void fireTimers(long now) {
    if (log != null) {
      log.timers(now);
    }
    engine.fireTimers(now);
  }

  private void endInstant(long now) {
    if (log != null) {
      log.instantEnd(now);
    }
    engine.endInstant(now);
  }

  private boolean takeSubmissions() {
    int taken = 0;
    while (taken < BATCH && submissions.poll()) {
      accept((LiveTask) Objects.requireNonNull(submissions.subject));
      taken++;
    }
    if (taken > 0) {
      submissions.clear();
      submissions.signalRoom();
    }
    return taken > 0;
  }

  private void accept(LiveTask live) {
    link(live);
    if (live.isCancelRequested()) {
      endCancelled(live);
      return;
    }
    long now = nowNanos();
    // It may have waited past its deadline; the policy sees a task that is due at once.
    long deadline = Math.max(live.deadlineNanos, now);
    if (log != null) {
      long size =
          live.sizeNanos == Task.UNKNOWN_SIZE
              ? engine.predictSize(live.application, live.payload)
              : live.sizeNanos;
      log.submit(live.application, size, deadline, live.weight, now);
    }
    engine.submit(now, live.application, live.sizeNanos, deadline, live.weight, live.payload, live);
  }

  private boolean takeCancellations() {
    LiveTask again = cancelLater;
    if (again == null && cancelStack.get() == null) {
      return false;
    }
    cancelLater = null;
    cancelAll(again);
    cancelAll(cancelStack.getAndSet(null));
    return true;
  }

  private void cancelAll(@Nullable LiveTask first) {
    LiveTask live = first;
    while (live != null) {
      LiveTask next = live.nextCancelled;
      live.nextCancelled = null;
      cancelNow(live);
      live = next;
    }
  }

  /**
   * Cancels an open task; one that is still in the inbox is cancelled when it is taken, one whose
   * worker is ahead of us once we have caught up.
   */
  private void cancelNow(LiveTask live) {
    Task task = live.task;
    if (task != null) {
      if (!engine.prepareCancel(task, live.taskId)) {
        live.nextCancelled = cancelLater;
        cancelLater = live;
        return;
      }
      long now = nowNanos();
      if (log != null) {
        log.cancel(live.taskId, now);
      }
      engine.cancel(task, live.taskId, now);
    }
  }

  private void answerQueries() {
    if (queries.get() != null) {
      engine.advanceTo(nowNanos());
      Usage usage = engine.usage();
      for (Query query = queries.getAndSet(null); query != null; query = query.next) {
        query.usage = usage;
        query.answered.countDown();
      }
    }
  }

  /** Goes on with closing; tells whether the loop is to end. */
  private boolean advanceClosing(long now) {
    if (!drained && submissions.isExhausted()) {
      drained = true;
      if (log != null) {
        log.drain(now);
      }
      engine.drain(now);
    }
    if (drained && openCount == 0) {
      return true;
    }
    if (!cancelling && drained && now >= closeAtNanos) {
      cancelling = true;
      cancelledAtClose = openCount;
      abandonAtNanos = now + CANCEL_GRACE_NANOS;
      for (LiveTask live = oldestOpen; live != null; ) {
        LiveTask next = live.nextOpen;
        if (!live.isCancelRequested() && live.requestCancelByClose()) {
          cancelNow(live);
        }
        live = next;
      }
    }
    return now >= abandonAtNanos;
  }

  @SuppressWarnings("ThreadPriorityCheck") // only speed depends on what yielding does
  private void idle() {
    long now = nowNanos();
    long until = engine.nextTimerNanos();
    if (closeAtNanos != Long.MAX_VALUE) {
      until = Math.min(until, cancelling ? abandonAtNanos : closeAtNanos);
    }
    long spinUntil = Math.min(until, now + spinNanos);
    while (nowNanos() < spinUntil) {
      if (hasWork()) {
        return;
      }
      Thread.yield(); // the thread we wait for may be in need of this core
    }
    parked = true;
    if (hasWork()) {
      parked = false;
      return;
    }
    if (until == Long.MAX_VALUE) {
      LockSupport.park(this);
    } else {
      long left = until - nowNanos();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
      }
    }
    parked = false;
    Thread.interrupted(); // nobody's business here, and it would turn parking into spinning
  }

  private boolean hasWork() {
    return halEvents.hasEntry()
        || submissions.hasEntry()
        || cancelStack.get() != null
        || queries.get() != null
        || (closeAtNanos != Long.MAX_VALUE && !drained && submissions.isExhausted());
  }

  /** Ends what is open, closes the HAL and lets the other threads go. */
  @SuppressWarnings("CatchingUnchecked")
  private List<String> shutDown() {
    submissions.seal();
    halEvents.seal(); // from here on the HAL's events fall on the floor, and never block it
    Throwable cause = failure;
    while (!submissions.isExhausted()) {
      if (submissions.poll()) {
        link((LiveTask) Objects.requireNonNull(submissions.subject));
      } else {
        Thread.onSpinWait(); // a producer is between its claim and its publication
      }
    }
    abandonedCount = cause == null ? openCount : 0;
    while (oldestOpen != null) {
      LiveTask live = oldestOpen;
      if (cause == null) {
        endCancelled(live);
      } else {
        Task task = live.task;
        endFailed(live, cause, task == null ? 0 : task.attempts());
      }
    }
    List<String> devices;
    try {
      engine.advanceTo(nowNanos());
      lastUsage = engine.usage();
      devices = hal.close(HAL_CLOSE_TIMEOUT);
    } catch (Throwable t) {
      LOG.error("Closing {} failed.", hal.name(), t);
      devices = List.of(hal.name());
    }
    if (log != null) {
      log.end();
    }
    notifier.stop();
    return devices;
  }

  // ---------------------------------------------------------------- open tasks

  private void link(LiveTask live) {
    live.previousOpen = newestOpen;
    if (newestOpen == null) {
      oldestOpen = live;
    } else {
      newestOpen.nextOpen = live;
    }
    newestOpen = live;
    openCount++;
  }

  private void unlink(LiveTask live) {
    LiveTask before = live.previousOpen;
    LiveTask after = live.nextOpen;
    if (before == null) {
      oldestOpen = after;
    } else {
      before.nextOpen = after;
    }
    if (after == null) {
      newestOpen = before;
    } else {
      after.previousOpen = before;
    }
    live.previousOpen = null;
    live.nextOpen = null;
    openCount--;
  }

  private void endCancelled(LiveTask live) {
    unlink(live);
    cancelledCount.increment();
    notifyIf(live.endCancelled(), live);
  }

  private void endFailed(LiveTask live, Throwable cause, int attempts) {
    unlink(live);
    failedCount.increment();
    notifyIf(live.fail(cause, attempts), live);
  }

  private void notifyIf(boolean due, LiveTask live) {
    if (due) {
      notifier.push(live);
    }
  }

  /** Hands outcomes to the tasks' handles. */
  private final class Delivery implements EngineObserver {
    @Override
    public void onSubmitted(Task task, long nowNanos) {
      LiveTask live = live(task);
      live.task = task;
      live.taskId = task.id();
    }

    @Override
    public void onForeseen(Task task, Outlook outlook, long nowNanos) {
      live(task).foresee(outlook);
    }

    @Override
    public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
      live(task).decided();
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
      LiveTask live = live(task);
      unlink(live);
      completedCount.increment();
      if (finishNanos > live.deadlineNanos) {
        missedCount.increment();
      }
      long milliwatts = variant.powerMilliwatts().orElse(worker.type().busyPowerMilliwatts());
      notifyIf(
          live.complete(worker.id(), variant, startNanos, finishNanos, result, energy, milliwatts),
          live);
    }

    @Override
    public void onRejected(Task task, RejectReason reason, long nowNanos) {
      LiveTask live = live(task);
      unlink(live);
      rejectedCount.increment();
      notifyIf(live.reject(reason), live);
    }

    @Override
    public void onFailed(Task task, Throwable cause, long nowNanos) {
      endFailed(live(task), cause, task.attempts());
    }

    @Override
    public void onCancelled(Task task, long nowNanos) {
      endCancelled(live(task));
    }

    private static LiveTask live(Task task) {
      return (LiveTask) Objects.requireNonNull(Engine.attachment(task));
    }
  }

  // ---------------------------------------------------------------- the HAL's side

  /** Puts what the HAL reports, on whatever thread, into the inbox. */
  private final class HalEvents implements Hal.Events {
    @Override
    public void ready(Worker worker) {
      post(HalEvent.READY, worker, 0, null, null);
    }

    @Override
    public void loaded(Worker worker) {
      post(HalEvent.LOADED, worker, 0, null, null);
    }

    @Override
    public void loadFailed(Worker worker, Throwable cause) {
      post(HalEvent.LOAD_FAILED, worker, 0, cause, null);
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      post(HalEvent.COMPLETED, worker, runId, result, energy);
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      post(HalEvent.FAILED, worker, runId, cause, null);
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      post(HalEvent.LOST, worker, 0, cause, null);
    }

    @Override
    public void released(Worker worker) {
      post(HalEvent.RELEASED, worker, 0, null, null);
    }

    private void post(
        byte kind, Worker worker, long runId, @Nullable Object first, @Nullable Object second) {
      if (thread.equals(Thread.currentThread())) {
        ownEvents.add(kind, worker, runId, first, second);
      } else if (halEvents.put(kind, worker, runId, first, second)) {
        wake();
      }
    }
  }

  /**
   * Stands between engine and HAL, so that events go through the inbox and a command that throws is
   * answered like one that failed.
   */
  private final class HalGate implements Hal {
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
      hal.open(halInbox);
    }

    @Override
    public void provision(Worker worker) {
      try {
        hal.provision(worker);
      } catch (RuntimeException e) {
        halInbox.lost(worker, e);
      }
    }

    @Override
    public void load(Worker worker, Variant variant) {
      try {
        hal.load(worker, variant);
      } catch (RuntimeException e) {
        halInbox.loadFailed(worker, e);
      }
    }

    @Override
    public void run(Worker worker, Task task, Variant variant, long runId) {
      try {
        hal.run(worker, task, variant, runId);
      } catch (RuntimeException e) {
        halInbox.failed(worker, runId, e);
      }
    }

    @Override
    public int runAhead(WorkerType type) {
      return hal.runAhead(type);
    }

    @Override
    public boolean withdraw(Worker worker, long runId) {
      return hal.withdraw(worker, runId);
    }

    @Override
    public void cancel(Worker worker, long runId) {
      try {
        hal.cancel(worker, runId);
      } catch (RuntimeException e) {
        LOG.warn("Cancelling a run on {} failed; the run goes on.", hal.deviceId(worker), e);
      }
    }

    @Override
    public void release(Worker worker) {
      try {
        hal.release(worker);
      } catch (RuntimeException e) {
        LOG.warn("Releasing {} failed; it counts as gone.", hal.deviceId(worker), e);
        halInbox.released(worker);
      }
    }

    @Override
    public List<String> close(Duration timeout) {
      return hal.close(timeout);
    }
  }

  /** Waits for the scheduler thread to compute the usage. */
  private static final class Query {
    final CountDownLatch answered = new CountDownLatch(1);
    @Nullable Usage usage;
    @Nullable Query next;
  }

  /** Counts on one thread and can be read from all. */
  private static final class Counter {
    private static final VarHandle VALUE;

    static {
      try {
        VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private long value;

    void increment() {
      VALUE.setRelease(this, value + 1);
    }

    long value() {
      return (long) VALUE.getAcquire(this);
    }
  }

  /** Builds and starts a {@link LiveScheduler}; every setter validates at once. */
  public static final class Builder {
    private final SchedulingPolicy policy;
    private final Hal hal;
    private final List<WorkerType> types = new ArrayList<>();
    private final List<Application> applications = new ArrayList<>();
    private final Set<Capability> workload =
        EnumSet.of(Capability.DEADLINES, Capability.SIZES, Capability.WEIGHTS);
    private final List<EngineObserver> observers = new ArrayList<>();
    private String name = "muster";
    private int inboxCapacity = DEFAULT_INBOX_CAPACITY;
    private WhenFull whenFull = WhenFull.BLOCK;
    private long spinNanos;
    private @Nullable EventLog log;
    private @Nullable Calibration calibration;
    private @Nullable RuntimePredictor predictor;
    private double sizeQuantile;
    private int maxOpenTasks = Engine.DEFAULT_MAX_OPEN_TASKS;
    private int maxAttempts = Engine.DEFAULT_MAX_ATTEMPTS;

    private Builder(SchedulingPolicy policy, Hal hal) {
      this.policy = policy;
      this.hal = hal;
    }

    /** Adds worker types; their order is the order of the pools. */
    public Builder workerTypes(List<WorkerType> values) {
      types.addAll(values);
      return this;
    }

    /** Adds a worker type. */
    public Builder workerType(WorkerType value) {
      types.add(value);
      return this;
    }

    /** Adds applications. */
    public Builder applications(List<Application> values) {
      applications.addAll(values);
      return this;
    }

    /** Adds an application. */
    public Builder application(Application value) {
      applications.add(value);
      return this;
    }

    /** Adds to what the workload offers: deadlines, sizes and weights are assumed. */
    public Builder workloadCapabilities(Set<Capability> values) {
      workload.addAll(values);
      return this;
    }

    /**
     * Adds an observer; it runs on the scheduler thread, and what it throws stops the scheduler.
     */
    public Builder observer(EngineObserver value) {
      observers.add(value);
      return this;
    }

    /** Sets the prefix of the names of the scheduler's threads. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /**
     * Bounds the submissions that wait for the scheduler thread.
     *
     * @param value 2 to 2^24, rounded up to a power of two
     */
    public Builder inboxCapacity(int value) {
      if (value < 2 || value > 1 << 24) {
        throw InvalidInputException.of(
            "inbox capacity",
            value,
            "must be between 2 and " + (1 << 24),
            "give the number of submissions that may wait");
      }
      inboxCapacity = Integer.highestOneBit(value - 1) << 1;
      return this;
    }

    /** Sets what happens to a submission that finds the inbox full; by default it waits. */
    public Builder whenFull(WhenFull value) {
      whenFull = value;
      return this;
    }

    /**
     * Sets how long the scheduler thread looks out for work before it parks: a spin saves the cost
     * of waking it up, and takes a core meanwhile. By default it parks at once.
     *
     * @param value 0 to 1 ms
     */
    public Builder spin(Duration value) {
      if (value.isNegative() || value.compareTo(Duration.ofMillis(1)) > 0) {
        throw InvalidInputException.of(
            "spin time", value, "must be between 0 and 1 ms", "use 0 to park at once");
      }
      spinNanos = value.toNanos();
      return this;
    }

    /**
     * Learns service times from the runs, starting from what the calibration knows already; every
     * policy plans with what was learned.
     */
    public Builder calibrate(Calibration value) {
      calibration = value;
      return this;
    }

    /**
     * Accepts tasks of unknown size and plans with a quantile of what the predictor says; it learns
     * from every completed task, on the scheduler's thread.
     *
     * @param quantile above 0 and below 1, see {@link Engine.Builder#predictor}
     */
    public Builder predictor(RuntimePredictor value, double quantile) {
      predictor = value;
      sizeQuantile = quantile;
      return this;
    }

    /** Records the run, to be replayed in simulation. */
    public Builder record(EventLog value) {
      log = value;
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
     * Opens the HAL, lets the policy set up its fleet, and starts to schedule.
     *
     * @throws InvalidInputException if there is no worker type or application, a name repeats, or
     *     an application has no variant for the fleet
     * @throws dev.muster.api.UnsupportedException if the policy needs what neither workload nor HAL
     *     offers
     * @throws DeviceException if the HAL cannot be opened
     */
    public LiveScheduler start() {
      return new LiveScheduler(this).start();
    }
  }
}
