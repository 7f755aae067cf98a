package dev.muster.testkit;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults between an engine and a HAL, drawn from a seed.
 *
 * <p>Each answer of the HAL is, with the given probability, replaced by a fault: a worker that
 * fails to come up or is lost under a task, a load or run that fails, an answer that comes twice,
 * or stale answers of runs and workers long gone. The same seed and events give the same faults.
 */
public final class FaultyHal implements Hal {
  private final Hal hal;
  private final SplittableRandom random;
  private final double probability;
  private @Nullable Worker lastWorker;
  private long lastRunId;

  private FaultyHal(Hal hal, long seed, double probability) {
    this.hal = hal;
    this.probability = probability;
    random = new SplittableRandom(seed);
  }

  /**
   * Puts faults in front of a HAL.
   *
   * @param hal what to disturb
   * @param seed decides which answers become faults
   * @param probability share of answers that become faults, 0 to 1
   */
  public static FaultyHal of(Hal hal, long seed, double probability) {
    return new FaultyHal(hal, seed, probability);
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
  public void open(Events events) {
    hal.open(new FaultyEvents(events));
  }

  @Override
  public void provision(Worker worker) {
    hal.provision(worker);
  }

  @Override
  public void load(Worker worker, Variant variant) {
    hal.load(worker, variant);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    hal.run(worker, task, variant, runId);
  }

  @Override
  public void cancel(Worker worker, long runId) {
    hal.cancel(worker, runId);
  }

  @Override
  public void release(Worker worker) {
    hal.release(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    return hal.close(timeout);
  }

  private boolean strikes() {
    return random.nextDouble() < probability;
  }

  private static DeviceException fault(DeviceException.Kind kind) {
    return new DeviceException(kind, "injected " + kind + "; nothing to do", null);
  }

  /** Disturbs the answers on their way to the engine. */
  private final class FaultyEvents implements Events {
    private final Events to;

    FaultyEvents(Events to) {
      this.to = to;
    }

    @Override
    public void ready(Worker worker) {
      if (strikes()) {
        to.lost(worker, fault(DeviceException.Kind.UNAVAILABLE));
      } else {
        to.ready(worker);
        if (strikes()) {
          to.ready(worker);
        }
      }
    }

    @Override
    public void loaded(Worker worker) {
      if (strikes()) {
        to.loadFailed(worker, fault(DeviceException.Kind.LOAD_FAILED));
      } else {
        to.loaded(worker);
      }
    }

    @Override
    public void loadFailed(Worker worker, Throwable cause) {
      to.loadFailed(worker, cause);
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      if (strikes()) {
        switch (random.nextInt(4)) {
          case 0 -> to.lost(worker, fault(DeviceException.Kind.LOST));
          case 1 -> to.failed(worker, runId, fault(DeviceException.Kind.RUN_FAILED));
          case 2 -> to.failed(worker, runId, new IllegalArgumentException("injected task error"));
          default -> {
            to.completed(worker, runId, result, energy);
            to.completed(worker, runId, result, energy);
          }
        }
      } else {
        to.completed(worker, runId, result, energy);
      }
      if (lastWorker != null && strikes()) {
        to.completed(lastWorker, lastRunId, result, energy); // a stale answer
        to.released(lastWorker);
      }
      lastWorker = worker;
      lastRunId = runId;
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      to.failed(worker, runId, cause);
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      to.lost(worker, cause);
      if (strikes()) {
        to.lost(worker, cause);
      }
    }

    @Override
    public void released(Worker worker) {
      to.released(worker);
    }
  }
}
