package dev.muster.examples.apps;

import dev.muster.api.Capability;
import dev.muster.api.Outcome;
import dev.muster.api.Scheduler;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Scheduler.Submission;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Usage;
import dev.muster.core.live.Calibration;
import dev.muster.core.live.CompositeHal;
import dev.muster.core.live.EventLog;
import dev.muster.core.live.LiveScheduler;
import dev.muster.hal.cpu.CpuHal;
import dev.muster.hal.sim.PacedSimHal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs the example applications through the live scheduler, on the cores of this machine and two
 * simulated cards, under an open-loop load.
 *
 * <p>Open loop: a task is due when the load says so, however far behind the scheduler is, and its
 * latency counts from then. So a stall is charged to every task it delays, not only to the one in
 * progress (coordinated omission).
 */
public final class LiveRun {
  private static final int CARDS = 2;
  private static final int DEADLINE_FACTOR = 10;

  /** Bounds how much a second's rate varies around the mean, in thousandths. */
  private static final int[] RATE_BY_SLOT = {700, 600, 900, 1_800, 1_200, 500, 1_500, 800};

  private final Apps apps;
  private final Duration duration;
  private final double utilisation;
  private final long seed;

  /**
   * Creates a run.
   *
   * @param utilisation work offered, as a share of what the cores of this machine can do
   */
  public LiveRun(Apps apps, Duration duration, double utilisation, long seed) {
    this.apps = apps;
    this.duration = duration;
    this.utilisation = utilisation;
    this.seed = seed;
  }

  /** Returns the fleet: simulated cards of twice the speed, and the cores of this machine. */
  public static List<WorkerType> fleet() {
    WorkerType fpga =
        WorkerType.builder("fpga")
            .spinUp(Duration.ofMillis(500))
            .speedup(2)
            .power(50, 20)
            .price(0.982)
            .maxWorkers(CARDS)
            .build();
    WorkerType cpu =
        WorkerType.builder("cpu")
            .spinUp(Duration.ofMillis(1))
            .idleTimeout(Duration.ofMillis(50))
            .power(150, 30)
            .price(0.668)
            .maxWorkers(Runtime.getRuntime().availableProcessors())
            .build();
    return List.of(fpga, cpu);
  }

  /** Runs a policy and reports what was measured. */
  public LiveReport run(SchedulingPolicy policy, @Nullable EventLog log)
      throws InterruptedException {
    return run(policy, log, Calibration.create());
  }

  /** Runs a policy that plans with what a calibration knows and learns, and reports. */
  public LiveReport run(SchedulingPolicy policy, @Nullable EventLog log, Calibration calibration)
      throws InterruptedException {
    PacedSimHal cards = PacedSimHal.create(Apps.lookingUp());
    CompositeHal hal =
        CompositeHal.builder()
            .add(cards, "fpga")
            .add(CpuHal.builder(Apps.computing()).build(), "cpu")
            .build();
    LiveScheduler.Builder builder =
        LiveScheduler.builder(policy, hal)
            .workerTypes(fleet())
            .applications(apps.applications())
            .calibrate(calibration)
            .workloadCapabilities(java.util.Set.of(Capability.VARIANTS));
    if (log != null) {
      builder.record(log);
    }
    LiveScheduler scheduler = builder.start();
    List<Request> requests = new ArrayList<>();
    long schedulerCpuNanos;
    long startNanos = scheduler.nowNanos();
    try {
      offer(scheduler, startNanos, requests);
      for (Request request : requests) {
        request.handle().await(Duration.ofSeconds(30));
      }
      schedulerCpuNanos = schedulerCpuNanos();
    } finally {
      scheduler.close(Duration.ofSeconds(1));
    }
    return report(
        policy.name(), scheduler, startNanos, requests, schedulerCpuNanos, cards.lateRuns());
  }

  /** Remembers a submission: when it was due, on the scheduler's clock. */
  private record Request(long dueNanos, Object payload, Handle handle) {}

  private void offer(LiveScheduler scheduler, long startNanos, List<Request> requests) {
    SplittableRandom random = new SplittableRandom(seed);
    double meanSize = 0;
    for (int i = 0; i < apps.count(); i++) {
      meanSize += (double) apps.sizeNanos(i) / apps.count();
    }
    double meanGap = meanSize / (utilisation * Runtime.getRuntime().availableProcessors());
    long slotNanos = Math.max(1, duration.toNanos() / RATE_BY_SLOT.length);
    double due = 0;
    while (true) {
      int slot = (int) Math.min(RATE_BY_SLOT.length - 1, (long) due / slotNanos);
      due += -Math.log(1 - random.nextDouble()) * meanGap * 1_000 / RATE_BY_SLOT[slot];
      if (due >= duration.toNanos()) {
        return;
      }
      long dueNanos = startNanos + (long) due;
      int application = random.nextInt(apps.count());
      Object payload = apps.payload(application, requests.size());
      for (long left; (left = dueNanos - scheduler.nowNanos()) > 0; ) {
        LockSupport.parkNanos(left);
      }
      long size = apps.sizeNanos(application);
      requests.add(
          new Request(
              dueNanos,
              payload,
              scheduler.submit(
                  new Submission(
                      apps.name(application), size, DEADLINE_FACTOR * size, 1, payload))));
    }
  }

  private static long schedulerCpuNanos() {
    var threads = ManagementFactory.getThreadMXBean();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("muster-scheduler")) {
        return threads.getThreadCpuTime(thread.threadId());
      }
    }
    return 0;
  }

  private static LiveReport report(
      String policy,
      LiveScheduler scheduler,
      long startNanos,
      List<Request> requests,
      long schedulerCpuNanos,
      long lateCards)
      throws InterruptedException {
    Histogram latency = new Histogram(3);
    long wrong = 0;
    long late = 0;
    long lastNanos = startNanos;
    for (Request request : requests) {
      if (request.handle().await() instanceof Outcome.Completed done) {
        latency.recordValue(Math.max(0, done.finishNanos() - request.dueNanos()));
        lastNanos = Math.max(lastNanos, done.finishNanos());
        // The deadline, too, counts from when the task was due.
        if (done.finishNanos() - request.dueNanos() > done.deadlineNanos() - done.arrivalNanos()) {
          late++;
        }
        if (!Apps.isRight(request.payload(), done.result())) {
          wrong++;
        }
      }
    }
    Scheduler.Stats stats = scheduler.stats();
    Usage usage = scheduler.usage();
    return new LiveReport(
        policy,
        stats,
        (lastNanos - startNanos) / 1e9,
        latency,
        late,
        wrong,
        usage,
        requests.isEmpty() ? 0 : (double) schedulerCpuNanos / requests.size(),
        lateCards);
  }
}
