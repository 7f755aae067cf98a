package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a HAL keeps its contract (see {@link Hal}); implement it in a test class.
 *
 * <p>The HAL is driven through a real engine. The implementer says how to make a HAL, what runs on
 * it, how to let time pass, and, where the hardware allows it, how a run overruns its limit and how
 * a device gets lost. Each test answers for one rule and looks only at what that rule says.
 */
@Timeout(120)
public interface DeviceContract {
  /** Makes a new HAL, not opened. */
  Hal hal();

  /** Returns a worker type of the HAL. */
  WorkerType type();

  /** Returns an application that the HAL can run on the type; its first variant is used most. */
  Application application();

  /**
   * Lets time pass until the HAL has reported something, and delivers it to the engine.
   *
   * @return false if nothing is pending
   */
  boolean pump(Hal hal, Engine engine);

  /** Returns the service time of a task on the reference worker. */
  default long sizeNanos() {
    return 1_000;
  }

  /** Returns what a task works on. */
  default @Nullable Object payload() {
    return null;
  }

  /**
   * Returns what a task works on whose run passes the HAL's time limit (DEV-5), or {@code null} if
   * the HAL has no such limit.
   */
  default @Nullable Object overrunningPayload() {
    return null;
  }

  /**
   * Takes the device behind a worker away, as pulling the card or killing the process would
   * (DEV-6).
   *
   * @return false if that cannot be done to this HAL
   */
  default boolean lose(Hal hal, Worker worker) {
    return false;
  }

  /** Holds that a run is answered once and that energy is finite and never negative (DEV-1). */
  @Test
  default void dev1_answersEachRunOnceWithSoundEnergy() {
    DeviceHarness h = new DeviceHarness(this);
    for (int i = 0; i < 20; i++) {
      h.submit();
    }
    h.pumpAll();
    assertThat(h.engine.tally().completed()).isEqualTo(20);
    for (DeviceHarness.Report report : h.reports()) {
      EnergyReading energy = report.energy();
      if (energy != null) {
        assertThat(energy.joules()).as("DEV-1: energy of %s", report).isNotNegative().isFinite();
        assertThat(energy.source()).as("DEV-1: source of %s", report).isNotNull();
      }
    }
    assertThat(h.runEnds()).as("DEV-1: events that end a run").hasSize(20);
    assertThat(h.runEnds()).extracting(DeviceHarness.Report::runId).doesNotHaveDuplicates();
    assertThat(h.engine.usage().energyJoules()).isNotNegative().isFinite();
    h.close();
  }

