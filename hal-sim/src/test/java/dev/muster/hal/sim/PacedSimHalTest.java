package dev.muster.hal.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Application;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outcome;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.CompositeHal;
import dev.muster.core.live.LiveScheduler;
import dev.muster.core.spork.Spork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60) // a guard against hanging, not a measurement
final class PacedSimHalTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final WorkerType CARD =
      WorkerType.builder("card")
          .spinUp(Duration.ofMillis(5))
          .idleTimeout(LONG)
          .load(Duration.ofMillis(2))
          .maxWorkers(1)
          .speedup(2)
          .power(50, 20)
          .build();

  @Test
  void takesAsLongAsTheModelSaysAndReturnsWhatTheBodyComputes() throws Exception {
    Application app = Application.of("app", Variant.builder("image-a", "card").image("a").build());
    TaskBody.Registry bodies =
        TaskBody.Registry.builder().bind("app", "image-a", (payload, control) -> payload).build();
    PacedSimHal hal = PacedSimHal.create(bodies);
    try (LiveScheduler scheduler =
        LiveScheduler.builder(Baselines.dynamic("dynamic", "card"), hal)
            .workerType(CARD)
            .application(app)
            .start()) {
      Handle handle = scheduler.submit("app", Duration.ofMillis(6), LONG, "bytes");
      Outcome.Completed done = (Outcome.Completed) handle.await();
      assertThat(done.result()).isEqualTo("bytes");
      assertThat(done.finishNanos() - done.startNanos()).isGreaterThanOrEqualTo(3_000_000);
      assertThat(done.startNanos() - done.arrivalNanos()).isGreaterThanOrEqualTo(7_000_000);
    }
  }

  @Test
  void deliversLateWhatIsComputedLateAndCountsIt() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    TaskBody.Registry bodies =
        TaskBody.Registry.builder()
            .otherwise(
                (payload, control) -> {
                  go.await();
                  return payload;
                })
            .build();
    PacedSimHal hal = PacedSimHal.create(bodies);
    try (LiveScheduler scheduler =
        LiveScheduler.builder(Baselines.dynamic("dynamic", "card"), hal)
            .workerType(CARD)
            .application(Application.of("app", Variant.of("plain", "card")))
            .start()) {
      Handle late = scheduler.submit("app", Duration.ofNanos(1), LONG, 7);
      assertThat(late.await(Duration.ofMillis(20))).isEmpty();
      go.countDown();
      assertThat(((Outcome.Completed) late.await()).result()).isEqualTo(7);
      assertThat(hal.lateRuns()).isEqualTo(1);
    }
  }

  @Test
  void cancelsRuns() throws Exception {
    PacedSimHal hal = PacedSimHal.create(TaskBody.Registry.builder().build());
    try (LiveScheduler scheduler =
        LiveScheduler.builder(Baselines.dynamic("dynamic", "card"), hal)
            .workerType(CARD)
            .application(Application.of("app", Variant.of("plain", "card")))
            .start()) {
      Handle handle = scheduler.submit("app", Duration.ofHours(1), Duration.ofHours(2), null);
      Handle behind = scheduler.submit("app", Duration.ZERO, Duration.ofHours(2), null);
      handle.cancel();
      assertThat(handle.await()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(behind.await()).isInstanceOf(Outcome.Completed.class);
    }
  }

  @Test
  void worksBesideOtherHalsBehindOneScheduler() throws Exception {
    TaskBody.Registry names =
        TaskBody.Registry.builder().otherwise((payload, control) -> "computed").build();
    CompositeHal hal =
        CompositeHal.builder()
            .add(PacedSimHal.create(names), "fpga")
            .add(PacedSimHal.create(names), "cpu")
            .build();
    assertThat(hal.name()).isEqualTo("sim+sim");
    WorkerType cpu = WorkerType.builder("cpu").maxWorkers(4).power(5, 1).build();
    assertThatThrownBy(
            () ->
                CompositeHal.builder()
                    .add(PacedSimHal.create(names), "cpu")
                    .add(PacedSimHal.create(names), "cpu"))
        .isInstanceOf(InvalidInputException.class);
    WorkerType named =
        WorkerType.builder("fpga")
            .spinUp(Duration.ofMillis(5))
            .speedup(2)
            .power(50, 20)
            .maxWorkers(2)
            .build();
    try (LiveScheduler scheduler =
        LiveScheduler.builder(Spork.energy(), hal)
            .workerTypes(List.of(named, cpu))
            .application(
                Application.of("app", Variant.of("fast", "fpga"), Variant.of("plain", "cpu")))
            .start()) {
      for (int i = 0; i < 50; i++) {
        Outcome outcome =
            scheduler.submit("app", Duration.ofMillis(1), Duration.ofMillis(10), i).await();
        assertThat(((Outcome.Completed) outcome).result()).isEqualTo("computed");
      }
    }
  }
}
