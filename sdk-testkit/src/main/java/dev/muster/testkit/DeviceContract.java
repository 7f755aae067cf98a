package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that a HAL keeps its contract (see {@link Hal}); implement it in a test class.
 *
 * <p>The HAL is driven through a real engine with a policy that keeps one worker. The implementer
 * says how to make a HAL, what runs on it, and how to let time pass.
 */
public interface DeviceContract {
  /** Makes a new HAL, not opened. */
  Hal hal();

  /** Returns a worker type of the HAL. */
  WorkerType type();

  /** Returns an application that the HAL can run on the type. */
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

  /** Holds that a run is answered once and that energy is finite and never negative (DEV-1). */
  @Test
  default void dev1_answersEachRunOnceWithSoundEnergy() {
    DeviceHarness h = new DeviceHarness(this);
    for (int i = 0; i < 20; i++) {
      h.submit();
    }
    h.pumpAll();
    assertThat(h.engine.tally().completed()).isEqualTo(20);
    assertThat(h.engine.staleEvents()).isZero();
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
        .isInstanceOfSatisfying(
            DeviceException.class,
            e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.CLOSED));
  }

  /** Holds that cancelling is idempotent and that the task still gets one outcome (DEV-4). */
  @Test
  default void dev4_cancelIsIdempotent() {
    DeviceHarness h = new DeviceHarness(this);
    long id = h.submit();
    h.pumpUntilStarted();
    Task task = h.task();
    h.engine.cancel(task, id, h.nowNanos());
    h.engine.cancel(task, id, h.nowNanos());
    h.pumpAll();
    assertThat(h.engine.tally().open()).isZero();
    assertThat(h.engine.tally().cancelled() + h.engine.tally().completed()).isEqualTo(1);
    h.close();
  }

  /** Holds that ids of devices are stable and not bare indices (DEV-7). */
  @Test
  default void dev7_namesDevicesByStableIds() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpAll();
    Worker worker = h.worker();
    String first = h.hal.deviceId(worker);
    assertThat(h.hal.deviceId(worker)).isEqualTo(first).doesNotMatch("\\d*");
    h.close();
  }

  /** Holds that closing ends within its time and reports what was left (DEV-8). */
  @Test
  default void dev8_closesWithNothingLeft() {
    DeviceHarness h = new DeviceHarness(this);
    h.submit();
    h.pumpAll();
    assertThat(h.hal.close(Duration.ofSeconds(10))).isEmpty();
    assertThat(h.hal.close(Duration.ofSeconds(10))).as("closing again is harmless").isEmpty();
  }

  /** Holds that a released worker's device comes back (elastic HALs only). */
  @Test
  default void dev3_releasesAndProvisionsAgain() {
    assumeThat(hal().capabilities())
        .as("this HAL has a fixed fleet")
        .contains(Capability.ELASTIC_WORKERS);
    DeviceHarness h = new DeviceHarness(this);
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