  /** Holds that a command on a closed layer fails with a typed error (DEV-2). */
  @Test
  default void dev2_refusesCommandsAfterClose() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpAll();
    Worker worker = h.worker();
    Variant variant = application().variants().get(0).resolvedFor(type());
    h.hal.close(Duration.ofSeconds(10));
    assertThatThrownBy(() -> h.hal.load(worker, variant))
        .as("DEV-2: load after close")
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.CLOSED));
  }

  /**
   * Holds that loading drains first (DEV-3): a load under a run is refused, or answered after the
   * run.
   */
  @Test
  default void dev3_neverLoadsUnderARun() {
    DeviceHarness h = new DeviceHarness(this);
    List<Variant> images = h.variantsWithDistinctImages();
    assumeThat(images).as("this HAL loads nothing").hasSizeGreaterThan(1);
    h.submit(images.get(0));
    h.pumpUntilStarted();
    Worker worker = h.worker();
    boolean refused = false;
    try {
      h.hal.load(worker, images.get(1));
    } catch (DeviceException e) {
      refused = true;
    }
    h.pumpAll();
    h.settle();
    List<DeviceHarness.What> underRun =
        h.reports().stream()
            .map(DeviceHarness.Report::what)
            .dropWhile(what -> what != DeviceHarness.What.LOADED)
            .skip(1)
            .takeWhile(what -> what != DeviceHarness.What.COMPLETED)
            .toList();
    assertThat(underRun).as("DEV-3: reports between the load and the run's end").isEmpty();
    long answers =
        h.reports().stream()
            .filter(
                report ->
                    report.what() == DeviceHarness.What.LOADED
                        || report.what() == DeviceHarness.What.LOAD_FAILED)
            .count();
    assertThat(answers).as("DEV-3: answers to loads").isEqualTo(refused ? 1 : 2);
    h.close();
  }

  /** Holds that cancelling is idempotent and that the task still gets one outcome (DEV-4). */
  @Test
  default void dev4_cancelIsIdempotent() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpUntilStarted();
    Worker worker = h.worker();
    long runId = h.lastRunId();
    h.cancelTask();
    h.hal.cancel(worker, runId);
    h.pumpAll();
    h.settle();
    assertThat(h.endsOf(runId, DeviceHarness.What.FAILED))
        .as("DEV-4: failures reported for a run that was cancelled twice")
        .isLessThanOrEqualTo(1);
    int before = h.reports().size();
    h.hal.cancel(worker, runId);
    h.settle();
    assertThat(h.reports()).as("DEV-4: reports before and after a late cancel").hasSize(before);
    assertThat(h.engine.tally().cancelled() + h.engine.tally().completed()).isEqualTo(1);
    h.close();
  }

  /** Holds that a run that was cancelled or ran too long never gives a result later (DEV-5). */
  @Test
  default void dev5_endsOverrunsWithAStatusAndNoOutput() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpUntilStarted();
    long cancelled = h.lastRunId();
    h.cancelTask();
    h.pumpAll();
    Object payload = overrunningPayload();
    if (payload != null) {
      h.submitPayload(payload);
      h.pumpUntilStarted();
      long overrun = h.lastRunId();
      h.pumpAll();
      assertThat(h.engine.tally().failed()).as("DEV-5: tasks that ran too long").isEqualTo(1);
      assertThat(h.failureKinds()).as("DEV-5: its cause").contains(DeviceException.Kind.TIMED_OUT);
      h.settle();
      assertThat(h.endsOf(overrun, DeviceHarness.What.COMPLETED)).as("DEV-5: its output").isZero();
    }
    h.submit();
    h.pumpAll();
    h.settle();
    long failures = h.endsOf(cancelled, DeviceHarness.What.FAILED);
    assertThat(h.endsOf(cancelled, DeviceHarness.What.COMPLETED))
        .as("DEV-5: outputs of a run that failed %d times", failures)
        .isLessThanOrEqualTo(failures > 0 ? 0 : 1);
    h.closeWithLosses();
  }

  /** Holds that a lost device is one event, then silence, and that no task is lost (DEV-6). */
  @Test
  default void dev6_reportsALossOnceThenIsSilent() {
    DeviceHarness h = new DeviceHarness(this);
    for (int i = 0; i < 3; i++) {
      h.submit();
    }
    h.pumpUntilStarted();
    Worker worker = h.worker();
    assumeThat(lose(h.hal, worker)).as("no device of this HAL can be lost").isTrue();
    h.pumpAll();
    List<DeviceHarness.What> events =
        h.reports().stream()
            .filter(report -> report.workerId() == worker.id())
            .map(DeviceHarness.Report::what)
            .dropWhile(what -> what != DeviceHarness.What.LOST)
            .toList();
    assertThat(events).as("DEV-6: from the loss on").containsExactly(DeviceHarness.What.LOST);
    assertThat(worker.state()).isEqualTo(Worker.State.LOST);
    h.closeWithLosses();
  }

  /** Holds that ids of devices are stable, distinct and not bare indices (DEV-7). */
  @Test
  default void dev7_namesDevicesByStableIds() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpAll();
    Worker worker = h.worker();
    String first = h.hal.deviceId(worker);
    assertThat(h.hal.deviceId(worker))
        .as("DEV-7: the id of a device")
        .isEqualTo(first)
        .isNotBlank()
        .doesNotMatch("\\d*");
    h.close();
  }

  /**
   * Holds that closing ends within its time, also under a run, that closing again is harmless, and
   * that nothing is reported afterwards (DEV-8).
   */
  @Test
  default void dev8_closesWithNothingLeft() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpUntilStarted();
    h.policy.isClosing = true;
    assertThat(h.hal.close(Duration.ofSeconds(10))).as("DEV-8: devices left").isEmpty();
    h.settle();
    int before = h.reports().size();
    assertThat(h.hal.close(Duration.ofSeconds(10))).as("DEV-8: closing again").isEmpty();
    h.settle();
    assertThat(h.reports()).as("DEV-8: reports after close").hasSize(before);
  }

  /** Holds that many workers at once, with runs cancelled here and there, stay apart (DEV-9). */
  @Test
  default void dev9_holdsUnderStress() {
    DeviceHarness h = new DeviceHarness(this);
    h.spreadOver(Math.min(8, type().maxWorkers()));
    int tasks = 200;
    for (int i = 0; i < tasks; i++) {
      h.submit();
      if (i % 7 == 3) {
        h.cancelTask();
      }
      if (i % 5 == 4) {
        pump(h.hal, h.engine);
      }
    }
    h.pumpAll();
    assertThat(h.engine.tally().completed() + h.engine.tally().cancelled())
        .as("DEV-9: outcomes")
        .isEqualTo(tasks);
    for (DeviceHarness.Report end : h.runEnds()) {
      assertThat(h.workerOf(end.runId()))
          .as("DEV-9: the worker in %s", end)
          .isEqualTo(end.workerId());
    }
    h.close();
  }

  /** Holds that a released worker's device comes back (elastic HALs only). */
  @Test
  default void elastic_releasesAndProvisionsAgain() {
    DeviceHarness h = new DeviceHarness(this);
    assumeThat(h.hal.capabilities())
        .as("this HAL has a fixed fleet")
        .contains(Capability.ELASTIC_WORKERS);
    Set<Long> workers = new HashSet<>();
    h.policy.releasesAfterTask = true;
    for (int i = 0; i < 3; i++) {
      h.submit();
      workers.add(h.worker().id());
      h.pumpAll();
    }
    assertThat(workers).hasSize(3);
    assertThat(h.engine.tally().completed()).isEqualTo(3);
    h.close();
  }
}
