package dev.muster.hal.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Outcome;
import dev.muster.api.RejectReason;
import dev.muster.api.Scheduler;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Scheduler.Submission;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.LiveScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Runs tasks from eight producers with random cancellations, failures and lost workers, and closes
 * the scheduler at random moments, over and over; no task may go missing.
 *
 * <p>By default 60 000 tasks; for the long run give {@code -Dmuster.soak.tasks=10000000}, and
 * {@code -Dmuster.soak.seed} to repeat the choices of one (not the interleaving of its threads).
 */
final class LiveSoakTest {
  private static final int PRODUCERS = 8;
  private static final int TASKS_A_ROUND = 20_000;
  private static final long HEAP_SLACK_BYTES = 64L << 20;
  private static final int ACCEPTED = 0;
  private static final int COMPLETED = 1;
  private static final int REJECTED = 2;
  private static final int FAILED = 3;
  private static final int CANCELLED = 4;
  private static final int REFUSED = 5;

  private static final WorkerType CPU =
      WorkerType.builder("cpu").power(4, 1).idleTimeout(Duration.ofMillis(1)).maxWorkers(4).build();
  private static final Application APP = Application.of("app", Variant.of("plain", "cpu"));

  private final AtomicLongArray counts = new AtomicLongArray(REFUSED + 1);

  @Test
  void losesNoTask() throws Exception {
    long tasks = Long.getLong("muster.soak.tasks", 60_000);
    long seed = Long.getLong("muster.soak.seed", 20_260_101);
    SplittableRandom random = new SplittableRandom(seed);
    round(random.split(), TASKS_A_ROUND / 10); // loads the classes
    long heapBefore = usedHeapBytes();
    long[] totals = new long[REFUSED + 1];
    for (long done = 0; done < tasks; done += TASKS_A_ROUND) {
      round(random.split(), TASKS_A_ROUND);
      for (int i = 0; i < totals.length; i++) {
        totals[i] += counts.getAndSet(i, 0);
      }
      assertThat(liveThreads()).isEmpty();
    }
    assertThat(totals[ACCEPTED])
        .isEqualTo(totals[COMPLETED] + totals[REJECTED] + totals[FAILED] + totals[CANCELLED]);
    assertThat(totals[COMPLETED]).isPositive();
    assertThat(totals[FAILED]).isPositive();
    assertThat(totals[CANCELLED]).isPositive();
    assertThat(usedHeapBytes()).isLessThan(heapBefore + HEAP_SLACK_BYTES);
    System.out.printf(
        "soak, seed %d: accepted %d = completed %d + rejected %d + failed %d + cancelled %d;"
            + " refused %d%n",
        seed,
        totals[ACCEPTED],
        totals[COMPLETED],
        totals[REJECTED],
        totals[FAILED],
        totals[CANCELLED],
        totals[REFUSED]);
  }

  private void round(SplittableRandom random, int tasks) throws Exception {
    CpuHal cpu =
        CpuHal.builder(TaskBody.Registry.builder().otherwise(LiveSoakTest::work).build())
            .coreBudget(4)
            .build();
    LiveScheduler scheduler =
        LiveScheduler.builder(Baselines.cpuDynamic(), new LosingHal(cpu, random.split()))
            .workerType(CPU)
            .application(APP)
            .inboxCapacity(1 << random.nextInt(1, 12))
            .whenFull(
                random.nextBoolean() ? LiveScheduler.WhenFull.REJECT : LiveScheduler.WhenFull.BLOCK)
            .start();
    List<Thread> producers = new ArrayList<>();
    for (int p = 0; p < PRODUCERS; p++) {
      SplittableRandom mine = random.split();
      Thread.Builder builder = p % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      producers.add(builder.start(() -> produce(scheduler, mine, tasks / PRODUCERS)));
    }
    long closeAfter = random.nextLong(tasks);
    while (scheduler.stats().accepted() < closeAfter && anyAlive(producers)) {
      Thread.onSpinWait();
    }
    scheduler.close(Duration.ofMillis(random.nextInt(20)));
    for (Thread producer : producers) {
      producer.join();
    }
    assertThat(scheduler.failure()).isEmpty();
    assertThat(cpu.close(Duration.ofSeconds(60))).isEmpty(); // a busy machine needs its time
    assertThat(cpu.coresInUse()).isZero();
    Scheduler.Stats stats = scheduler.stats();
    assertThat(stats.open()).isZero();
    counts.addAndGet(ACCEPTED, stats.accepted());
    assertThat(stats.accepted())
        .isEqualTo(stats.completed() + stats.rejected() + stats.failed() + stats.cancelled());
  }

