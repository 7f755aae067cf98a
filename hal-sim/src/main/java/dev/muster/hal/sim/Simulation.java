package dev.muster.hal.sim;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.Hal;
import dev.muster.api.RuntimePredictor;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.engine.EngineObserver;
import dev.muster.hal.sim.workload.ArrivalSource;
import dev.muster.hal.sim.workload.Workload;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload through a policy on simulated workers, under virtual time.
 *
 * <p>One loop, three sources of events: the fleet, the engine's timers, the workload; at one
 * instant in that order. From the horizon on no task arrives, the policy drains, and the run ends
 * when every task has its outcome and every idle worker was reclaimed. Same inputs, same result, to
 * the last bit.
 */
public final class Simulation {
  private final SchedulingPolicy policy;
  private final Workload workload;
  private final List<WorkerType> types;
  private final List<Application> applications;
  private final Set<Capability> capabilities;
  private final EngineObserver observer;
  private final SimHal.@Nullable ServiceTimes serviceTimes;
  private final UnaryOperator<Hal> wrapper;
  private final int maxOpenTasks;
  private final boolean stopAtFirstMiss;
  private final LatencyProbe probe;
  private final @Nullable RuntimePredictor predictor;
  private final double sizeQuantile;

  private Simulation(Builder b) {
    policy = b.policy;
    workload = b.workload;
    types = List.copyOf(b.types);
    applications =
        b.applications.isEmpty() ? plainApplications(workload, types) : List.copyOf(b.applications);
    capabilities = Set.copyOf(b.capabilities);
    observer = b.observer;
    serviceTimes = b.serviceTimes;
    wrapper = b.wrapper;
    maxOpenTasks = b.maxOpenTasks;
    stopAtFirstMiss = b.stopAtFirstMiss;
    probe = b.probe;
    predictor = b.predictor;
    sizeQuantile = b.sizeQuantile;
  }

  /** Starts to describe a run. A policy keeps state: use a new one per run. */
  public static Builder builder(SchedulingPolicy policy, Workload workload) {
    return new Builder(policy, workload);
  }

  /**
   * Makes applications that run on every worker type at the type's speed, one per application of a
   * workload.
   */
  public static List<Application> plainApplications(Workload workload, List<WorkerType> types) {
    List<Application> result = new ArrayList<>();
    for (String name : workload.applications()) {
      List<Variant> variants = new ArrayList<>();
      for (WorkerType type : types) {
        variants.add(Variant.of(type.name(), type.name()));
      }
      result.add(new Application(name, variants));
    }
    return result;
  }

  /**
   * Runs to the end.
   *
   * @throws IllegalStateException if tasks are left that nothing will ever finish: the policy broke
   *     POL-3
   */
  public SimulationResult run() {
    SimHal hal = SimHal.create(reality());
    Engine.Builder builder =
        Engine.builder(policy, wrapper.apply(hal))
            .workerTypes(types)
            .applications(applications)
            .workloadCapabilities(capabilities)
            .observer(observer)
            .maxOpenTasks(maxOpenTasks);
    if (predictor != null) {
      builder.predictor(predictor, sizeQuantile);
    }
    Engine engine = builder.build();
    engine.start();
    long nowNanos = loop(engine, hal, workload.open());
    engine.advanceTo(nowNanos);
    if (engine.tally().open() > 0 && !(stopAtFirstMiss && engine.tally().missed() > 0)) {
      throw new IllegalStateException(
          "POL-3: policy "
              + policy.name()
              + " left "
              + engine.tally().open()
              + " tasks without an outcome, the first are "
              + engine.openTasks(10));
    }
    return new SimulationResult(
        policy.name(),
        workload.name(),
        workload.horizonNanos(),
        nowNanos,
        engine.usage(),
        engine.tally());
  }

  /** Returns how long runs take: by the true size, which a predicted one hides from the engine. */
  private SimHal.ServiceTimes reality() {
    if (serviceTimes != null) {
      return serviceTimes;
    }
    return predictor == null
        ? SimHal.ServiceTimes.MODELLED
        : (worker, task, variant) -> variant.serviceNanos(trueSize(task));
  }

  private static long trueSize(Task task) {
    return Engine.attachment(task) instanceof Long size ? size : task.sizeNanos();
  }

