package dev.muster.hal.cpu;

import dev.muster.api.Application;
import dev.muster.api.Hal;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.testkit.DeviceContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

final class CpuThreadsContractTest implements DeviceContract {
  private static final Callable<Object> QUICK = () -> 1;
  private static final Callable<Object> ENDLESS =
      () -> {
        new CountDownLatch(1).await();
        return "never";
      };

  private final List<Hal> opened = new ArrayList<>();

  private Hal opened(CpuHal hal) {
    QueuedHal queued = new QueuedHal(hal);
    opened.add(queued);
    return queued;
  }

  /** Leaves no thread behind where a test was skipped half-way. */
  @AfterEach
  void closeAll() {
    for (Hal hal : opened) {
      hal.close(Duration.ofSeconds(10));
    }
  }

  @Override
  public Hal hal() {
    return opened(
        CpuHal.builder(TaskBody.Registry.ofCallables())
            .coreBudget(8)
            .timeLimit(Duration.ofMillis(200))
            .grace(Duration.ofSeconds(20))
            .build());
  }

  @Override
  public WorkerType type() {
    return WorkerType.builder("cpu").power(4, 1).maxWorkers(8).build();
  }

  @Override
  public Application application() {
    return new Application(
        "app",
        List.of(
            Variant.builder("first", "cpu").image("a").build(),
            Variant.builder("second", "cpu").image("b").build()));
  }

  @Override
  public Object payload() {
    return QUICK;
  }

  @Override
  public Object overrunningPayload() {
    return ENDLESS;
  }

  @Override
  public boolean pump(Hal hal, Engine engine) {
    return pumpQueued(hal);
  }

  static boolean pumpQueued(Hal hal) {
    try {
      return ((QueuedHal) hal).deliverNext();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for the HAL", e);
    }
  }
}
