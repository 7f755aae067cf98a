package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Capability;
import dev.muster.api.EnergyReading;
import dev.muster.api.Footprint;
import dev.muster.api.Outlook;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.PaperQos;
import dev.muster.core.qos.QosObserver;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.core.qos.RolloutQos;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.DeadlineJobs;
import dev.muster.hal.sim.workload.RandomStreams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Holds the QoS policies to their laws on random libraries, layouts and workloads. */
class QosProperties {
  private static final LibraryDevice DEVICE =
      new LibraryDevice("small", new Footprint(1600, 3200, 160, 80, 0));

  @Property
  void footprintIsNeverExceeded(@ForAll long seed, @ForAll @IntRange(max = 2) int shape) {
    Case c = new Case(seed, shape, 0);
    Checker checker = new Checker(c.layout);
    RolloutQos policy = RolloutQos.builder(c.layout).observedBy(checker).build();
    checker.regionOf = policy::regionOf;
    c.run(policy, checker);
  }

  @Property
  void mergedSlotsAreAdjacentAndReleasedWhole(@ForAll long seed) {
    Case c = new Case(seed, 0, 0);
    Checker checker = new Checker(c.layout);
    RolloutQos policy = RolloutQos.builder(c.layout).observedBy(checker).build();
    checker.regionOf = policy::regionOf;
    c.run(policy, checker);
    for (RegionLayout.Block block : checker.used) {
      assertThat(block.firstSlot() % block.slots()).isZero();
      assertThat(Long.bitCount(block.mask())).isEqualTo(block.slots());
    }
    assertThat(checker.regions).isEmpty();
  }

  @Property
  void demotionIsPermanent(@ForAll long seed, @ForAll @IntRange(max = 3) int shape) {
    Case c = new Case(seed, shape, 0);
    Checker checker = new Checker(c.layout);
    SchedulingPolicy policy;
    if (shape == 3) {
      PaperQos paper = PaperQos.of(c.layout).observedBy(checker);
      checker.regionOf = paper::regionOf;
      policy = paper;
    } else {
      RolloutQos rollout = RolloutQos.builder(c.layout).observedBy(checker).build();
      checker.regionOf = rollout::regionOf;
      policy = rollout;
    }
    c.run(policy, checker);
    // Reconfiguration is free here, so that nothing can make up for what feasibility counted.
    assertThat(checker.onTime).noneMatch(checker.demoted::contains);
  }

  @Property
  void demotedTasksEndOnceLoadEnds(@ForAll long seed, @ForAll @IntRange(max = 2) int shape) {
    Case c = new Case(seed, shape, seed % 2 == 0 ? 0 : 300);
    Checker checker = new Checker(c.layout);
    RolloutQos policy = RolloutQos.builder(c.layout).observedBy(checker).build();
    checker.regionOf = policy::regionOf;
    SimulationResult result = c.run(policy, checker);
    assertThat(result.tally().open()).isZero();
    assertThat(result.tally().completed() + result.tally().rejected())
        .isEqualTo(c.workload.jobs().size());
  }

