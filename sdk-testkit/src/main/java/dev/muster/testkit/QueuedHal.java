package dev.muster.testkit;

import dev.muster.api.Capability;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a HAL that reports from its own threads be driven step by step, as {@link DeviceContract}
 * needs: events wait in a queue until {@link #pump} delivers them to the engine.
 *
 * <p>Return one from {@link DeviceContract#hal()}, and call {@link #pump} from {@link
 * DeviceContract#pump}.
 */
public final class QueuedHal implements Hal {
  /** Says how long to listen for events when no command is unanswered. */
  private static final long LISTEN_MILLIS = 100;

  private final Hal hal;
  private final long patienceMillis;
  private final long startNanos = System.nanoTime();
  private final BlockingQueue<Consumer<Events>> queue = new LinkedBlockingQueue<>();
  private @Nullable Events events;
  private int unanswered;

  private QueuedHal(Hal hal, Duration patience) {
    this.hal = hal;
    patienceMillis = patience.toMillis();
  }

  /**
   * Puts a queue behind a HAL.
   *
   * @param hal not opened yet
   * @param patience how long an answer to a command may take
   */
  public static QueuedHal of(Hal hal, Duration patience) {
    return new QueuedHal(hal, patience);
  }

  /**
   * Waits for the next event and delivers it to the engine.
   *
   * @return false if no event came: within the patience if a command is unanswered, else shortly
   */
  public boolean pump(Engine engine) {
    Consumer<Events> event;
    try {
      event = queue.poll(unanswered > 0 ? patienceMillis : LISTEN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an event", e);
    }
    Events to = events;
    if (event == null || to == null) {
      return false;
    }
    engine.advanceTo(System.nanoTime() - startNanos);
    event.accept(to);
    return true;
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
  public void open(Events value) {
    events = value;
    hal.open(new Queueing());
  }

  @Override
  public void provision(Worker worker) {
    hal.provision(worker);
    unanswered++;
  }

  @Override
  public void load(Worker worker, Variant variant) {
    hal.load(worker, variant);
    unanswered++;
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    hal.run(worker, task, variant, runId);
    unanswered++;
  }

  @Override
  public void cancel(Worker worker, long runId) {
    hal.cancel(worker, runId);
  }

  @Override
  public void release(Worker worker) {
    hal.release(worker);
    unanswered++;
  }

  @Override
  public List<String> close(Duration timeout) {
    List<String> left = hal.close(timeout);
    unanswered = 0;
    return left;
  }

  /** Queues what the HAL reports; an answer is counted when it is delivered. */
  private final class Queueing implements Events {
    private void add(boolean isAnswer, Consumer<Events> event) {
      queue.add(
          to -> {
            if (isAnswer && unanswered > 0) {
              unanswered--;
            }
            event.accept(to);
          });
    }

    @Override
    public void ready(Worker worker) {
      add(true, to -> to.ready(worker));
    }

    @Override
    public void loaded(Worker worker) {
      add(true, to -> to.loaded(worker));
    }

    @Override
    public void loadFailed(Worker worker, Throwable cause) {
      add(true, to -> to.loadFailed(worker, cause));
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      add(true, to -> to.completed(worker, runId, result, energy));
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      add(true, to -> to.failed(worker, runId, cause));
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      add(true, to -> to.lost(worker, cause));
    }

    @Override
    public void released(Worker worker) {
      add(true, to -> to.released(worker));
    }
  }
}
