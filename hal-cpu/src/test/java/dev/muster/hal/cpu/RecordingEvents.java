package dev.muster.hal.cpu;

import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Worker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Lets a test wait for a worker to become ready; ignores everything else. */
final class RecordingEvents implements Hal.Events {
  private final Map<Long, CountDownLatch> ready = new ConcurrentHashMap<>();

  private CountDownLatch latch(Worker worker) {
    return ready.computeIfAbsent(worker.id(), id -> new CountDownLatch(1));
  }

  void awaitReady(Worker worker) throws InterruptedException {
    latch(worker).await();
  }

  @Override
  public void ready(Worker worker) {
    latch(worker).countDown();
  }

  @Override
  public void loaded(Worker worker) {}

  @Override
  public void loadFailed(Worker worker, Throwable cause) {}

  @Override
  public void completed(
      Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {}

  @Override
  public void failed(Worker worker, long runId, Throwable cause) {}

  @Override
  public void lost(Worker worker, Throwable cause) {}

  @Override
  public void released(Worker worker) {}
}
