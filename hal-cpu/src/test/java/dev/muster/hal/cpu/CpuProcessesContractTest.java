package dev.muster.hal.cpu;

import dev.muster.api.Application;
import dev.muster.api.Hal;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.testkit.DeviceContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

final class CpuProcessesContractTest implements DeviceContract {
  /** Does nothing, or nothing for ever. */
  public static final class Waiting implements TaskBody {
    @Override
    public @Nullable Object run(@Nullable Object payload, Control control) throws Exception {
      if (payload instanceof byte[] bytes && bytes.length > 0) {
        Thread.sleep(Duration.ofDays(1));
      }
      return new byte[0];
    }
  }

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
        CpuHal.builder(TaskBody.Registry.builder().build())
            .coreBudget(8)
            .timeLimit(Duration.ofSeconds(3))
            .grace(Duration.ofSeconds(20))
            .processType(
                "process",
                ProcessWorkers.builder()
                    .jvmOptions("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                    .bind("app", "first", Waiting.class)
                    .bind("app", "second", Waiting.class)
                    .build())
            .build());
  }

  @Override
  public WorkerType type() {
    return WorkerType.builder("process").power(4, 1).maxWorkers(2).build();
  }

  @Override
  public Application application() {
    return new Application(
        "app",
        List.of(
            Variant.builder("first", "process").image("a").build(),
            Variant.builder("second", "process").image("b").build()));
  }

  @Override
  public Object payload() {
    return new byte[0];
  }

  @Override
  public Object overrunningPayload() {
    return new byte[1];
  }

  /** Kills the worker's process; a test class has one at a time that matters. */
  @Override
  public boolean lose(Hal hal, Worker worker) {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    return true;
  }

  @Override
  public boolean pump(Hal hal, Engine engine) {
    return CpuThreadsContractTest.pumpQueued(hal);
  }
}
