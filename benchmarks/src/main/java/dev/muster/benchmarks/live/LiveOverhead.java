package dev.muster.benchmarks.live;

import com.sun.management.ThreadMXBean;
import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.Hal;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Scheduler.Submission;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.LiveScheduler;
import dev.muster.hal.cpu.CpuHal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Measures what handing a task to the live scheduler costs, beside a ThreadPoolExecutor that does
 * the same work in the same run.
 *
 * <p>Two figures. Hand-over: from just before the call to the first instruction of the task, one
 * task at a time, with a pause between tasks so that threads have gone to sleep, as they do under
 * light load; for the scheduler also up to the HAL's run command. Throughput: empty tasks from
 * several producers, until all have run. The two alternate in rounds, so that whatever else the
 * machine does meets both. Prints one line per figure; all figures are measured.
 */
public final class LiveOverhead {
  private static final WorkerType CPU =
      WorkerType.builder("cpu").idleTimeout(Duration.ofHours(1)).maxWorkers(1).power(10, 1).build();
  private static final Application APP = Application.of("app", Variant.of("plain", "cpu"));

  /** Bounds how far the producer runs ahead, so that the run is in a steady state. */
  private static final int WINDOW = 8_192;

  private static final int WORKERS = Integer.getInteger("workers", 4);

  private static final int CHECK = 1_024;

  private LiveOverhead() {}

  /**
   * Runs the measurement.
   *
   * @param args rounds (10), hand-overs a round (2000), tasks a round (200000), spin in
   *     microseconds (20)
   */
  public static void main(String[] args) throws Exception {
    int rounds = argument(args, 0, 10);
    int handOvers = argument(args, 1, 2_000);
    int tasks = argument(args, 2, 200_000);
    Duration spin = Duration.ofNanos(1_000L * argument(args, 3, 20));
    Histogram pool = new Histogram(TimeUnit.SECONDS.toNanos(10), 3);
    Histogram toHal = new Histogram(TimeUnit.SECONDS.toNanos(10), 3);
    Histogram toBody = new Histogram(TimeUnit.SECONDS.toNanos(10), 3);
    for (int round = -1; round < rounds; round++) {
      handOverPool(handOvers, round < 0 ? new Histogram(3) : pool);
      handOverScheduler(
          handOvers, round < 0 ? new Histogram(3) : toHal, round < 0 ? new Histogram(3) : toBody);
    }
    System.out.printf("hand-over, median / 99 %% (us, measured, %d each):%n", pool.getTotalCount());
    printLatency("ThreadPoolExecutor to task", pool, pool);
    printLatency("scheduler to HAL", toHal, pool);
    printLatency("scheduler to task", toBody, pool);
    System.out.printf("empty tasks (million/s, measured, %d a round):%n", tasks);
    double[] poolRates = new double[rounds];
    double[] rates = new double[rounds];
    double bytes = 0;
    for (int round = -1; round < rounds; round++) {
      double poolRate = throughputPool(tasks);
      double[] mine = throughputScheduler(tasks, spin);
      if (round >= 0) {
        poolRates[round] = poolRate;
        rates[round] = mine[0];
        bytes = mine[1];
      }
    }
    java.util.Arrays.sort(poolRates);
    java.util.Arrays.sort(rates);
    double poolMedian = poolRates[rounds / 2];
    double median = rates[rounds / 2];
    System.out.printf("  %-28s %8.3f%n", "ThreadPoolExecutor", poolMedian);
    System.out.printf("  %-28s %8.3f   %.2fx%n", "scheduler", median, median / poolMedian);
    System.out.printf("  %-28s %8.3f%n", "scheduler thread, B/task", bytes);
  }

  private static int argument(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static void printLatency(String what, Histogram histogram, Histogram beside) {
    System.out.printf(
        "  %-28s %8.1f %8.1f   %.2fx%n",
        what,
        histogram.getValueAtPercentile(50) / 1e3,
        histogram.getValueAtPercentile(99) / 1e3,
        (double) histogram.getValueAtPercentile(50) / beside.getValueAtPercentile(50));
  }

  private static void pause() {
    java.util.concurrent.locks.LockSupport.parkNanos(100_000);
  }

  private static void handOverPool(int count, Histogram histogram) throws Exception {
    try (ThreadPoolExecutor pool =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>())) {
      for (int i = 0; i < count; i++) {
        pause();
        CountDownLatch ran = new CountDownLatch(1);
        long start = System.nanoTime();
        pool.execute(
            () -> {
              histogram.recordValue(System.nanoTime() - start);
              ran.countDown();
            });
        ran.await();
      }
    }
  }