  private long loop(Engine engine, SimHal hal, ArrivalSource arrivals) {
    long horizonNanos = workload.horizonNanos();
    long nowNanos = 0;
    boolean drained = false;
    boolean more = arrivals.advance();
    while (true) {
      long arrivalNanos = more ? arrivals.arrivalNanos() : Long.MAX_VALUE;
      long eventNanos = hal.nextEventNanos();
      long timerNanos = engine.nextTimerNanos();
      long next = Math.min(arrivalNanos, Math.min(eventNanos, timerNanos));
      if (next > nowNanos && engine.instantEndPending()) {
        hal.advanceTo(nowNanos);
        engine.endInstant(nowNanos);
        continue;
      }
      if (next >= horizonNanos && !drained) {
        drained = true;
        nowNanos = Math.max(nowNanos, horizonNanos);
        hal.advanceTo(nowNanos);
        engine.drain(nowNanos);
        continue;
      }
      if (next == Long.MAX_VALUE) {
        return nowNanos;
      }
      if (eventNanos == next) {
        nowNanos = next;
        engine.advanceTo(next);
        hal.deliver();
        if (stopAtFirstMiss && engine.missedDeadlines() > 0) {
          return nowNanos;
        }
      } else if (timerNanos <= next) {
        nowNanos = Math.max(nowNanos, next);
        hal.advanceTo(nowNanos);
        engine.fireTimers(nowNanos);
      } else {
        nowNanos = arrivalNanos;
        hal.advanceTo(arrivalNanos);
        probe.before();
        engine.submit(
            arrivalNanos,
            arrivals.application(),
            predictor == null ? arrivals.sizeNanos() : Task.UNKNOWN_SIZE,
            arrivals.deadlineNanos(),
            arrivals.weight(),
            arrivals.payload(),
            predictor == null ? null : arrivals.sizeNanos());
        probe.after();
        more = arrivals.advance();
      }
    }
  }

  /** Builds a {@link Simulation}. */
  public static final class Builder {
    private final SchedulingPolicy policy;
    private final Workload workload;
    private List<WorkerType> types = dev.muster.core.spork.SporkFleet.types();
    private List<Application> applications = List.of();
    private Set<Capability> capabilities = EnumSet.of(Capability.DEADLINES, Capability.SIZES);
    private EngineObserver observer = EngineObserver.NONE;
    private SimHal.@Nullable ServiceTimes serviceTimes;
    private UnaryOperator<Hal> wrapper = UnaryOperator.identity();
    private int maxOpenTasks = Engine.DEFAULT_MAX_OPEN_TASKS;
    private boolean stopAtFirstMiss;
    private LatencyProbe probe = LatencyProbe.NONE;
    private @Nullable RuntimePredictor predictor;
    private double sizeQuantile;

    private Builder(SchedulingPolicy policy, Workload workload) {
      this.policy = policy;
      this.workload = workload;
    }

    /** Sets the worker types; by default those of Spork's Table 6. */
    public Builder workerTypes(List<WorkerType> values) {
      types = values;
      return this;
    }

    /**
     * Sets the applications, in the order of the workload's; by default {@link #plainApplications}.
     */
    public Builder applications(List<Application> values) {
      applications = values;
      return this;
    }

    /** Sets what the workload offers; by default deadlines and sizes. */
    public Builder workloadCapabilities(Set<Capability> values) {
      capabilities = values;
      return this;
    }

    /** Sets who watches the engine. */
    public Builder observer(EngineObserver value) {
      observer = value;
      return this;
    }

    /**
     * Hides the sizes of tasks from the policy, which plans with a quantile of what the predictor
     * says instead; runs take what the true size says.
     *
     * @param quantile above 0 and below 1, see {@link Engine.Builder#predictor}
     */
    public Builder predictor(RuntimePredictor value, double quantile) {
      predictor = value;
      sizeQuantile = quantile;
      return this;
    }

    /** Sets how long runs really take; by default what their variants' models say. */
    public Builder serviceTimes(SimHal.ServiceTimes value) {
      serviceTimes = value;
      return this;
    }

    /**
     * Puts a layer between the engine and the simulated fleet, for instance one that injects
     * faults. The layer passes commands on and may change, add or drop events.
     */
    public Builder halLayer(UnaryOperator<Hal> value) {
      wrapper = value;
      return this;
    }

    /** Bounds the open tasks; at the bound a new task is rejected. */
    public Builder maxOpenTasks(int value) {
      maxOpenTasks = value;
      return this;
    }

    /** Ends the run at the first missed deadline, for searches that only ask whether one occurs. */
    public Builder stopAtFirstMiss() {
      stopAtFirstMiss = true;
      return this;
    }

    /** Measures the wall-clock time of decisions; has no influence on the run. */
    public Builder latencyProbe(LatencyProbe value) {
      probe = value;
      return this;
    }

    /** Builds the run. */
    public Simulation build() {
      return new Simulation(this);
    }
  }
}
