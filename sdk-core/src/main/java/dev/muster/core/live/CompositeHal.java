package dev.muster.core.live;

import dev.muster.api.Capability;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts several HALs behind one scheduler: each worker type belongs to one of them.
 *
 * <p>Device ids are those of the parts, whose prefix says which one a worker is on ({@code cpu:},
 * {@code sim:}, a PCIe address). The whole offers what every part offers.
 */
public final class CompositeHal implements Hal {
  private final List<Hal> parts;
  private final Map<String, Hal> byTypeName;

  /** Caches the look-up by name; the command thread's. */
  private final IdentityHashMap<WorkerType, Hal> byType = new IdentityHashMap<>();

  private CompositeHal(Builder b) {
    parts = List.copyOf(b.parts);
    byTypeName = Map.copyOf(b.byTypeName);
  }

  /** Starts an empty composition. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public String name() {
    return String.join("+", parts.stream().map(Hal::name).toList());
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.allOf(Capability.class);
    for (Hal part : parts) {
      all.retainAll(part.capabilities());
    }
    return all;
  }

  @Override
  public String deviceId(Worker worker) {
    return named(worker.type()).deviceId(worker);
  }

  @Override
  public void open(Events events) {
    List<Hal> opened = new ArrayList<>();
    for (Hal hal : parts) {
      try {
        hal.open(events);
        opened.add(hal);
      } catch (RuntimeException e) {
        for (Hal open : opened) {
          open.close(Duration.ofSeconds(1));
        }
        throw e;
      }
    }
  }

  @Override
  public void provision(Worker worker) {
    of(worker).provision(worker);
  }

  @Override
  public void load(Worker worker, Variant variant) {
    of(worker).load(worker, variant);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    of(worker).run(worker, task, variant, runId);
  }

  @Override
  public int runAhead(WorkerType type) {
    Hal hal = byTypeName.get(type.name());
    return hal == null ? 0 : hal.runAhead(type);
  }

  @Override
  public boolean withdraw(Worker worker, long runId) {
    return of(worker).withdraw(worker, runId);
  }

  @Override
  public void cancel(Worker worker, long runId) {
    of(worker).cancel(worker, runId);
  }

  @Override
  public void release(Worker worker) {
    of(worker).release(worker);
  }

  /** Closes all parts at the same time, so that the slowest one alone sets how long it takes. */
  @Override
  public List<String> close(Duration timeout) {
    List<String> left = Collections.synchronizedList(new ArrayList<>());
    List<Thread> closers = new ArrayList<>();
    for (Hal part : parts) {
      closers.add(
          Thread.ofPlatform()
              .daemon()
              .name("muster-close-" + part.name())
              .start(() -> left.addAll(part.close(timeout))));
    }
    for (int i = 0; i < closers.size(); i++) {
      try {
        closers.get(i).join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        left.add(parts.get(i).name());
      }
    }
    return left.stream().sorted().toList();
  }

  private Hal of(Worker worker) {
    Hal hal = byType.get(worker.type());
    if (hal == null) {
      hal = named(worker.type());
      byType.put(worker.type(), hal);
    }
    return hal;
  }

  private Hal named(WorkerType type) {
    Hal hal = byTypeName.get(type.name());
    if (hal == null) {
      throw InvalidInputException.of(
          "worker type",
          '"' + type.name() + '"',
          "must belong to a part of the composite HAL: " + byTypeName.keySet(),
          "add it to the part that has such workers");
    }
    return hal;
  }

  /** Collects the parts. */
  public static final class Builder {
    private final List<Hal> parts = new ArrayList<>();
    private final Map<String, Hal> byTypeName = new HashMap<>();

    private Builder() {}

    /**
     * Adds a HAL and names the worker types that are its own.
     *
     * @throws InvalidInputException if no type is named, or one belongs to another part
     */
    public Builder add(Hal hal, String... workerTypes) {
      if (workerTypes.length == 0) {
        throw InvalidInputException.of(
            "worker types of " + hal.name(), "none", "must be at least one", "name its types");
      }
      for (String type : workerTypes) {
        if (byTypeName.putIfAbsent(type, hal) != null) {
          throw InvalidInputException.of(
              "worker type", '"' + type + '"', "must belong to one HAL", "name it once");
        }
      }
      parts.add(hal);
      return this;
    }

    /** Builds the composition. */
    public CompositeHal build() {
      if (parts.isEmpty()) {
        throw InvalidInputException.of(
            "composite HAL", "no parts", "must have at least one", "add a HAL");
      }
      return new CompositeHal(this);
    }
  }
}
