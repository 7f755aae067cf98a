package dev.muster.examples.qos;

import dev.muster.api.Capability;
import dev.muster.api.EnergyReading;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.qos.RegionFleet;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.workload.DeadlineJobs;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the paper's four metrics of one simulated run; all times are modelled, in milliseconds.
 *
 * <p>Waiting ends at the last dispatch. Averages are over completed tasks; a rejected task is a
 * violation. A task that finishes on a CPU counts like any other.
 *
 * @param jobs tasks submitted
 * @param violations tasks late or rejected
 * @param averageWait mean time from arrival to dispatch
 * @param longestWait longest time from arrival to dispatch
 * @param averageTotal mean time from arrival to finish
 * @param averageExcess mean time past the deadline, 0 for tasks on time
 * @param loads reconfigurations
 */
public record QosRun(
    int jobs,
    int violations,
    double averageWait,
    double longestWait,
    double averageTotal,
    double averageExcess,
    int loads) {
  /** Runs a workload under a policy. */
  public static QosRun of(SchedulingPolicy policy, RegionFleet fleet, DeadlineJobs workload) {
    Recorder recorder = new Recorder();
    Simulation.builder(policy, workload)
        .workerTypes(fleet.types())
        .applications(fleet.applications())
        .workloadCapabilities(Set.of(Capability.DEADLINES, Capability.VARIANTS))
        .observer(recorder)
        .build()
        .run();
    return recorder.result(workload.jobs().size());
  }

  private static final class Recorder implements EngineObserver {
    private final Map<Long, Long> dispatched = new HashMap<>();
    private int violations;
    private int completed;
    private int loads;
    private double wait;
    private double longest;
    private double total;
    private double excess;

    @Override
    public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
      dispatched.put(task.id(), nowNanos);
    }

    @Override
    public void onLoading(Worker worker, Variant variant, long nowNanos) {
      loads++;
    }

    @Override
    public void onRejected(Task task, RejectReason reason, long nowNanos) {
      violations++;
    }

    @Override
    public void onCompleted(
        Task task,
        Worker worker,
        Variant variant,
        long startNanos,
        long finishNanos,
        @Nullable Object result,
        @Nullable EnergyReading energy) {
      double waited = (dispatched.getOrDefault(task.id(), startNanos) - task.arrivalNanos()) / 1e6;
      completed++;
      wait += waited;
      longest = Math.max(longest, waited);
      total += (finishNanos - task.arrivalNanos()) / 1e6;
      excess += Math.max(0, finishNanos - task.deadlineNanos()) / 1e6;
      violations += finishNanos > task.deadlineNanos() ? 1 : 0;
    }

    QosRun result(int jobs) {
      int n = Math.max(1, completed);
      return new QosRun(jobs, violations, wait / n, longest, total / n, excess / n, loads);
    }
  }
}
