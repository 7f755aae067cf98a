package dev.muster.hal.cpu;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds the events that a HAL reports from threads of its own until the test's thread takes them,
 * and knows which commands are still to be answered.
 */
final class QueuedHal implements Hal {
  private record Event(Worker worker, boolean answers, boolean last, Runnable delivery) {}

  final CpuHal hal;
  private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private final Set<Long> gone = new HashSet<>();
  private @Nullable Events events;
  private long awaited;
  private final Map<Long, Long> awaitedByWorker = new HashMap<>();

  QueuedHal(CpuHal hal) {
    this.hal = hal;
  }

  /** Waits for the next event and delivers it; false if no command is unanswered. */
  boolean deliverNext() throws InterruptedException {
    Event event = queue.poll();
    if (event == null) {
      if (awaited == 0) {
        return false;
      }
      event = queue.poll(30, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError(awaited + " commands were never answered");
      }
    }
    long id = event.worker().id();
    if (event.last()) {
      awaited -= awaitedByWorker.getOrDefault(id, 0L);
      awaitedByWorker.remove(id);
      gone.add(id);
    } else if (event.answers() && !gone.contains(id)) {
      awaited--;
      awaitedByWorker.merge(id, -1L, Long::sum);
    }
    event.delivery().run();
    return true;
  }

  /** Returns where a command that was refused is answered, as the live scheduler does it. */
  private Events events() {
    return Objects.requireNonNull(events);
  }

  private void expect(Worker worker) {
    if (!gone.contains(worker.id())) {
      awaited++;
      awaitedByWorker.merge(worker.id(), 1L, Long::sum);
    }
  }

  @Override
  public String name() {
    return hal.name();
  }

  @Override
  public Set<Capability> capabilities() {
    return hal.capabilities();
  }

  @Override
  public String deviceId(Worker worker) {
    return hal.deviceId(worker);
  }

  @Override
  public void open(Events to) {
    events = new Queueing(to);
    hal.open(events);
  }

  @Override
  public void provision(Worker worker) {
    expect(worker);
    try {
      hal.provision(worker);
    } catch (DeviceException e) {
      events().lost(worker, e);
    }
  }

  @Override
  public void load(Worker worker, Variant variant) {
    hal.load(worker, variant);
    expect(worker);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    expect(worker);
    try {
      hal.run(worker, task, variant, runId);
    } catch (DeviceException e) {
      events().failed(worker, runId, e);
    }
  }

  @Override
  public int runAhead(WorkerType type) {
    return hal.runAhead(type);
  }

  @Override
  public boolean withdraw(Worker worker, long runId) {
    boolean withdrawn = hal.withdraw(worker, runId);
    if (withdrawn) {
      awaited--;
      awaitedByWorker.merge(worker.id(), -1L, Long::sum);
    }
    return withdrawn;
  }

  @Override
  public void cancel(Worker worker, long runId) {
    hal.cancel(worker, runId);
  }

  @Override
  public void release(Worker worker) {
    hal.release(worker);
    expect(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    return hal.close(timeout);
  }

  private final class Queueing implements Events {
    private final Events to;

    Queueing(Events to) {
      this.to = to;
    }

    @Override
    public void ready(Worker worker) {
      queue.add(new Event(worker, true, false, () -> to.ready(worker)));
    }

    @Override
    public void loaded(Worker worker) {
      queue.add(new Event(worker, true, false, () -> to.loaded(worker)));
    }

    @Override
    public void loadFailed(Worker worker, Throwable cause) {
      queue.add(new Event(worker, true, false, () -> to.loadFailed(worker, cause)));
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      queue.add(new Event(worker, true, false, () -> to.completed(worker, runId, result, energy)));
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      queue.add(new Event(worker, true, false, () -> to.failed(worker, runId, cause)));
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      queue.add(new Event(worker, true, true, () -> to.lost(worker, cause)));
    }

    @Override
    public void released(Worker worker) {
      queue.add(new Event(worker, true, true, () -> to.released(worker)));
    }
  }
}
