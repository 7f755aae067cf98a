package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.EnergyReading;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.AnytimePlacer;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.PaperExamples;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlanFleet;
import dev.muster.core.dpfair.PlanLedger;
import dev.muster.core.dpfair.PlanPiece;
import dev.muster.core.dpfair.PlanPolicy;
import dev.muster.core.dpfair.SearchBudget;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.engine.Tally;
import dev.muster.hal.sim.SimHal;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.ArrivalSource;
import dev.muster.hal.sim.workload.PlanArrivals;
import dev.muster.hal.sim.workload.Workload;
import dev.muster.hal.sim.workload.Workloads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs plans on simulated cards for a thousand slices and holds them against what was planned. */
class PlanExecutionTest {
  private static final int SLICES = 1_000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void strictPlansMeetEveryDeadlineOnTime(boolean mirrored) {
    PlacementPlan plan = plan(PaperExamples.example1().withMirrored(mirrored));
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    SimulationResult result = run(PlanPolicy.of(plan), plan, ledger, List.of(), 0, null);
    assertThat(ledger.missed()).isZero();
    assertThat(ledger.maxStartDelayNanos()).isZero();
    assertThat(ledger.maxEndDelayNanos()).isZero();
    assertThat(result.tally().completed()).isEqualTo((long) SLICES * plan.segments().size());
    for (PlanLedger.Line line : ledger.lines()) {
      assertThat(line.undoneMicros()).isZero();
      assertThat(line.batches()).isGreaterThan(600);
    }
  }

