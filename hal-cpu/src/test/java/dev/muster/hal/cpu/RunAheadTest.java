package dev.muster.hal.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Outcome;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Scheduler.Submission;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.EventLog;
import dev.muster.core.live.LiveScheduler;
import dev.muster.hal.sim.Replay;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60) // a guard against hanging, not a measurement
final class RunAheadTest {
  private static final WorkerType CPU =
      WorkerType.builder("cpu").maxWorkers(1).idleTimeout(Duration.ofHours(1)).build();
  private static final Application APP = Application.of("app", Variant.of("plain", "cpu"));

  private static LiveScheduler.Builder scheduler(CpuHal hal) {
    return LiveScheduler.builder(Baselines.cpuDynamic(), hal).workerType(CPU).application(APP);
  }

  private static Handle submit(LiveScheduler scheduler, Callable<Object> code) {
    return scheduler.submit(new Submission("app", 1_000, 1_000, 1, code));
  }

  private static TestTask task(Callable<Object> code) {
    return new TestTask(APP, code);
  }

  /** Notes how runs end. */
  private static final class Ends implements Hal.Events {
    final CountDownLatch ready = new CountDownLatch(1);
    final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @Override
    public void ready(Worker worker) {
      ready.countDown();
    }

    @Override
    public void loaded(Worker worker) {}

    @Override
    public void loadFailed(Worker worker, Throwable cause) {}

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      seen.add("completed " + runId);
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      seen.add("failed " + runId);
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      seen.add("lost");
    }

    @Override
    public void released(Worker worker) {
      seen.add("released");
    }
  }

  @Test
  void keepsTheOrderOfTheOthersWhenARunIsWithdrawn() throws Exception {
    Ends ends = new Ends();
    TestWorker worker = new TestWorker(0, 0, CPU);
    CpuHal hal = CpuHal.builder(TaskBody.Registry.ofCallables()).runAhead(4).build();
    hal.open(ends);
    hal.provision(worker);
    ends.ready.await();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Variant variant = APP.variants().get(0);
    Callable<Object> blocking =
        () -> {
          begun.countDown();
          goOn.await();
          return 1;
        };
    hal.run(worker, task(blocking), variant, 1);
    begun.await();
    for (int round = 0; round < 100; round++) {
      // The room of withdrawn runs is used again, however often.
      hal.run(worker, task(() -> "never"), variant, 100 + round);
      assertThat(hal.withdraw(worker, 100 + round)).isTrue();
    }
    for (int id = 2; id <= 5; id++) {
      int number = id;
      hal.run(worker, task(() -> number), variant, id);
    }
    assertThat(hal.withdraw(worker, 1)).isFalse();
    assertThat(hal.withdraw(worker, 3)).isTrue();
    assertThat(hal.withdraw(worker, 3)).isFalse();
    hal.cancel(worker, 4);
    assertThat(ends.seen.take()).isEqualTo("failed 4");
    goOn.countDown();
    assertThat(List.of(ends.seen.take(), ends.seen.take(), ends.seen.take()))
        .containsExactly("completed 1", "completed 2", "completed 5");
    assertThat(hal.withdraw(worker, 5)).isFalse();
    hal.cancel(worker, 5);
    hal.release(worker);
    assertThat(ends.seen.take()).isEqualTo("released");
    assertThat(hal.close(Duration.ofSeconds(10))).isEmpty();
  }

  @Test
  void endsTasksAtOnceThatAreCancelledBehindARunningOne() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean ran = new AtomicBoolean();
    try (LiveScheduler scheduler =
        scheduler(CpuHal.create(TaskBody.Registry.ofCallables())).start()) {
      Handle running =
          submit(
              scheduler,
              () -> {
                begun.countDown();
                goOn.await();
                return 1;
              });
      begun.await();
      Handle queued = submit(scheduler, () -> ran.getAndSet(true));
      Handle last = submit(scheduler, () -> 3);
      queued.cancel();
      assertThat(queued.await()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(running.isDone()).isFalse();
      goOn.countDown();
      assertThat(last.await()).isInstanceOf(Outcome.Completed.class);
      assertThat(ran).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 32})
  void decidesTheSameInReplayWithRandomCancellations(int runAhead) throws Exception {
    StringWriter recording = new StringWriter();
    CpuHal hal = CpuHal.builder(TaskBody.Registry.ofCallables()).runAhead(runAhead).build();
    SplittableRandom random = new SplittableRandom(runAhead);
    int tasks = 5_000;
    long cancelled = 0;
    try (LiveScheduler scheduler = scheduler(hal).record(EventLog.to(recording)).start()) {
      List<Handle> handles = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        handles.add(submit(scheduler, () -> 1));
        if (random.nextInt(4) == 0) {
          handles.get(random.nextInt(Math.max(0, i - 40), i + 1)).cancel();
        }
      }
      for (Handle handle : handles) {
        cancelled += handle.await() instanceof Outcome.Cancelled ? 1 : 0;
      }
      assertThat(scheduler.stats().completed()).isEqualTo(tasks - cancelled);
    }
    Replay.Result result =
        Replay.run(
            new StringReader(recording.toString()), "recording", name -> Baselines.cpuDynamic());
    assertThat(result.difference()).isNull();
    assertThat(result.complete()).isTrue();
  }
}
