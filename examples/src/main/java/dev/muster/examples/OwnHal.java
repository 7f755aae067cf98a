package dev.muster.examples;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shows how to write a HAL: each worker is a thread that applies a function to payloads.
 *
 * <p>Every command returns at once and is answered by one event from the worker's thread; since
 * that thread does one thing after the other, a load waits for the run before it. See the guide in
 * docs/write-a-hal.md, and {@code OwnHalTest} for its conformance test.
 */
public final class OwnHal implements Hal {
  private final UnaryOperator<Object> function;
  private final Map<Long, ExecutorService> threads = new ConcurrentHashMap<>();

  /** Holds the run that was cancelled last, by worker. */
  private final Map<Long, Long> cancelled = new ConcurrentHashMap<>();

  private volatile @Nullable Events events;
  private volatile boolean closed;

  /** Creates a HAL whose tasks return what a function makes of their payload. */
  public OwnHal(UnaryOperator<Object> function) {
    this.function = function;
  }

  @Override
  public String name() {
    return "own";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.ELASTIC_WORKERS);
  }

  @Override
  public String deviceId(Worker worker) {
    return "own:thread-" + worker.id(); // stable, and more than an index (DEV-7)
  }

  @Override
  public void open(Events value) {
    events = value;
  }

  @Override
  public void provision(Worker worker) {
    threads.put(
        worker.id(), Executors.newSingleThreadExecutor(r -> new Thread(r, deviceId(worker))));
    answer(worker, "provision", to -> to.ready(worker));
  }

  @Override
  public void load(Worker worker, Variant variant) {
    answer(worker, "load", to -> to.loaded(worker)); // nothing to load; a card would do it here
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    Object payload = task.payload(); // the task's object may be reused later, so read it now
    answer(worker, "run", to -> compute(worker, payload, runId, to));
  }

  private void compute(Worker worker, @Nullable Object payload, long runId, Events to) {
    Object result;
    try {
      result = payload == null ? null : function.apply(payload);
    } catch (RuntimeException e) {
      to.failed(worker, runId, e); // the task's own fault: it is not tried again
      return;
    }
    if (Objects.equals(cancelled.get(worker.id()), runId)) {
      to.failed(worker, runId, error(DeviceException.Kind.RUN_FAILED, worker, "run cancelled"));
    } else {
      to.completed(worker, runId, result, null); // no meter, so that the energy is modelled
    }
  }

  @Override
  public void cancel(Worker worker, long runId) {
    cancelled.put(worker.id(), runId); // harmless when repeated or too late (DEV-4)
  }

  @Override
  public void release(Worker worker) {
    answer(worker, "release", to -> to.released(worker));
    ExecutorService thread = threads.remove(worker.id());
    if (thread != null) {
      thread.shutdown();
    }
    cancelled.remove(worker.id());
  }

  @Override
  public List<String> close(Duration timeout) {
    closed = true;
    long end = System.nanoTime() + timeout.toNanos();
    List<String> left = new ArrayList<>();
    threads.forEach(
        (id, thread) -> {
          thread.shutdownNow();
          try {
            if (!thread.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
              left.add("own:thread-" + id);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            left.add("own:thread-" + id);
          }
        });
    return left;
  }

  /** Lets the worker's thread report; after the layer was closed nothing is reported (DEV-8). */
  private void answer(Worker worker, String command, Consumer<Events> event) {
    ExecutorService thread = threads.get(worker.id());
    Events to = events;
    if (closed || thread == null || to == null) {
      throw error(DeviceException.Kind.CLOSED, worker, command + " on a closed worker");
    }
    thread.execute(
        () -> {
          if (!closed) {
            event.accept(to);
          }
        });
  }

  private DeviceException error(DeviceException.Kind kind, Worker worker, String what) {
    return new DeviceException(kind, deviceId(worker) + ": " + what, null);
  }
}
