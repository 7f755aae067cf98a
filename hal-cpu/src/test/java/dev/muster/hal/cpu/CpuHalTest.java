package dev.muster.hal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Application;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.HalProvider;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outcome;
import dev.muster.api.Scheduler;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.LiveScheduler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60) // a guard against hanging, not a measurement
final class CpuHalTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final WorkerType CPU =
      WorkerType.builder("cpu").power(4, 1).idleTimeout(Duration.ofMillis(1)).build();
  private static final Application APP = Application.of("app", Variant.of("plain", "cpu"));

  private static LiveScheduler start(CpuHal hal) {
    return start(hal, CPU);
  }

  private static LiveScheduler start(CpuHal hal, WorkerType type) {
    return LiveScheduler.builder(Baselines.cpuDynamic(), hal)
        .workerType(type)
        .application(APP)
        .start();
  }

  private static CpuHal.Builder hal() {
    return CpuHal.builder(TaskBody.Registry.ofCallables());
  }

  private static Handle submit(Scheduler scheduler, Callable<Object> code) {
    return scheduler.submit("app", Duration.ofMillis(1), Duration.ofMillis(1), code);
  }

  private static Object sleepForever() throws InterruptedException {
    new CountDownLatch(1).await();
    return "never";
  }

  @Test
  void runsBodiesOnItsThreads() throws Exception {
    TaskBody.Registry bodies =
        TaskBody.Registry.builder()
            .bind("app", "plain", (payload, control) -> payload + Thread.currentThread().getName())
            .build();
    try (LiveScheduler scheduler = start(CpuHal.create(bodies))) {
      Outcome outcome = scheduler.submit("app", LONG, LONG, "on ").await();
      assertThat(((Outcome.Completed) outcome).result()).isEqualTo("on muster-cpu-cpu-0");
      assertThat(((Outcome.Completed) outcome).energy().source())
          .isEqualTo(EnergyReading.Source.MODELLED);
    }
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void failsTasksWhoseVariantHasNoBody() throws Exception {
    try (LiveScheduler scheduler = start(CpuHal.create(TaskBody.Registry.builder().build()))) {
      Outcome outcome = scheduler.submit("app", LONG, LONG, null).await();
      assertThat(((Outcome.Failed) outcome).cause())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("must be bound before a task needs it");
    }
  }

  @Test
  void failsTasksWithWhateverTheBodyThrows() throws Exception {
    try (LiveScheduler scheduler = start(hal().build())) {
      Error error = new StackOverflowError("deep");
      Outcome outcome =
          submit(
                  scheduler,
                  () -> {
                    throw error;
                  })
              .await();
      assertThat(outcome).isEqualTo(new Outcome.Failed(0, error, 1));
      assertThat(submit(scheduler, () -> 1).await()).isInstanceOf(Outcome.Completed.class);
    }
  }

  @Test
  void neverExceedsItsCoreBudget() throws Exception {
    CpuHal hal = hal().coreBudget(2).build();
    AtomicInteger running = new AtomicInteger();
    AtomicBoolean exceeded = new AtomicBoolean();
    LiveScheduler scheduler = start(hal); // of a type without a limit: each late task gets a worker
    List<Handle> handles = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      handles.add(
          submit(
              scheduler,
              () -> {
                if (running.incrementAndGet() > 2 || hal.coresInUse() > 2) {
                  exceeded.set(true);
                }
                LockSupport.parkNanos(1_000);
                running.decrementAndGet();
                return null;
              }));
    }
    for (Handle handle : handles) {
      assertThat(handle.await()).isInstanceOf(Outcome.Completed.class);
    }
    scheduler.close();
    assertThat(exceeded).isFalse();
    assertThat(hal.coresInUse()).isZero();
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void interruptsTheCancelledRunAndNoOther() throws Exception {
    try (LiveScheduler scheduler = start(hal().coreBudget(1).build())) {
      for (int i = 0; i < 200; i++) {
        CountDownLatch began = new CountDownLatch(1);
        Handle endless =
            submit(
                scheduler,
                () -> {
                  began.countDown();
                  return sleepForever();
                });
        if (i % 2 == 0) {
          began.await();
        }
        endless.cancel();
        assertThat(endless.await()).isInstanceOf(Outcome.Cancelled.class);
        Outcome next = submit(scheduler, Thread::interrupted).await();
        assertThat(((Outcome.Completed) next).result()).isEqualTo(false);
      }
    }
  }

  @Test
  void failsRunsThatPassTheTimeLimitWhateverTheyReturn() throws Exception {
    try (LiveScheduler scheduler = start(hal().timeLimit(Duration.ofMillis(20)).build())) {
      Handle heeding =
          submit(
              scheduler,
              () -> {
                try {
                  return sleepForever();
                } catch (InterruptedException e) {
                  return "partial";
                }
              });
      Outcome.Failed failed = (Outcome.Failed) heeding.await();
      assertThat(((DeviceException) failed.cause()).kind())
          .isEqualTo(DeviceException.Kind.TIMED_OUT);
      assertThat(failed.attempts()).isEqualTo(1);
      assertThat(submit(scheduler, () -> 1).await()).isInstanceOf(Outcome.Completed.class);
    }
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void givesUpOnWorkersWhoseRunIgnoresItsTimeLimit() throws Exception {
    CpuHal hal =
        hal().coreBudget(2).timeLimit(Duration.ofMillis(20)).grace(Duration.ofMillis(20)).build();
    AtomicBoolean stop = new AtomicBoolean();
    LiveScheduler scheduler = start(hal, CPU.toBuilder().maxWorkers(1).build());
    Handle stuck =
        submit(
            scheduler,
            () -> {
              while (!stop.get()) {
                Thread.onSpinWait();
              }
              return "late";
            });
    Handle behind = scheduler.submit("app", Duration.ofMillis(1), LONG, (Callable<Object>) () -> 2);
    Outcome.Failed failed = (Outcome.Failed) stuck.await();
    assertThat(((DeviceException) failed.cause()).kind()).isEqualTo(DeviceException.Kind.TIMED_OUT);
    assertThat(((Outcome.Completed) behind.await()).result()).isEqualTo(2);
    assertThat(hal.coresInUse()).isPositive();
    stop.set(true);
    scheduler.close();
    assertThat(liveThreads()).isEmpty();
  }

  @Test
  void reportsThreadsThatDoNotEndWhenItCloses() throws Exception {
    CpuHal hal = hal().build();
    RecordingEvents events = new RecordingEvents();
    hal.open(events);
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch began = new CountDownLatch(1);
    TestWorker worker = new TestWorker(0, 0, CPU);
    hal.provision(worker);
    events.awaitReady(worker);
    hal.run(
        worker,
        new TestTask(
            APP,
            (Callable<Object>)
                () -> {
                  began.countDown();
                  while (!stop.get()) {
                    Thread.onSpinWait();
                  }
                  return null;
                }),
        APP.variants().get(0),
        1);
    began.await();
    assertThat(hal.close(Duration.ofMillis(5))).containsExactly("cpu:cpu-0");
    stop.set(true);
    assertThat(hal.close(LONG)).isEmpty();
    assertThatThrownBy(() -> hal.provision(new TestWorker(1, 1, CPU)))
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.CLOSED));
  }

  @Test
  void measuresRunsThatHaveTheMachineToThemselves(@TempDir Path root) throws Exception {
    Path zone = Files.createDirectory(root.resolve("intel-rapl:0"));
    Files.writeString(zone.resolve("name"), "package-0\n");
    Files.writeString(zone.resolve("max_energy_range_uj"), "1000000\n");
    Path counter = zone.resolve("energy_uj");
    Files.writeString(counter, "900000\n");
    CpuHal hal = hal().meter(PowercapMeter.open(root).orElseThrow()).build();
    try (LiveScheduler scheduler = start(hal)) {
      Outcome.Completed metered =
          (Outcome.Completed)
              submit(scheduler, () -> Files.writeString(counter, "400000\n")).await();
      // 100 mJ up to the wrap, 400 mJ after it.
      assertThat(metered.energy()).isEqualTo(new EnergyReading(0.5, EnergyReading.Source.MEASURED));
      Outcome.Completed tooShort = (Outcome.Completed) submit(scheduler, () -> 1).await();
      assertThat(tooShort.energy().source()).isEqualTo(EnergyReading.Source.MODELLED);
    }
  }

  @Test
  void runsCodeInProcesses() throws Exception {
    WorkerType processes =
        WorkerType.builder("cpu").power(4, 1).idleTimeout(LONG).maxWorkers(1).build();
    Application app = Application.of("app", Variant.of("reverse", "cpu"));
    CpuHal hal =
        hal()
            .processType(
                "cpu",
                ProcessWorkers.builder()
                    .jvmOptions("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                    .bind("app", "reverse", Reverse.class)
                    .build())
            .build();
    try (LiveScheduler scheduler =
        LiveScheduler.builder(Baselines.cpuDynamic(), hal)
            .workerType(processes)
            .application(app)
            .start()) {
      byte[] input = "muster".getBytes(StandardCharsets.UTF_8);
      Outcome.Completed done =
          (Outcome.Completed) scheduler.submit("app", LONG, LONG, input).await();
      assertThat((byte[]) done.result()).isEqualTo("retsum".getBytes(StandardCharsets.UTF_8));
      assertThat(scheduler.submit("app", LONG, LONG, new byte[0]).await())
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.cause()).hasMessageContaining("nothing to reverse"));
      assertThat(scheduler.submit("app", LONG, LONG, "text").await())
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.cause()).isInstanceOf(InvalidInputException.class));
      Outcome crashed = scheduler.submit("app", LONG, LONG, new byte[] {-1}).await();
      assertThat(crashed)
          .isInstanceOfSatisfying(
              Outcome.Failed.class, failed -> assertThat(failed.attempts()).isEqualTo(3));
      assertThat(scheduler.submit("app", LONG, LONG, input).await())
          .isInstanceOf(Outcome.Completed.class);
    }
    assertThat(liveThreads()).isEmpty();
  }

  /** Reverses bytes; an empty array fails, and -1 ends the process. */
  static final class Reverse implements TaskBody {
    @Override
    public Object run(@org.jspecify.annotations.Nullable Object payload, Control control) {
      byte[] bytes = (byte[]) java.util.Objects.requireNonNull(payload);
      if (bytes.length == 0) {
        throw new IllegalArgumentException("nothing to reverse");
      }
      if (bytes[0] == -1) {
        Runtime.getRuntime().halt(7);
      }
      byte[] reversed = new byte[bytes.length];
      for (int i = 0; i < bytes.length; i++) {
        reversed[i] = bytes[bytes.length - 1 - i];
      }
      return reversed;
    }
  }

  @Test
  void isFoundByItsName() throws Exception {
    // As a module and on the class path.
    assertThat(CpuHal.class.getModule().getDescriptor().provides())
        .anyMatch(p -> p.providers().contains(CpuHalProvider.class.getName()));
    try (var names =
        CpuHal.class.getResourceAsStream("/META-INF/services/" + HalProvider.class.getName())) {
      assertThat(names).hasContent(CpuHalProvider.class.getName());
    }
    HalProvider provider = new CpuHalProvider();
    assertThat(provider.name()).isEqualTo("cpu");
    Hal hal = provider.create(Map.of("cores", "3", "timeLimitMillis", "1000"));
    assertThat(((CpuHal) hal).coreBudget()).isEqualTo(3);
    assertThatThrownBy(() -> provider.create(Map.of("core", "3")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("must be one of [affinity, cores, meter, timeLimitMillis]");
    assertThatThrownBy(() -> provider.create(Map.of("cores", "many")))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void pinsItsThreadsOrSaysWhyNot() throws Exception {
    CpuHal hal = hal().affinity().build();
    try (LiveScheduler scheduler = start(hal)) {
      Outcome.Completed done =
          (Outcome.Completed)
              submit(
                      scheduler,
                      () ->
                          Files.exists(Path.of("/proc/thread-self/status"))
                              ? Files.readString(Path.of("/proc/thread-self/status"))
                              : "")
                  .await();
      if (hal.affinityProblem().isEmpty()) {
        String cores =
            String.valueOf(done.result())
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow();
        assertThat(Affinity.parse(cores.substring(cores.indexOf(':') + 1).strip()).cardinality())
            .isEqualTo(1);
      } else {
        assertThat(hal.affinityProblem().get()).isNotBlank();
      }
    }
    assertThat(Affinity.parse("0-2,5").cardinality()).isEqualTo(4);
  }

  private static List<String> liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("muster-"))
        .toList();
  }

  /** Stands in for a task of the engine. */
  private record TestTask(Application application, Object payload) implements Task {
    @Override
    public long id() {
      return 0;
    }

    @Override
    public long arrivalNanos() {
      return 0;
    }

    @Override
    public long deadlineNanos() {
      return NO_DEADLINE;
    }

    @Override
    public long sizeNanos() {
      return 1;
    }

    @Override
    public int weight() {
      return 1;
    }

    @Override
    public int attempts() {
      return 1;
    }
  }
}
