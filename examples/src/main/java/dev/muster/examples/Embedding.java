package dev.muster.examples;

import dev.muster.api.Application;
import dev.muster.api.Outcome;
import dev.muster.api.Scheduler;
import dev.muster.api.Scheduler.Handle;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.LiveScheduler;
import dev.muster.hal.cpu.CpuHal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Schedules work inside a host application. */
final class Embedding {
  public static void main(String[] args) throws InterruptedException {
    WorkerType cpu = WorkerType.builder("cpu").maxWorkers(2).power(15, 3).build();
    try (Scheduler scheduler =
        LiveScheduler.builder(
                Baselines.cpuDynamic(), CpuHal.create(TaskBody.Registry.ofCallables()))
            .workerType(cpu)
            .application(Application.of("squares", Variant.of("plain", "cpu")))
            .start()) {
      List<Handle> handles = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        int n = i;
        Callable<Integer> code = () -> n * n;
        handles.add(scheduler.submit("squares", Duration.ofMillis(1), Duration.ofSeconds(1), code));
      }
      for (Handle handle : handles) {
        if (handle.await() instanceof Outcome.Completed done) {
          System.out.println(done.result() + " on " + done.variant());
        }
      }
    }
  }
}