  private static void handOverScheduler(int count, Histogram toHal, Histogram toBody)
      throws Exception {
    TaskBody.Registry bodies =
        TaskBody.Registry.builder()
            .otherwise(
                (payload, control) -> {
                  Probe probe = (Probe) java.util.Objects.requireNonNull(payload);
                  toBody.recordValue(System.nanoTime() - probe.startNanos());
                  probe.ran().countDown();
                  return null;
                })
            .build();
    try (LiveScheduler scheduler =
        start(new ProbedHal(CpuHal.create(bodies), toHal), Duration.ZERO)) {
      for (int i = 0; i < count; i++) {
        pause();
        CountDownLatch ran = new CountDownLatch(1);
        Probe probe = new Probe(System.nanoTime(), ran);
        scheduler.submit(new Submission("app", 1_000, 1_000_000_000, 1, probe));
        ran.await();
      }
    }
  }

  private record Probe(long startNanos, CountDownLatch ran) {}

  private static double throughputPool(int count) throws Exception {
    AtomicLong ran = new AtomicLong();
    long start = System.nanoTime();
    try (ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            WORKERS, WORKERS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>())) {
      for (int i = 0; i < count; i++) {
        pool.execute(ran::incrementAndGet);
      }
    }
    long nanos = System.nanoTime() - start;
    if (ran.get() != count) {
      throw new IllegalStateException(ran + " tasks ran instead of " + count);
    }
    return 1e3 * count / nanos;
  }

  /** Returns million tasks a second, and bytes allocated a task by the scheduler thread. */
  private static double[] throughputScheduler(int count, Duration spin) throws Exception {
    TaskBody.Registry bodies =
        TaskBody.Registry.builder().otherwise((payload, control) -> null).build();
    try (LiveScheduler scheduler = start(CpuHal.builder(bodies).spin(spin).build(), spin)) {
      long thread =
          Thread.getAllStackTraces().keySet().stream()
              .filter(t -> t.getName().equals("muster-scheduler"))
              .findFirst()
              .orElseThrow()
              .threadId();
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      Handle[] window = new Handle[WINDOW / CHECK];
      Handle last = scheduler.submit(new Submission("app", 1_000, 1_000, 1, null));
      long bytesBefore = 0;
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        if (i == count / 2) {
          bytesBefore = threads.getThreadAllocatedBytes(thread);
        }
        Handle handle = scheduler.submit(new Submission("app", 1_000, 1_000, 1, null));
        if (i % CHECK == 0) {
          if (i >= WINDOW) {
            window[i / CHECK % window.length].await();
          }
          window[i / CHECK % window.length] = handle;
        }
        last = handle;
      }
      last.await();
      long bytes = threads.getThreadAllocatedBytes(thread) - bytesBefore;
      long nanos = System.nanoTime() - start;
      return new double[] {1e3 * count / nanos, (double) bytes / (count - count / 2)};
    }
  }

  private static LiveScheduler start(Hal hal, Duration spin) {
    return LiveScheduler.builder(Baselines.cpuDynamic(), hal)
        .workerType(CPU)
        .application(APP)
        .spin(spin)
        .start();
  }

  /** Notes when the run command comes. */
  private static final class ProbedHal implements Hal {
    private final Hal real;
    private final Histogram toHal;

    ProbedHal(Hal real, Histogram toHal) {
      this.real = real;
      this.toHal = toHal;
    }

    @Override
    public void run(Worker worker, Task task, Variant variant, long runId) {
      Probe probe = (Probe) java.util.Objects.requireNonNull(task.payload());
      toHal.recordValue(System.nanoTime() - probe.startNanos());
      real.run(worker, task, variant, runId);
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
    public void open(Events events) {
      real.open(events);
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
