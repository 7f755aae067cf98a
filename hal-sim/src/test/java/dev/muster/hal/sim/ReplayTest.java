package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.Scheduler.Submission;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.Calibration;
import dev.muster.core.live.EventLog;
import dev.muster.core.live.LiveScheduler;
import dev.muster.core.spork.Spork;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60) // a guard against hanging, not a measurement
final class ReplayTest {
  private static final long INTERVAL_NANOS = 4_000_000;
  private static final WorkerType FPGA =
      WorkerType.builder("fpga")
          .spinUp(Duration.ofNanos(INTERVAL_NANOS))
          .load(Duration.ofNanos(100_000))
          .speedup(2)
          .power(50, 20)
          .price(1)
          .maxWorkers(4)
          .build();
  private static final WorkerType CPU =
      WorkerType.builder("cpu")
          .spinUp(Duration.ofNanos(200_000))
          .power(150, 30)
          .price(0.7)
          .maxWorkers(16)
          .build();
  private static final List<Application> APPLICATIONS =
      List.of(
          Application.of(
              "two\timages",
              Variant.builder("a", "fpga").image("a").build(),
              Variant.of("plain", "cpu")),
          Application.of(
              "other",
              Variant.builder("b", "fpga").image("b").powerWatts(40.125).speedup(3, 2).build(),
              Variant.builder("slow", "cpu").fixed(Duration.ofNanos(20_000)).build()));

  private static final Map<String, Supplier<SchedulingPolicy>> POLICIES = new TreeMap<>();

  static {
    POLICIES.put("SporkE", Spork::energy);
    POLICIES.put("SporkC", Spork::cost);
    POLICIES.put("SporkB", Spork::balanced);
    POLICIES.put("CPU-dynamic", Baselines::cpuDynamic);
    POLICIES.put("FPGA-static", () -> Baselines.fpgaStatic(3));
    POLICIES.put("INFaaS-like", () -> Baselines.infaas("fpga", INTERVAL_NANOS));
    POLICIES.put("AutoScale", () -> Baselines.autoScale("cpu"));
    POLICIES.put("Serverless", () -> Baselines.serverless("cpu"));
  }

  private static SchedulingPolicy policy(String name) {
    return Objects.requireNonNull(POLICIES.get(name)).get();
  }

  static Set<String> policies() {
    return POLICIES.keySet();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void decidesAsTheLiveRunDid(String name) throws Exception {
    StringWriter recording = record(name);
    Replay.Result result =
        Replay.run(new StringReader(recording.toString()), "recording", ReplayTest::policy);
    assertThat(result.difference()).isNull();
    assertThat(result.complete()).isTrue();
    assertThat(result.policy()).isEqualTo(name);
    assertThat(result.decisions()).isGreaterThan(600);
    assertThat(result.tally().submitted()).isBetween(200L, 300L);
    assertThat(result.tally().open()).isZero();
  }

  @Test
  void namesTheFirstDecisionThatDiffers() throws Exception {
    String recording = record("SporkE").toString();
    Replay.Result other =
        Replay.run(new StringReader(recording), "recording", name -> policy("FPGA-static"));
    assertThat(other.difference())
        .startsWith("recording line ")
        .contains("recorded")
        .contains("now");
  }

  @Test
  void refusesWhatIsNoRecordingNamingTheLine() throws Exception {
    assertRefused("", "line 1");
    assertRefused("other\n", "head of an event file");
    String good = record("SporkE").toString();
    String head = good.replaceFirst("(?s)\n[0-9].*", "\n");
    assertRefused(head + "x\tS\n", "whole number");
    assertRefused(head + "5\tr\t99\n", "must name one that was provisioned");
    assertRefused(head + "5\tT\n4\tT\n", "back in time");
    assertRefused(head + "5\tq\t0\n", "line ");
    assertRefused(head + "5\n", "is no event");
    assertRefused("m".repeat(5000), "longer than 4096");
  }

  private static void assertRefused(String text, String part) {
    assertThatThrownBy(() -> Replay.run(new StringReader(text), "recording", ReplayTest::policy))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(part)
        .hasMessageContaining("recording line ");
  }

  /** Records a live run of 300 tasks with cancellations, failures and lost workers. */
  private static StringWriter record(String name) throws Exception {
    StringWriter recording = new StringWriter();
    TaskBody.Registry bodies =
        TaskBody.Registry.builder()
            .otherwise(
                (payload, control) -> {
                  if ((Integer) Objects.requireNonNull(payload) % 17 == 5) {
                    throw new IllegalStateException("fails on purpose");
                  }
                  return payload;
                })
            .build();
    LiveScheduler scheduler =
        LiveScheduler.builder(policy(name), new FlakyHal(PacedSimHal.create(bodies)))
            .workerTypes(List.of(FPGA, CPU))
            .applications(APPLICATIONS)
            .workloadCapabilities(Set.of(Capability.values()))
            .record(EventLog.to(recording))
            .calibrate(Calibration.create())
            .start();
    List<Handle> handles = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Handle handle =
          scheduler.submit(
              new Submission(
                  APPLICATIONS.get(i % 3 == 0 ? 1 : 0).name(), 300_000, 3_000_000, 1 + i % 4, i));
      handles.add(handle);
      if (i % 11 == 3) {
        handle.cancel();
      }
      if (i % 4 == 0) {
        handles.get(i / 2).await();
      }
    }
    scheduler.close(Duration.ofSeconds(30));
    assertThat(scheduler.failure()).isEmpty();
    assertThat(handles).allMatch(Handle::isDone);
    assertThat(scheduler.stats().open()).isZero();
    return recording;
  }

  /** Loses the worker on every 40th run. */
  private static final class FlakyHal implements Hal {
    private final Hal real;
    private @Nullable Events events;
    private int runs;

    FlakyHal(Hal real) {
      this.real = real;
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
    public void open(Events value) {
      events = value;
      real.open(value);
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
    public void run(Worker worker, Task task, Variant variant, long runId) {
      if (++runs % 40 == 0) {
        Objects.requireNonNull(events)
            .lost(
                worker,
                new DeviceException(DeviceException.Kind.LOST, "sim: lost on purpose", null));
      } else {
        real.run(worker, task, variant, runId);
      }
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
