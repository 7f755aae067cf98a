package dev.muster.core.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Application;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outcome;
import dev.muster.api.RejectReason;
import dev.muster.api.Scheduler;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Scheduler.Submission;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.engine.EngineObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60) // a guard against hanging, not a measurement
final class LiveSchedulerTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final WorkerType CPU =
      WorkerType.builder("cpu").power(4, 1).maxWorkers(2).idleTimeout(LONG).build();
  private static final Application APP = Application.of("app", Variant.of("plain", "cpu"));

  private final TestHal hal = new TestHal();

  private LiveScheduler.Builder builder(SchedulingPolicy policy) {
    return LiveScheduler.builder(policy, hal).workerType(CPU).application(APP);
  }

  private LiveScheduler start() {
    return builder(Baselines.cpuDynamic()).start();
  }

  private static Handle submit(Scheduler scheduler, @Nullable Object payload) {
    return scheduler.submit("app", Duration.ofMillis(1), LONG, payload);
  }

  /** Submits a task that must start at once, so that it gets a worker of its own. */
  private static Handle submitUrgent(Scheduler scheduler) {
    return scheduler.submit("app", Duration.ofMillis(1), Duration.ofMillis(1), null);
  }

  private static Callable<Object> returning(Object value) {
    return () -> value;
  }

  @Test
  void deliversTheResultWithTimingsWorkerAndEnergy() throws Exception {
    try (LiveScheduler scheduler = start()) {
      Outcome outcome = submit(scheduler, returning("done")).await();
      assertThat(outcome).isInstanceOf(Outcome.Completed.class);
      Outcome.Completed completed = (Outcome.Completed) outcome;
      assertThat(completed.result()).isEqualTo("done");
      assertThat(completed.variant().id()).isEqualTo("plain");
      assertThat(completed.workerId()).isZero();
      assertThat(completed.arrivalNanos()).isBetween(0L, completed.startNanos());
      assertThat(completed.startNanos()).isLessThanOrEqualTo(completed.finishNanos());
      assertThat(completed.missedDeadline()).isFalse();
      assertThat(completed.energy().source()).isEqualTo(EnergyReading.Source.MODELLED);
      assertThat(completed.energy().joules())
          .isCloseTo(
              4e-9 * (completed.finishNanos() - completed.startNanos()),
              org.assertj.core.data.Offset.offset(1e-12));
    }
  }

  @Test
  void takesTasksFromManyThreadsVirtualOnesIncluded() throws Exception {
    LiveScheduler scheduler = start();
    Queue<Handle> handles = new ConcurrentLinkedQueue<>();
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService platform = Executors.newFixedThreadPool(4)) {
      for (int t = 0; t < 50; t++) {
        ExecutorService on = t < 46 ? virtual : platform;
        on.execute(
            () -> {
              for (int i = 0; i < 100; i++) {
                handles.add(submit(scheduler, returning(i)));
              }
            });
      }
    }
    for (Handle handle : handles) {
      assertThat(handle.await()).isInstanceOf(Outcome.Completed.class);
    }
    assertThat(scheduler.close(LONG).isClean()).isTrue();
    assertThat(scheduler.stats())
        .isEqualTo(new Scheduler.Stats(5000, 0, scheduler.stats().waits(), 5000, 0, 0, 0, 0, 0));
    assertThat(scheduler.usage().pools().get(0).completed()).isEqualTo(5000);
  }

  @Test
  void turnsExceptionsOfUserCodeIntoFailed() throws Exception {
    try (LiveScheduler scheduler = start()) {
      IllegalStateException cause = new IllegalStateException("user code");
      Callable<Object> code =
          () -> {
            throw cause;
          };
      assertThat(submit(scheduler, code).await()).isEqualTo(new Outcome.Failed(0, cause, 1));
      assertThat(submit(scheduler, returning(1)).await()).isInstanceOf(Outcome.Completed.class);
    }
  }

  @Test
  void cancelsRunningQueuedAndFinishedTasks() throws Exception {
    try (LiveScheduler scheduler = start()) {
      Handle running = submitUrgent(scheduler);
      Handle alsoRunning = submitUrgent(scheduler);
      hal.runs.take();
      hal.runs.take();
      Handle queued = submit(scheduler, returning("never"));
      assertThat(queued.cancel()).isTrue();
      assertThat(queued.await()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(running.cancel()).isTrue();
      assertThat(running.cancel()).isTrue();
      assertThat(running.await()).isEqualTo(new Outcome.Cancelled(0));
      assertThat(running.cancel()).isFalse();
      assertThat(alsoRunning.isDone()).isFalse();
      assertThat(alsoRunning.await(Duration.ofMillis(1))).isEmpty();
      alsoRunning.cancel();
      assertThat(alsoRunning.await(LONG)).contains(new Outcome.Cancelled(1));
    }
  }

  @Test
  void failsTasksWhoseWorkersNeverComeUp() throws Exception {
    hal.neverProvisions = true;
    try (LiveScheduler scheduler = start()) {
      for (int i = 0; i < 5; i++) {
        assertThat(submit(scheduler, returning(1)).await())
            .isInstanceOfSatisfying(
                Outcome.Failed.class,
                failed -> {
                  assertThat(failed.attempts()).isEqualTo(3);
                  assertThat(failed.cause())
                      .isInstanceOfSatisfying(
                          DeviceException.class,
                          e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.UNAVAILABLE));
                });
      }
      hal.neverProvisions = false;
      assertThat(submit(scheduler, returning(1)).await()).isInstanceOf(Outcome.Completed.class);
    }
  }

  @Test
  void reschedulesWhatWasQueuedBehindATaskThatHung() throws Exception {
    try (LiveScheduler scheduler = start()) {
      Handle hung = submitUrgent(scheduler);
      TestHal.Run run = hal.runs.take();
      Handle queued = submit(scheduler, returning("elsewhere"));
      assertThat(scheduler.usage()).isNotNull(); // answered after what was submitted before
      assertThat(run.worker().load()).isEqualTo(2);
      hal.events()
          .lost(
              run.worker(),
              new DeviceException(DeviceException.Kind.TIMED_OUT, "test: hung", null));
      assertThat(hung.await())
          .isInstanceOfSatisfying(
              Outcome.Failed.class, failed -> assertThat(failed.attempts()).isEqualTo(1));
      assertThat(queued.await())
          .isInstanceOfSatisfying(
              Outcome.Completed.class,
              done -> {
                assertThat(done.result()).isEqualTo("elsewhere");
                assertThat(done.workerId()).isNotEqualTo(run.worker().id());
              });
    }
  }

  @Test
  void runsCallbacksOffTheSchedulerThread() throws Exception {
    try (LiveScheduler scheduler = start()) {
      CountDownLatch slow = new CountDownLatch(1);
      Handle handle = submitUrgent(scheduler);
      CompletableFuture<String> thread =
          handle
              .outcome()
              .thenApply(
                  outcome -> {
                    awaitQuietly(slow);
                    return Thread.currentThread().getName();
                  })
              .toCompletableFuture();
      TestHal.Run run = hal.runs.take();
      hal.events().completed(run.worker(), run.runId(), "x", null);
      // While the callback blocks, scheduling goes on.
      assertThat(submit(scheduler, returning(1)).await()).isInstanceOf(Outcome.Completed.class);
      slow.countDown();
      assertThat(thread.get()).isEqualTo("muster-callbacks");
      assertThat(handle.outcome().toCompletableFuture()).isCompleted();
    }
  }

  @Test
  void refusesWhenTheInboxIsFullAndCountsIt() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    LiveScheduler scheduler =
        builder(Baselines.cpuDynamic())
            .inboxCapacity(2)
            .whenFull(LiveScheduler.WhenFull.REJECT)
            .observer(blocking(busy, go))
            .start();
    List<Handle> handles = new ArrayList<>();
    handles.add(submit(scheduler, returning(0)));
    busy.await();
    for (int i = 1; i < 5; i++) {
      handles.add(submit(scheduler, returning(i)));
    }
    assertThat(handles.get(4).isDone()).isTrue();
    assertThat(handles.get(4).await())
        .isEqualTo(new Outcome.Rejected(Scheduler.NO_TASK, RejectReason.QUEUE_FULL));
    go.countDown();
    scheduler.close(LONG);
    assertThat(scheduler.stats().accepted() + scheduler.stats().refused()).isEqualTo(5);
    assertThat(scheduler.stats().refused()).isPositive();
    assertThat(scheduler.stats().completed()).isEqualTo(scheduler.stats().accepted());
  }

  @Test
  void blocksTheCallerWhenTheInboxIsFullAndCountsIt() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    LiveScheduler scheduler =
        builder(Baselines.cpuDynamic()).inboxCapacity(2).observer(blocking(busy, go)).start();
    submit(scheduler, returning(0));
    busy.await();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    submit(scheduler, returning(i));
                  }
                });
    while (scheduler.stats().waits() == 0) {
      Thread.onSpinWait();
    }
    go.countDown();
    caller.join();
    scheduler.close(LONG);
    assertThat(scheduler.stats().completed()).isEqualTo(21);
    assertThat(scheduler.stats().refused()).isZero();
  }

  @Test
  void boundsOpenTasks() throws Exception {
    try (LiveScheduler scheduler = builder(Baselines.cpuDynamic()).maxOpenTasks(1).start()) {
      Handle first = submit(scheduler, null);
      assertThat(submit(scheduler, null).await())
          .isEqualTo(new Outcome.Rejected(1, RejectReason.QUEUE_FULL));
      first.cancel();
    }
  }

  @Test
  void cancelsWhatIsOpenWhenTheDrainTimeIsUp() throws Exception {
    LiveScheduler scheduler = start();
    List<Handle> handles = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      handles.add(submit(scheduler, null));
    }
    Scheduler.CloseReport report = scheduler.close(Duration.ZERO);
    assertThat(report).isEqualTo(new Scheduler.CloseReport(6, 0, List.of()));
    for (Handle handle : handles) {
      assertThat(handle.await()).isInstanceOf(Outcome.Cancelled.class);
    }
    assertThat(scheduler.close(LONG)).isEqualTo(report);
    assertThat(hal.closed).isTrue();
    assertThat(submit(scheduler, null).await())
        .isEqualTo(new Outcome.Rejected(Scheduler.NO_TASK, RejectReason.CLOSED));
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void abandonsRunsThatIgnoreTheirCancellation() throws Exception {
    hal.cancelEndsRuns = false;
    LiveScheduler scheduler = start();
    Handle stuck = submit(scheduler, null);
    hal.runs.take();
    assertThat(scheduler.close(Duration.ZERO))
        .isEqualTo(new Scheduler.CloseReport(1, 1, List.of()));
    assertThat(stuck.await()).isEqualTo(new Outcome.Cancelled(0));
  }

  @Test
  void failsEveryOpenTaskWhenThePolicyThrows() throws Exception {
    IllegalStateException bug = new IllegalStateException("bug in the policy");
    SchedulingPolicy policy =
        new SchedulingPolicy() {
          @Override
          public String name() {
            return "buggy";
          }

          @Override
          public void onSubmit(Task task, SchedulingContext context) {
            if (task.id() == 2) {
              throw bug;
            }
          }
        };
    LiveScheduler scheduler = builder(policy).start();
    for (int i = 0; i < 3; i++) {
      Handle handle = submit(scheduler, null);
      if (i == 2) {
        assertThat(handle.await()).isEqualTo(new Outcome.Failed(2, bug, 0));
      }
    }
    scheduler.close();
    assertThat(scheduler.failure()).contains(bug);
    assertThat(scheduler.stats().failed()).isEqualTo(3);
    assertThat(scheduler.stats().open()).isZero();
    assertThat(hal.closed).isTrue();
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void refusesToStartWhenTheHalCannotOpen() {
    hal.openError = new DeviceException(DeviceException.Kind.UNAVAILABLE, "test: no device", null);
    assertThatThrownBy(this::start).isSameAs(hal.openError);
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void refusesBadSubmissionsOnTheCallersThread() {
    try (LiveScheduler scheduler = start()) {
      assertThatThrownBy(() -> scheduler.submit("other", LONG, LONG, null))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("must be one of [app]");
      assertThatThrownBy(() -> Submission.of("app", Duration.ofNanos(-1), LONG, null))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> scheduler.submit(Submission.ofUnknownSize("app", LONG, null)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("predictor");
      assertThat(scheduler.stats().accepted()).isZero();
    }
  }

  @Test
  void runsTasksAgainWhoseWorkerIsLost() throws Exception {
    try (LiveScheduler scheduler = start()) {
      Handle handle = submit(scheduler, null);
      TestHal.Run first = hal.runs.take();
      hal.events().lost(first.worker(), new IllegalStateException("unplugged"));
      TestHal.Run second = hal.runs.take();
      assertThat(second.worker().id()).isNotEqualTo(first.worker().id());
      hal.events().completed(first.worker(), first.runId(), "stale", null);
      hal.events().completed(second.worker(), second.runId(), "fresh", null);
      assertThat(((Outcome.Completed) handle.await()).result()).isEqualTo("fresh");
    }
  }

  @Test
  void accountsForEverySubmissionWhenClosedAmidThem() throws Exception {
    for (int round = 0; round < 50; round++) {
      TestHal fresh = new TestHal();
      LiveScheduler scheduler =
          LiveScheduler.builder(Baselines.cpuDynamic(), fresh)
              .workerType(CPU)
              .application(APP)
              .inboxCapacity(8)
              .start();
      Queue<Handle> handles = new ConcurrentLinkedQueue<>();
      List<Thread> producers = new ArrayList<>();
      for (int p = 0; p < 4; p++) {
        int every = p + 2;
        producers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; ; i++) {
                        Handle handle = submit(scheduler, returning(i));
                        handles.add(handle);
                        if (i % every == 0) {
                          handle.cancel();
                        }
                        if (scheduler.stats().refused() > 0) {
                          return;
                        }
                      }
                    }));
      }
      while (scheduler.stats().accepted() < 20L * round) {
        Thread.onSpinWait();
      }
      scheduler.close(LONG);
      for (Thread producer : producers) {
        producer.join();
      }
      assertThat(handles).allMatch(Handle::isDone);
      Scheduler.Stats stats = scheduler.stats();
      assertThat(stats.open()).isZero();
      assertThat(stats.accepted() + stats.refused()).isEqualTo(handles.size());
    }
  }

  private static EngineObserver blocking(CountDownLatch busy, CountDownLatch go) {
    return new EngineObserver() {
      @Override
      public void onSubmitted(Task task, long nowNanos) {
        busy.countDown();
        awaitQuietly(go);
      }
    };
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("muster-"))
        .toList();
  }
}
