package dev.muster.core.live;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers commands on a thread of its own. A task whose payload is a Callable gets what it returns
 * or throws; any other run stays open until the test ends it or it is cancelled.
 */
final class TestHal implements Hal {
  record Run(Worker worker, long runId) {}

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Map<Long, Worker> open = new ConcurrentHashMap<>();
  final BlockingQueue<Run> runs = new LinkedBlockingQueue<>();
  @Nullable Events events;
  volatile @Nullable RuntimeException openError;
  volatile boolean cancelEndsRuns = true;
  volatile boolean neverProvisions;
  volatile boolean closed;

  Events events() {
    return Objects.requireNonNull(events);
  }

  @Override
  public String name() {
    return "test";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.ELASTIC_WORKERS);
  }

  @Override
  public String deviceId(Worker worker) {
    return "test:" + worker.id();
  }

  @Override
  public void open(Events value) {
    RuntimeException error = openError;
    if (error != null) {
      throw error;
    }
    events = value;
  }

  @Override
  public void provision(Worker worker) {
    thread.execute(
        () -> {
          if (neverProvisions) {
            events()
                .lost(
                    worker,
                    new DeviceException(
                        DeviceException.Kind.UNAVAILABLE,
                        deviceId(worker) + ": there is no such device",
                        null));
          } else {
            events().ready(worker);
          }
        });
  }

  @Override
  public void load(Worker worker, Variant variant) {
    thread.execute(() -> events().loaded(worker));
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    if (task.payload() instanceof Callable<?> code) {
      thread.execute(
          () -> {
            try {
              events().completed(worker, runId, code.call(), null);
            } catch (Exception e) {
              events().failed(worker, runId, e);
            }
          });
    } else {
      open.put(runId, worker);
      runs.add(new Run(worker, runId));
    }
  }

  @Override
  public void cancel(Worker worker, long runId) {
    if (cancelEndsRuns && open.remove(runId) != null) {
      thread.execute(
          () ->
              events()
                  .failed(
                      worker,
                      runId,
                      new DeviceException(
                          DeviceException.Kind.RUN_FAILED,
                          deviceId(worker) + ": cancelled",
                          null)));
    }
  }

  @Override
  public void release(Worker worker) {
    events().released(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    closed = true;
    thread.shutdownNow();
    return List.of();
  }
}
