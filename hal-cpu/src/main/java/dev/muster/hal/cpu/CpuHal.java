package dev.muster.hal.cpu;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on this machine: each worker is a platform thread, or a process behind one.
 *
 * <p>A worker holds one core of the budget from its start to the end of its thread. A worker
 * provisioned beyond the budget spins up once a core is given back, so declare worker types with at
 * most that many workers in all. What a body throws fails its task; a cancelled run is interrupted
 * and told through {@link TaskBody.Control}; a run that passes the time limit is cancelled and
 * fails as TIMED_OUT, and if it does not end within the grace time the worker counts as lost while
 * its thread, which Java cannot stop, keeps its core.
 *
 * <p>Energy of a run is measured where the powercap files of the machine can be read, the run had
 * the HAL to itself, and it was long enough for the meter to advance: the reading is that of the
 * processor packages meanwhile. Otherwise the run reports none, and the model's figure stands.
 *
 * <p>Loading an image takes no time here. Commands come from one thread.
 */
public final class CpuHal implements Hal {
  private static final Duration DEFAULT_GRACE = Duration.ofMillis(500);
  private static final int DEFAULT_RUN_AHEAD = 32;
  private static final int MAX_RUN_AHEAD = 1 << 12;
  private static final int MAX_CORES = 1 << 16;
  private static final int MAX_CACHED_VARIANTS = 1 << 12;

  /** Stands in where a process holds the code. */
  private static final TaskBody NO_BODY = (payload, control) -> null;

  private final TaskBody.Registry bodies;
  private final int coreBudget;
  private final @Nullable Duration timeLimit;
  private final long timeLimitNanos;
  private final Duration grace;
  private final long spinNanos;
  private final int runAhead;
  private final @Nullable PowercapMeter meter;
  private final @Nullable Affinity affinity;
  private final Map<String, Supplier<Backend>> processTypes;

  private final AtomicInteger coresInUse = new AtomicInteger();
  private final Queue<CpuWorker> pending = new ConcurrentLinkedQueue<>();
  private final Map<Long, CpuWorker> started = new ConcurrentHashMap<>();
  private final AtomicInteger activeRuns = new AtomicInteger();
  private final AtomicLong runCount = new AtomicLong();

  // Below: the command thread's.
  private @Nullable CpuWorker[] bySlot = new CpuWorker[64];
  private final IdentityHashMap<Application, IdentityHashMap<Variant, TaskBody>> bodyCache =
      new IdentityHashMap<>();
  private int cachedVariants;
  private @Nullable Events events;
  private @Nullable Watchdog watchdog;
  private volatile boolean closed;

  private CpuHal(Builder b) {
    bodies = b.bodies;
    coreBudget = b.coreBudget;
    timeLimit = b.timeLimit;
    timeLimitNanos = b.timeLimit == null ? 0 : b.timeLimit.toNanos();
    grace = b.grace;
    spinNanos = b.spinNanos;
    runAhead = b.runAhead;
    meter = b.meter;
    affinity = b.affinity ? Affinity.ofThisProcess() : null;
    processTypes = Map.copyOf(b.processTypes);
  }

  /** Starts to describe a HAL that runs the given bodies. */
  public static Builder builder(TaskBody.Registry bodies) {
    return new Builder(bodies);
  }

  /** Creates a HAL over all cores, with no time limit. */
  public static CpuHal create(TaskBody.Registry bodies) {
    return builder(bodies).build();
  }

  /** Returns how many cores are held now; never more than the budget. */
  public int coresInUse() {
    return coresInUse.get();
  }

  /** Returns how many workers may have a core at once. */
  public int coreBudget() {
    return coreBudget;
  }

  /** Returns the meter that readings come from; empty where everything is modelled. */
  public Optional<PowercapMeter> meter() {
    return Optional.ofNullable(meter);
  }