  @Test
  void averageSharesMissDeadlinesThatStrictOnesMeet() {
    PlacementPlan plan = plan(PaperExamples.example1().withAccounting(Accounting.ADDED));
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    run(PlanPolicy.of(plan), plan, ledger, List.of(), 0, null);
    for (PlanLedger.Line line : ledger.lines()) {
      boolean sliceDividesPeriod = List.of("T1", "T2", "T3").contains(line.id());
      assertThat(line.missed() == 0).as(line.id()).isEqualTo(sliceDividesPeriod);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyFaultIsAccountedFor(long seed) {
    PlacementPlan plan = plan(PaperExamples.example1().withMirrored(seed % 2 == 0));
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    Recount recount = new Recount(plan.problem());
    SimulationResult result = run(PlanPolicy.of(plan), plan, ledger, List.of(recount), 0.02, seed);
    assertThat(result.tally().open()).isZero();
    long pieces = 0;
    for (PlanLedger.Line line : ledger.lines()) {
      pieces += line.completed() + line.late() + line.shed() + line.failed();
      assertThat(line.missed()).as(line.id()).isEqualTo(recount.missed(line.id(), SLICES));
    }
    assertThat(pieces).isEqualTo((long) SLICES * plan.segments().size());
    assertThat(ledger.missed()).isPositive();
  }

  @Test
  void overrunsNeverReachBeyondTheNextSlice() {
    PlacementPlan plan = plan(PaperExamples.example1());
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    SplittableRandom random = new SplittableRandom(7);
    PlanPolicy policy = PlanPolicy.of(plan);
    SimulationResult result =
        simulation(policy, plan, PlanArrivals.of(policy, ids(plan), SLICES))
            .observer(ledger)
            .serviceTimes(
                (worker, task, variant) -> {
                  long planned = variant.serviceNanos(task.sizeNanos());
                  return random.nextInt(20) == 0 ? planned * 5 : planned;
                })
            .build()
            .run();
    assertThat(result.tally().open()).isZero();
    assertThat(ledger.missed()).isPositive();
    long done = ledger.lines().stream().mapToLong(PlanLedger.Line::completed).sum();
    assertThat(done).isGreaterThan((long) SLICES * plan.segments().size() * 8 / 10);
  }

  @Test
  void theTaskOfLeastWeightIsShed() {
    PlacementProblem example = PaperExamples.example1();
    List<PeriodicTask> tasks = new ArrayList<>();
    for (PeriodicTask t : example.tasks()) {
      tasks.add(t.withWeight(t.id().equals("T6") ? 1 : 10));
    }
    PlacementPlan plan = plan(example.withTasks(tasks));
    PlanPolicy policy =
        PlanPolicy.replanning(plan, AnytimePlacer.of(SearchBudget.ofOperations(1_000_000)));
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    LosingObserver loser = new LosingObserver();
    simulation(policy, plan, PlanArrivals.of(policy, ids(plan), SLICES))
        .observer(new Both(List.of(ledger, loser)))
        .halLayer(
            hal -> {
              loser.hal = (SimHal) hal;
              return hal;
            })
        .build()
        .run();
    assertThat(policy.replans()).isEqualTo(1);
    assertThat(policy.leftOut()).first().isEqualTo("T6");
    for (PlanLedger.Line line : ledger.lines()) {
      if (policy.leftOut().contains(line.id())) {
        assertThat(line.missed()).isGreaterThan(300);
      } else {
        assertThat(line.missed()).as(line.id()).isLessThanOrEqualTo(4);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void losingCardAfterCardLosesNoTaskSilently(long seed) {
    PlacementPlan plan = plan(PaperExamples.example1(6, 6_000).withMirrored(seed % 2 == 0));
    PlanPolicy policy = PlanPolicy.replanning(plan, ExactPlacer.create());
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    SimulationResult result = run(policy, plan, ledger, List.of(), 0.002, seed);
    Tally tally = result.tally();
    assertThat(policy.replans()).isPositive();
    assertThat(tally.submitted()).isEqualTo(tally.completed() + tally.rejected() + tally.failed());
    assertThat(tally.open()).isZero();
    for (PlanLedger.Line line : ledger.lines()) {
      assertThat(line.missed()).isLessThanOrEqualTo(line.batches());
    }
  }

  @Test
  void aNewPlanMovesAperiodicTasksToItsOwnGaps() {
    PlacementPlan plan = plan(PaperExamples.example1(7, 6_000));
    PlanPolicy policy = PlanPolicy.replanning(plan, ExactPlacer.create());
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    Aperiodic aperiodic = new Aperiodic();
    LosingObserver loser = new LosingObserver();
    simulation(policy, plan, withBursts(policy, plan))
        .applications(applicationsWithBursts(plan))
        .observer(new Both(List.of(ledger, aperiodic, loser)))
        .halLayer(
            hal -> {
              loser.hal = (SimHal) hal;
              return hal;
            })
        .build()
        .run();
    assertThat(policy.replans()).isEqualTo(1);
    assertThat(policy.leftOut()).isEmpty();
    for (PlanLedger.Line line : ledger.lines()) {
      // Only the slice of the loss and the one after it can be affected.
      assertThat(line.missed()).as(line.id()).isLessThanOrEqualTo(3);
    }
    assertThat(aperiodic.done).isPositive();
    assertThat(aperiodic.late).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aperiodicTasksUseOnlyTheGaps(boolean mirrored) {
    PlacementPlan plan = plan(PaperExamples.example1(6, 6_000).withMirrored(mirrored));
    PlanPolicy policy = PlanPolicy.of(plan);
    PlanLedger ledger = PlanLedger.of(plan.problem(), SLICES);
    Aperiodic aperiodic = new Aperiodic();
    simulation(policy, plan, withBursts(policy, plan))
        .applications(applicationsWithBursts(plan))
        .observer(new Both(List.of(ledger, aperiodic)))
        .build()
        .run();
    assertThat(ledger.missed()).isZero();
    assertThat(ledger.maxEndDelayNanos()).isZero();
    assertThat(aperiodic.done).isPositive();
    assertThat(aperiodic.rejected).isPositive();
    assertThat(aperiodic.late).isZero();
  }

  private static Workload withBursts(PlanPolicy policy, PlacementPlan plan) {
    return Workloads.merge(
        "both",
        List.of(
            PlanArrivals.of(policy, ids(plan), SLICES),
            new Bursts(policy.sliceStartNanos(SLICES))));
  }

  private static List<Application> applicationsWithBursts(PlacementPlan plan) {
    List<Application> applications = new ArrayList<>(PlanFleet.of(plan.problem()).applications());
    applications.add(
        Application.of(
            "burst", Variant.builder("any", "card-kind-1").image("burst").powerWatts(1).build()));
    return applications;
  }

  private static PlacementPlan plan(PlacementProblem problem) {
    return ExactPlacer.create().place(problem).plan().orElseThrow();
  }

  private static List<String> ids(PlacementPlan plan) {
    return plan.problem().tasks().stream().map(PeriodicTask::id).toList();
  }

  private static Simulation.Builder simulation(
      PlanPolicy policy, PlacementPlan plan, Workload workload) {
    PlanFleet fleet = PlanFleet.of(plan.problem());
    return Simulation.builder(policy, workload)
        .workerTypes(fleet.types())
        .applications(fleet.applications())
        .workloadCapabilities(EnumSet.of(Capability.DEADLINES, Capability.SIZES));
  }

  private static SimulationResult run(
      PlanPolicy policy,
      PlacementPlan plan,
      PlanLedger ledger,
      List<EngineObserver> others,
      double faults,
      @Nullable Long seed) {
    List<EngineObserver> all = new ArrayList<>(others);
    all.add(ledger);
    Simulation.Builder builder =
        simulation(policy, plan, PlanArrivals.of(policy, ids(plan), SLICES))
            .observer(new Both(all));
    if (seed != null) {
      builder.halLayer(hal -> FaultyHal.of(hal, seed, faults));
    }
    return builder.build().run();
  }

  /** Counts missed batches again, from the completions alone. */
  private static final class Recount implements EngineObserver {
    private final PlacementProblem problem;
    private final Map<String, Long> done = new HashMap<>();
    private final Map<String, Long> needed = new HashMap<>();

    Recount(PlacementProblem problem) {
      this.problem = problem;
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
      if (task.payload() instanceof PlanPiece piece) {
        needed.put(
            piece.taskId(), piece.plan().hardwareVariant(piece.segment().task()).execMicros());
        if (finishNanos <= piece.sliceEndNanos()) {
          done.merge(piece.taskId() + piece.slice(), piece.segment().runMicros(), Long::sum);
        }
      }
    }

    long missed(String id, int slices) {
      long period =
          problem.tasks().stream()
              .filter(t -> t.id().equals(id))
              .findFirst()
              .orElseThrow()
              .periodMicros();
      long missed = 0;
      for (long end = period; end <= slices * problem.sliceMicros(); end += period) {
        long sum = 0;
        for (long slice = 0; slice < slices; slice++) {
          boolean inside =
              slice * problem.sliceMicros() >= end - period
                  && (slice + 1) * problem.sliceMicros() <= end;
          sum += inside ? done.getOrDefault(id + slice, 0L) : 0;
        }
        missed += sum < needed.getOrDefault(id, 1L) ? 1 : 0;
      }
      return missed;
    }
  }

  /** Takes the third card away once, when it gets a piece after ten slices. */
  private static final class LosingObserver implements EngineObserver {
    private @Nullable SimHal hal;
    private @Nullable Worker third;

    @Override
    public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
      if (worker.id() == 2) {
        third = worker;
      }
    }

    @Override
    public void onSubmitted(Task task, long nowNanos) {
      SimHal layer = hal;
      Worker worker = third;
      if (layer != null && worker != null && nowNanos > 600_000_000L) {
        layer.lose(worker);
        hal = null;
      }
    }
  }

  /** Counts aperiodic tasks. */
  private static final class Aperiodic implements EngineObserver {
    private long done;
    private long late;
    private long rejected;

    @Override
    public void onCompleted(
        Task task,
        Worker worker,
        Variant variant,
        long startNanos,
        long finishNanos,
        @Nullable Object result,
        @Nullable EnergyReading energy) {
      if (task.payload() == null) {
        done++;
        late += finishNanos > task.deadlineNanos() ? 1 : 0;
      }
    }

    @Override
    public void onRejected(Task task, RejectReason reason, long nowNanos) {
      rejected += task.payload() == null ? 1 : 0;
    }
  }

  /** Sends an aperiodic task every 23 ms, of up to 70 ms, due within 200 ms. */
  private record Bursts(long horizonNanos) implements Workload {
    @Override
    public String name() {
      return "bursts";
    }

    @Override
    public List<String> applications() {
      return List.of("burst");
    }

    @Override
    public ArrivalSource open() {
      return new ArrivalSource() {
        private long at;

        @Override
        public boolean advance() {
          at += Duration.ofMillis(23).toNanos();
          return at < horizonNanos;
        }

        @Override
        public long arrivalNanos() {
          return at;
        }

        @Override
        public long sizeNanos() {
          return at % 70_000_000 + 1;
        }

        @Override
        public long deadlineNanos() {
          return at + 200_000_000;
        }
      };
    }
  }

  /** Hands everything to several observers. */
  private record Both(List<EngineObserver> observers) implements EngineObserver {
    @Override
    public void onSubmitted(Task task, long nowNanos) {
      observers.forEach(o -> o.onSubmitted(task, nowNanos));
    }

    @Override
    public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
      observers.forEach(o -> o.onAssigned(task, worker, variant, nowNanos));
    }

    @Override
    public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
      observers.forEach(o -> o.onStarted(task, worker, variant, nowNanos));
    }

    @Override
    public void onReclaimed(Task task, Worker worker, long nowNanos) {
      observers.forEach(o -> o.onReclaimed(task, worker, nowNanos));
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
      observers.forEach(
          o -> o.onCompleted(task, worker, variant, startNanos, finishNanos, result, energy));
    }

    @Override
    public void onRejected(Task task, RejectReason reason, long nowNanos) {
      observers.forEach(o -> o.onRejected(task, reason, nowNanos));
    }

    @Override
    public void onFailed(Task task, Throwable cause, long nowNanos) {
      observers.forEach(o -> o.onFailed(task, cause, nowNanos));
    }
  }
}
