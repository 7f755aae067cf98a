package dev.muster.core.live;

import dev.muster.api.EnergyReading;
import dev.muster.api.Outcome;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.Scheduler;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Follows one task from the caller's thread through the scheduler and back.
 *
 * <p>The scheduler writes the outcome as plain fields and publishes them by setting {@link
 * #waiters} to {@link #DONE}; outcome objects and futures are made on the threads that ask for
 * them, so that ending a task nobody waits for allocates nothing.
 */
final class LiveTask implements Scheduler.Handle {
  private static final VarHandle WAITERS;
  private static final VarHandle CANCEL_REQUESTED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WAITERS = lookup.findVarHandle(LiveTask.class, "waiters", Waiter.class);
      CANCEL_REQUESTED = lookup.findVarHandle(LiveTask.class, "cancelRequested", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Marks that the outcome is known and that nobody can wait any more. */
  private static final Waiter DONE = new Waiter(null, null);

  private enum Ending {
    COMPLETED,
    REJECTED,
    FAILED,
    CANCELLED
  }

  private final LiveScheduler scheduler;
  final int application;
  final long sizeNanos;
  final long submittedNanos;
  final long deadlineNanos;
  final int weight;

  /** Holds what the variants work on, until the task ended. */
  @Nullable Object payload;

  private volatile @Nullable Waiter waiters;
  private volatile boolean cancelRequested;
  private volatile @Nullable Outlook outlook;

  /** Links tasks whose cancellation the scheduler has not seen yet. */
  @Nullable LiveTask nextCancelled;

  /** Links tasks whose callbacks are due. */
  @Nullable LiveTask nextNotified;

  /** Holds, from the end of a task with callbacks on, those who are to be told. */
  private @Nullable Waiter callbacks;

  // Below: the scheduler thread's, until the outcome is published.
  @Nullable Task task;
  long taskId = Scheduler.NO_TASK;
  @Nullable LiveTask previousOpen;
  @Nullable LiveTask nextOpen;

  private @Nullable Ending ending;
  private long workerId;
  private @Nullable Variant variant;
  private long startNanos;
  private long finishNanos;
  private double joules;
  private EnergyReading.@Nullable Source source;
  private @Nullable Object result;
  private @Nullable RejectReason reason;
  private @Nullable Throwable cause;
  private int attempts;

  /** Links who waits for an outcome: a thread or a future. */
  private static final class Waiter {
    final @Nullable Thread thread;
    final @Nullable CompletableFuture<Outcome> future;
    @Nullable Waiter next;

    Waiter(@Nullable Thread thread, @Nullable CompletableFuture<Outcome> future) {
      this.thread = thread;
      this.future = future;
    }
  }

  LiveTask(
      LiveScheduler scheduler,
      int application,
      long submittedNanos,
      long deadlineNanos,
      Scheduler.Submission submission) {
    this.scheduler = scheduler;
    this.application = application;
    this.submittedNanos = submittedNanos;
    this.deadlineNanos = deadlineNanos;
    sizeNanos = submission.sizeNanos();
    weight = submission.weight();
    payload = submission.payload();
  }

  // ---------------------------------------------------------------- decisions

  /** Publishes what the policy expects, and wakes who waits for it. */
  void foresee(Outlook expected) {
    outlook = expected;
    for (Waiter waiter = waiters; waiter != null; waiter = waiter.next) {
      if (waiter.thread != null) {
        LockSupport.unpark(waiter.thread); // one that waits for the outcome parks again
      }
    }
  }

  /** Notes that the policy gave the task to a worker: it will not say more. */
  void decided() {
    if (outlook == null) {
      foresee(Outlook.UNKNOWN);
    }
  }

  // ---------------------------------------------------------------- endings

  /** Ends the task; tells whether callbacks are due. */
  boolean complete(
      long worker,
      Variant ran,
      long start,
      long finish,
      @Nullable Object value,
      @Nullable EnergyReading metered,
      long milliwatts) {
    workerId = worker;
    variant = ran;
    startNanos = start;
    finishNanos = finish;
    result = value;
    if (metered == null) {
      joules = milliwatts * 1e-12 * (finish - start);
      source = EnergyReading.Source.MODELLED;
    } else {
      joules = metered.joules();
      source = metered.source();
    }
    return end(Ending.COMPLETED);
  }

  /** Ends the task; tells whether callbacks are due. */
  boolean reject(RejectReason why) {
    reason = why;
    return end(Ending.REJECTED);
  }

  /** Ends the task; tells whether callbacks are due. */
  boolean fail(Throwable why, int tries) {
    cause = why;
    attempts = tries;
    return end(Ending.FAILED);
  }

  /** Ends the task; tells whether callbacks are due. */
  boolean endCancelled() {
    return end(Ending.CANCELLED);
  }

  private boolean end(Ending how) {
    if (ending != null) {
      throw new IllegalStateException("task " + taskId + " ended twice: " + ending + ", " + how);
    }
    ending = how;
    payload = null;
    task = null;
    Waiter all = (Waiter) WAITERS.getAndSet(this, DONE);
    boolean anyFuture = false;
    for (Waiter waiter = all; waiter != null; waiter = waiter.next) {
      if (waiter.thread != null) {
        LockSupport.unpark(waiter.thread);
      } else {
        anyFuture = true;
      }
    }
    if (anyFuture) {
      callbacks = all;
    }
    return anyFuture;
  }

  /** Runs the callbacks that were registered before the end, in the order of registration. */
  void runCallbacks() {
    Outcome outcome = outcomeNow();
    Waiter ordered = null;
    for (Waiter waiter = callbacks; waiter != null; ) {
      Waiter next = waiter.next;
      waiter.next = ordered;
      ordered = waiter;
      waiter = next;
    }
    callbacks = null;
    for (Waiter waiter = ordered; waiter != null; waiter = waiter.next) {
      if (waiter.future != null) {
        waiter.future.complete(outcome);
      }
    }
  }

  boolean isCancelRequested() {
    return cancelRequested;
  }

  /** Claims the cancellation for the scheduler itself; false if the caller was first. */
  boolean requestCancelByClose() {
    return CANCEL_REQUESTED.compareAndSet(this, false, true);
  }

  // ---------------------------------------------------------------- the caller's side

  @Override
  public boolean isDone() {
    return waiters == DONE;
  }

  @Override
  public CompletionStage<Outcome> outcome() {
    CompletableFuture<Outcome> future = new CompletableFuture<>();
    if (!register(new Waiter(null, future))) {
      future.complete(outcomeNow());
    }
    return future.minimalCompletionStage();
  }

  @Override
  public Outcome await() throws InterruptedException {
    if (register(new Waiter(Thread.currentThread(), null))) {
      while (!isDone()) {
        LockSupport.park(this);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    return outcomeNow();
  }

  @Override
  public Optional<Outcome> await(Duration timeout) throws InterruptedException {
    if (register(new Waiter(Thread.currentThread(), null))) {
      long endNanos = System.nanoTime() + saturatedNanos(timeout);
      while (!isDone()) {
        long left = endNanos - System.nanoTime();
        if (left <= 0) {
          return Optional.empty();
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    return Optional.of(outcomeNow());
  }

  @Override
  public Optional<Outlook> outlook() {
    boolean ended = isDone(); // first: nothing is said after the end
    Outlook known = outlook;
    return known == null && ended ? Optional.of(Outlook.UNKNOWN) : Optional.ofNullable(known);
  }

  @Override
  public Outlook awaitOutlook() throws InterruptedException {
    if (outlook().isEmpty() && register(new Waiter(Thread.currentThread(), null))) {
      while (outlook().isEmpty()) {
        LockSupport.park(this);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
    return outlook().orElse(Outlook.UNKNOWN);
  }

  @Override
  public boolean cancel() {
    if (isDone()) {
      return false;
    }
    if (!cancelRequested && CANCEL_REQUESTED.compareAndSet(this, false, true)) {
      scheduler.requestCancel(this);
    }
    return true;
  }

  /** Adds a waiter; false if the outcome is known already. */
  private boolean register(Waiter waiter) {
    while (true) {
      Waiter seen = waiters;
      if (seen == DONE) {
        return false;
      }
      if (waiter.thread != null && waits(waiter.thread, seen)) {
        return true;
      }
      waiter.next = seen;
      if (WAITERS.compareAndSet(this, seen, waiter)) {
        return true;
      }
    }
  }

  /** Tells whether a thread is registered already, from a wait that timed out. */
  private static boolean waits(Thread thread, @Nullable Waiter first) {
    for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
      if (thread.equals(waiter.thread)) {
        return true;
      }
    }
    return false;
  }

  private Outcome outcomeNow() {
    return switch (Objects.requireNonNull(ending)) {
      case COMPLETED ->
          new Outcome.Completed(
              taskId,
              workerId,
              Objects.requireNonNull(variant),
              submittedNanos,
              startNanos,
              finishNanos,
              deadlineNanos,
              new EnergyReading(joules, Objects.requireNonNull(source)),
              result);
      case REJECTED -> new Outcome.Rejected(taskId, Objects.requireNonNull(reason));
      case FAILED -> new Outcome.Failed(taskId, Objects.requireNonNull(cause), attempts);
      case CANCELLED -> new Outcome.Cancelled(taskId);
    };
  }

  static long saturatedNanos(Duration duration) {
    try {
      // Half the range, so that adding it to a clock reading cannot overflow.
      return Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE / 2 : Long.MAX_VALUE / 2;
    }
  }

  @Override
  public String toString() {
    return (taskId < 0 ? "task" : "task " + taskId) + (isDone() ? " (" + ending + ")" : "");
  }
}