  @Property
  void sameSeedGivesSameDecisions(@ForAll long seed, @ForAll @IntRange(max = 2) int shape) {
    List<List<String>> logs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Case c = new Case(seed, shape, 100);
      Checker checker = new Checker(c.layout);
      RolloutQos policy = RolloutQos.of(c.layout);
      checker.regionOf = policy::regionOf;
      c.run(policy, checker);
      logs.add(checker.log);
    }
    assertThat(logs.get(0)).isEqualTo(logs.get(1));
  }

  @Property
  void outlookIsGivenOnceToEveryTaskThatFits(
      @ForAll long seed, @ForAll @IntRange(max = 2) int cpus) {
    Case c = new Case(seed, 0, 0, cpus);
    Checker checker = new Checker(c.layout);
    RolloutQos policy = RolloutQos.builder(c.layout).observedBy(checker).rejectHopeless().build();
    checker.regionOf = policy::regionOf;
    SimulationResult result = c.run(policy, checker);
    assertThat(checker.outlooks).hasSizeLessThanOrEqualTo(c.workload.jobs().size());
    long hopeless = checker.outlooks.values().stream().filter(Outlook.HOPELESS::equals).count();
    int homeless = c.workload.jobs().size() - checker.outlooks.size();
    assertThat(result.tally().rejected()).isEqualTo(hopeless + homeless);
  }

  @Property
  void whatIsForeseenComesTrueWhenNothingComesLater(
      @ForAll long seed, @ForAll @IntRange(max = 2) int shape) {
    Case c = new Case(seed, shape, 0).atOnce();
    Checker checker = new Checker(c.layout);
    // Other rules than the default one lose fewer tasks, but not always the same ones.
    RolloutQos policy =
        RolloutQos.builder(c.layout).withoutRollout().tellOutlook().observedBy(checker).build();
    checker.regionOf = policy::regionOf;
    c.run(policy, checker);
    checker.outlooks.forEach(
        (task, outlook) ->
            assertThat(checker.onTime.contains(task))
                .as("task %d was told %s", task, outlook)
                .isEqualTo(outlook == Outlook.ON_TIME));
  }

  @Property
  void onlyDemotedTasksSpillAndAllEnd(
      @ForAll long seed,
      @ForAll @IntRange(max = 2) int shape,
      @ForAll @IntRange(min = 1, max = 3) int cpus) {
    Case c = new Case(seed, shape, 0, cpus);
    Checker checker = new Checker(c.layout);
    RolloutQos policy = RolloutQos.builder(c.layout).observedBy(checker).build();
    checker.regionOf = policy::regionOf;
    SimulationResult result = c.run(policy, checker);
    assertThat(checker.demoted).containsAll(checker.spilled);
    assertThat(checker.mostSpilling).isLessThanOrEqualTo(cpus);
    // An application that fits no region still has the CPUs.
    assertThat(result.tally().completed()).isEqualTo(c.workload.jobs().size());
  }

  @Property
  void thePaperKeepsFootprintsAndStarvesNobody(@ForAll long seed, @ForAll boolean reuses) {
    Case c = new Case(seed, 2, seed % 2 == 0 ? 0 : 300);
    Checker checker = new Checker(c.layout);
    PaperQos paper = PaperQos.of(c.layout).observedBy(checker);
    PaperQos policy = reuses ? paper.withReuse() : paper;
    checker.regionOf = policy::regionOf;
    SimulationResult result = c.run(policy, checker);
    assertThat(result.tally().completed() + result.tally().rejected())
        .isEqualTo(c.workload.jobs().size());
  }

  /** Makes a random case; shapes: 0 mergeable, 1 asymmetric, 2 and 3 symmetric. */
  private static final class Case {
    final RegionLayout layout;
    final RegionFleet fleet;
    final DeadlineJobs workload;

    Case(long seed, int shape, int reconfigurationMillis) {
      this(seed, shape, reconfigurationMillis, 0);
    }

    private Case(RegionLayout layout, RegionFleet fleet, DeadlineJobs workload) {
      this.layout = layout;
      this.fleet = fleet;
      this.workload = workload;
    }

    Case(long seed, int shape, int reconfigurationMillis, int cpus) {
      RandomStreams.Stream random = RandomStreams.of(seed).stream("case");
      layout =
          switch (shape) {
            case 0 -> RegionLayout.mergeable(DEVICE, 1 << (int) below(random, 4));
            case 1 ->
                RegionLayout.asymmetric(
                    DEVICE, List.of(DEVICE.share(1, 8), DEVICE.share(3, 8), DEVICE.share(4, 8)));
            default -> RegionLayout.symmetric(DEVICE, 1 + (int) below(random, 5));
          };
      VariantLibrary library = library(random);
      fleet = RegionFleet.of(layout, library, Duration.ofMillis(reconfigurationMillis), cpus, 4);
      workload = workload(random, List.copyOf(library.apps().keySet()));
    }

    /** Returns the same case with all tasks submitted at the start. */
    Case atOnce() {
      List<DeadlineJobs.Job> jobs = new ArrayList<>();
      for (DeadlineJobs.Job job : workload.jobs()) {
        jobs.add(new DeadlineJobs.Job(job.application(), 0, job.qosNanos()));
      }
      return new Case(layout, fleet, new DeadlineJobs("at once", workload.applications(), jobs));
    }

    private static VariantLibrary library(RandomStreams.Stream random) {
      SortedMap<String, List<LibraryVariant>> apps = new TreeMap<>();
      long count = 1 + below(random, 3);
      for (int app = 0; app < count; app++) {
        List<LibraryVariant> variants = new ArrayList<>();
        long designs = 1 + below(random, 5);
        for (int i = 0; i < designs; i++) {
          variants.add(
              LibraryVariant.of(
                  "v" + i,
                  1 + below(random, 1000),
                  new Footprint(
                      below(random, 1000),
                      below(random, 2000),
                      below(random, 100),
                      below(random, 50),
                      0),
                  Origin.ROUTED));
        }
        apps.put("app" + app, variants);
      }
      return new VariantLibrary(DEVICE, apps);
    }

    private static DeadlineJobs workload(RandomStreams.Stream random, List<String> apps) {
      List<DeadlineJobs.Job> jobs = new ArrayList<>();
      long time = 0;
      long count = 1 + below(random, 40);
      for (int i = 0; i < count; i++) {
        time += random.nextBoolean() ? 0 : below(random, 400);
        jobs.add(
            new DeadlineJobs.Job(
                (int) below(random, apps.size()),
                time * 1_000_000L,
                1_000_000L * below(random, 3000)));
      }
      return new DeadlineJobs("random", apps, jobs);
    }

    private static long below(RandomStreams.Stream random, int bound) {
      return (long) (random.nextDouble() * bound);
    }

    SimulationResult run(SchedulingPolicy policy, EngineObserver observer) {
      return Simulation.builder(policy, workload)
          .workerTypes(fleet.types())
          .applications(fleet.applications())
          .workloadCapabilities(Set.of(Capability.DEADLINES, Capability.VARIANTS))
          .observer(observer)
          .build()
          .run();
    }
  }

  /** Checks at every assignment that regions are disjoint and hold what runs on them. */
  private static final class Checker implements EngineObserver, QosObserver {
    final RegionLayout layout;
    Function<Worker, RegionLayout.@Nullable Block> regionOf = worker -> null;
    final Map<Long, RegionLayout.Block> regions = new HashMap<>();
    final Map<Long, Footprint> running = new HashMap<>();
    final Set<RegionLayout.Block> used = new HashSet<>();
    final Set<Long> spilled = new HashSet<>();
    int spilling;
    int mostSpilling;
    final Set<Long> demoted = new HashSet<>();
    final Set<Long> onTime = new HashSet<>();
    final Map<Long, Outlook> outlooks = new HashMap<>();
    final List<String> log = new ArrayList<>();

    Checker(RegionLayout layout) {
      this.layout = layout;
    }

    @Override
    public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
      assertThat(worker.load()).as("POL-4").isEqualTo(1);
      log.add(nowNanos + " " + task + " " + worker + " " + variant);
      RegionLayout.Block block = regionOf.apply(worker);
      if (block == null) {
        assertThat(worker.type().name()).isEqualTo(RegionFleet.CPU);
        spilled.add(task.id());
        mostSpilling = Math.max(mostSpilling, ++spilling);
        return;
      }
      regions.put(worker.id(), block);
      used.add(block);
      running.put(worker.id(), variant.footprint());
      assertThat(variant.footprint().fitsIn(layout.kinds().get(block.kind()).capacity())).isTrue();
      long taken = 0;
      for (RegionLayout.Block region : regions.values()) {
        assertThat(taken & region.mask()).as("POL-5: slots of two workers").isZero();
        taken |= region.mask();
      }
      Footprint sum = running.values().stream().reduce(Footprint.NONE, Footprint::plus);
      assertThat(sum.fitsIn(DEVICE.total())).as("POL-5: %s", sum).isTrue();
    }

    @Override
    public void onReclaimed(Task task, Worker worker, long nowNanos) {
      running.remove(worker.id());
    }

    @Override
    public void onGone(Worker worker, long busyNanos, long nowNanos) {
      assertThat(running).as("released whole and idle").doesNotContainKey(worker.id());
      regions.remove(worker.id());
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
      if (running.remove(worker.id()) == null) {
        spilling--;
      }
      if (finishNanos <= task.deadlineNanos()) {
        onTime.add(task.id());
      }
    }

    @Override
    public void onDemoted(Task task, long nowNanos) {
      assertThat(demoted.add(task.id())).as("demoted once").isTrue();
    }

    @Override
    public void onForeseen(Task task, Outlook outlook, long nowNanos) {
      assertThat(outlooks.put(task.id(), outlook)).as("told once").isNull();
    }
  }
}