  private static boolean anyAlive(List<Thread> threads) {
    return threads.stream().anyMatch(Thread::isAlive);
  }

  private void produce(Scheduler scheduler, SplittableRandom random, int tasks) {
    ArrayDeque<Handle> open = new ArrayDeque<>();
    for (int i = 0; i < tasks; i++) {
      Handle handle =
          scheduler.submit(
              new Submission("app", 1_000, random.nextLong(1_000_000), 1, random.nextInt(100)));
      open.add(handle);
      if (random.nextInt(20) == 0) {
        handle.cancel();
      }
      if (open.size() > 256) {
        count(open.remove());
      }
    }
    while (!open.isEmpty()) {
      count(open.remove());
    }
  }

  private void count(Handle handle) {
    try {
      Outcome outcome = handle.await();
      int kind =
          switch (outcome) {
            case Outcome.Completed completed -> COMPLETED;
            case Outcome.Failed failed -> FAILED;
            case Outcome.Cancelled cancelled -> CANCELLED;
            case Outcome.Rejected rejected ->
                rejected.taskId() == Scheduler.NO_TASK ? REFUSED : REJECTED;
          };
      if (outcome instanceof Outcome.Rejected rejected && kind == REFUSED) {
        assertThat(rejected.reason()).isIn(RejectReason.QUEUE_FULL, RejectReason.CLOSED);
      }
      counts.incrementAndGet(kind);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object work(@Nullable Object payload, TaskBody.Control control)
      throws InterruptedException {
    int choice = (Integer) Objects.requireNonNull(payload);
    if (choice < 5) {
      throw new IllegalStateException("fails on purpose");
    }
    if (choice < 7) {
      Thread.sleep(Duration.ofNanos(200_000));
    }
    return payload;
  }

  private static long usedHeapBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static List<String> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("muster-"))
        .toList();
  }

  /** Loses the worker on some runs. */
  private static final class LosingHal implements Hal {
    private final Hal real;
    private final SplittableRandom random;
    private @Nullable Events events;

    LosingHal(Hal real, SplittableRandom random) {
      this.real = real;
      this.random = random;
    }

    @Override
    public void open(Events value) {
      events = value;
      real.open(value);
    }

    @Override
    public void run(Worker worker, Task task, Variant variant, long runId) {
      if (random.nextInt(200) == 0) {
        DeviceException loss =
            new DeviceException(DeviceException.Kind.LOST, "cpu: lost on purpose", null);
        Objects.requireNonNull(events).lost(worker, loss);
        real.release(worker);
      } else {
        real.run(worker, task, variant, runId);
      }
    }

    @Override
    public String name() {
      return real.name();
    }

    @Override
    public Set<Capability> capabilities() {
      return real.capabilities();
    }

    @Override
    public String deviceId(Worker worker) {
      return real.deviceId(worker);
    }

    @Override
    public void provision(Worker worker) {
      real.provision(worker);
    }

    @Override
    public void load(Worker worker, Variant variant) {
      real.load(worker, variant);
    }

    @Override
    public void cancel(Worker worker, long runId) {
      real.cancel(worker, runId);
    }

    @Override
    public void release(Worker worker) {
      real.release(worker);
    }

    @Override
    public List<String> close(Duration timeout) {
      return real.close(timeout);
    }
  }
}