  /** Returns why workers are not pinned to cores, if that was asked for and did not work. */
  public Optional<String> affinityProblem() {
    return affinity == null ? Optional.empty() : affinity.problem();
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.ELASTIC_WORKERS, Capability.REGIONS);
  }

  @Override
  public String deviceId(Worker worker) {
    return "cpu:" + worker.type().name() + "-" + worker.id();
  }

  @Override
  public void open(Events value) {
    if (events != null) {
      throw new IllegalStateException("the CPU HAL is open already");
    }
    events = value;
    if (timeLimit != null) {
      Watchdog dog = new Watchdog(started.values(), grace.toNanos());
      watchdog = dog;
      dog.start();
    }
  }

  @Override
  public void provision(Worker worker) {
    requireOpen(worker, "provision");
    if (worker.slot() >= bySlot.length) {
      bySlot = Arrays.copyOf(bySlot, Math.max(2 * bySlot.length, worker.slot() + 1));
    }
    Supplier<Backend> process = processTypes.get(worker.type().name());
    CpuWorker cpu =
        new CpuWorker(
            this,
            worker,
            process == null ? Backend.thread() : process.get(),
            Objects.requireNonNull(events),
            spinNanos,
            runAhead);
    bySlot[worker.slot()] = cpu;
    if (started.size() > 2 * coreBudget + 16) {
      started.values().removeIf(CpuWorker::isDead);
    }
    pending.add(cpu);
    startPending();
  }

  @Override
  public void load(Worker worker, Variant variant) {
    if (held(worker, "load").isBusy()) {
      throw new DeviceException(
          DeviceException.Kind.BUSY,
          deviceId(worker) + ": load under a run; load once the worker's runs have been answered",
          null);
    }
    Objects.requireNonNull(events).loaded(worker);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    CpuWorker cpu = held(worker, "run");
    Application application = task.application();
    TaskBody body = cpu.needsBody() ? body(application, variant) : NO_BODY;
    if (body == null) {
      Objects.requireNonNull(events)
          .failed(
              worker,
              runId,
              InvalidInputException.of(
                  "body of application \"" + application.name() + "\" variant",
                  '"' + variant.id() + '"',
                  "must be bound before a task needs it",
                  "bind it in the TaskBody.Registry of the CPU HAL"));
      return;
    }
    cpu.give(body, application.name(), variant.id(), task.payload(), runId);
  }

  @Override
  public int runAhead(WorkerType type) {
    return runAhead;
  }

  @Override
  public boolean withdraw(Worker worker, long runId) {
    CpuWorker cpu = find(worker);
    return cpu != null && cpu.withdraw(runId);
  }

  @Override
  public void cancel(Worker worker, long runId) {
    CpuWorker cpu = find(worker);
    if (cpu != null) {
      cpu.cancel(runId);
    }
  }

  @Override
  public void release(Worker worker) {
    CpuWorker cpu = held(worker, "release");
    bySlot[worker.slot()] = null;
    pending.remove(cpu);
    cpu.release();
  }

  @Override
  public List<String> close(Duration timeout) {
    closed = true;
    pending.clear();
    for (CpuWorker worker : started.values()) {
      worker.stopNow();
    }
    if (watchdog != null) {
      watchdog.stop();
    }
    long endNanos = System.nanoTime() + timeout.toNanos();
    List<String> left = new ArrayList<>();
    for (CpuWorker worker : List.copyOf(started.values())) {
      if (!joined(worker.thread(), endNanos)) {
        left.add(worker.deviceId);
      }
    }
    return left.stream().sorted().toList();
  }

  private static boolean joined(@Nullable Thread thread, long endNanos) {
    if (thread == null) {
      return true;
    }
    try {
      long left = Math.max(0, endNanos - System.nanoTime());
      return thread.join(Duration.ofNanos(left)) || !thread.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !thread.isAlive();
    }
  }

  // ---------------------------------------------------------------- for the workers' threads

  /** Starts waiting workers while there are cores for them. */
  private void startPending() {
    while (!pending.isEmpty()) {
      int used = coresInUse.get();
      if (used >= coreBudget) {
        return;
      }
      if (coresInUse.compareAndSet(used, used + 1)) {
        CpuWorker next = closed ? null : pending.poll();
        if (next == null) {
          coresInUse.decrementAndGet();
        } else {
          started.put(next.worker.id(), next);
          if (!next.start()) {
            started.remove(next.worker.id());
            coresInUse.decrementAndGet();
          }
        }
      }
    }
  }

  /** Takes a core back; the thread itself stays known until it is dead, so that close waits. */
  void ended() {
    if (affinity != null) {
      affinity.unpin();
    }
    coresInUse.decrementAndGet();
    startPending();
  }

  void pin(CpuWorker worker) {
    if (affinity != null) {
      affinity.pin();
    }
  }

  PowercapMeter.@Nullable Reading runStarts(CpuWorker worker) {
    Watchdog dog = watchdog;
    if (dog != null) {
      dog.limit(worker, timeLimitNanos);
    }
    if (meter == null) {
      return null;
    }
    boolean alone = activeRuns.incrementAndGet() == 1;
    long count = runCount.incrementAndGet();
    return alone ? meter.read(count) : null;
  }

  @Nullable EnergyReading runEnds(PowercapMeter.@Nullable Reading before) {
    if (meter == null) {
      return null;
    }
    boolean alone = activeRuns.decrementAndGet() == 0;
    if (before == null || !alone || runCount.get() != before.mark()) {
      return null;
    }
    PowercapMeter.Reading after = meter.read(before.mark());
    if (after == null || after.joules() <= before.joules()) {
      return null; // below what the meter resolves; the model knows better than 0
    }
    return new EnergyReading(after.joules() - before.joules(), EnergyReading.Source.MEASURED);
  }

  String timeLimit() {
    return String.valueOf(timeLimit);
  }

  // ---------------------------------------------------------------- for the command thread

  private @Nullable TaskBody body(Application application, Variant variant) {
    IdentityHashMap<Variant, TaskBody> known = bodyCache.get(application);
    TaskBody body = known == null ? null : known.get(variant);
    if (body == null) {
      body = bodies.body(application, variant);
      if (body != null) {
        if (++cachedVariants > MAX_CACHED_VARIANTS) {
          bodyCache.clear();
          cachedVariants = 1;
        }
        bodyCache.computeIfAbsent(application, a -> new IdentityHashMap<>()).put(variant, body);
      }
    }
    return body;
  }

  private void requireOpen(Worker worker, String command) {
    if (closed || events == null) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker)
              + ": "
              + command
              + (closed ? " after close; open a new CPU HAL" : " before open; open the HAL first"),
          null);
    }
  }

  private CpuWorker held(Worker worker, String command) {
    requireOpen(worker, command);
    CpuWorker cpu = find(worker);
    if (cpu == null || cpu.isReleasing()) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker) + ": " + command + " on a worker that is not up; provision one",
          null);
    }
    return cpu;
  }

  private @Nullable CpuWorker find(Worker worker) {
    int slot = worker.slot();
    CpuWorker cpu = slot < bySlot.length ? bySlot[slot] : null;
    return cpu != null && cpu.worker.id() == worker.id() ? cpu : null;
  }

  /** Builds a {@link CpuHal}; every setter validates at once. */
  public static final class Builder {
    private final TaskBody.Registry bodies;
    private int coreBudget = Runtime.getRuntime().availableProcessors();
    private @Nullable Duration timeLimit;
    private Duration grace = DEFAULT_GRACE;
    private long spinNanos;
    private int runAhead = DEFAULT_RUN_AHEAD;
    private boolean affinity;
    private @Nullable PowercapMeter meter;
    private final Map<String, Supplier<Backend>> processTypes = new HashMap<>();

    private Builder(TaskBody.Registry bodies) {
      this.bodies = bodies;
    }

    /** Sets how many workers may have a core at once; by default one per core of the machine. */
    public Builder coreBudget(int cores) {
      if (cores < 1 || cores > MAX_CORES) {
        throw InvalidInputException.of(
            "core budget", cores, "must be between 1 and " + MAX_CORES, "give a number of cores");
      }
      coreBudget = cores;
      return this;
    }

    /** Sets how long a run may take; by default as long as it likes. */
    public Builder timeLimit(Duration value) {
      requirePositive("time limit", value);
      timeLimit = value;
      return this;
    }

    /** Sets how long a run may go on after it was told that it passed its limit. */
    public Builder grace(Duration value) {
      requirePositive("grace time", value);
      grace = value;
      return this;
    }

    /**
     * Sets how long a worker's thread looks out for the next run before it parks: it saves the cost
     * of waking it up, and takes its core meanwhile. By default it parks at once.
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
     * Sets how many runs a worker takes in advance, so that it goes from one to the next without
     * waiting for the scheduler; by default 32.
     *
     * @param runs 0 to 4096
     */
    public Builder runAhead(int runs) {
      if (runs < 0 || runs > MAX_RUN_AHEAD) {
        throw InvalidInputException.of(
            "runs taken in advance",
            runs,
            "must be between 0 and " + MAX_RUN_AHEAD,
            "use 0 to give a worker one run at a time");
      }
      runAhead = runs;
      return this;
    }

    /**
     * Pins each worker's thread to a core of its own, with the {@code taskset} of util-linux. Where
     * that does not work, workers run unpinned and {@link CpuHal#affinityProblem()} says why.
     */
    public Builder affinity() {
      affinity = true;
      return this;
    }

    /** Sets the meter to take energy readings from; by default there is none. */
    public Builder meter(PowercapMeter value) {
      meter = value;
      return this;
    }

    /** Uses the machine's own meter if it can be read. */
    public Builder meterIfReadable() {
      meter = PowercapMeter.open(PowercapMeter.DEFAULT_ROOT).orElse(null);
      return this;
    }

    /**
     * Makes the workers of a type processes: each is a Java virtual machine of its own that spins
     * up for real and that a crash of the code cannot reach beyond.
     */
    public Builder processType(String workerType, ProcessWorkers workers) {
      processTypes.put(workerType, workers::backend);
      return this;
    }

    private static void requirePositive(String what, Duration value) {
      if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(30)) > 0) {
        throw InvalidInputException.of(
            what, value, "must be above 0 and at most 30 days", "give a time a run may need");
      }
    }

    /** Builds the HAL. */
    public CpuHal build() {
      return new CpuHal(this);
    }
  }
}
