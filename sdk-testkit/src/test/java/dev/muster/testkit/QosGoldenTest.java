package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Capability;
import dev.muster.api.EnergyReading;
import dev.muster.api.Footprint;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.Pareto;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.PaperQos;
import dev.muster.core.qos.QosObserver;
import dev.muster.core.qos.RegionFleet;
import dev.muster.core.qos.RegionLayout;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.workload.DeadlineJobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Holds the published QoS scheduler and the library rules against the golden cases. */
class QosGoldenTest {
  private static final long MILLI = 1_000_000;

  @TestFactory
  Stream<DynamicTest> runs() {
    return cases()
        .flatMap(
            c ->
                c.get("runs")
                    .valueStream()
                    .map(
                        run ->
                            DynamicTest.dynamicTest(
                                c.get("index") + " " + run.get("name").asString(),
                                () -> checkRun(c, run))));
  }

  @TestFactory
  Stream<DynamicTest> libraries() {
    return cases()
        .flatMap(
            c ->
                c.get("expectedLibrary").propertyNames().stream()
                    .map(
                        app ->
                            DynamicTest.dynamicTest(
                                c.get("index") + " " + app, () -> checkLibrary(c, app))));
  }

  private static Stream<JsonNode> cases() {
    return GoldenFiles.in("qos", ".jsonl.gz").stream().flatMap(GoldenFiles::lines);
  }

  private static void checkLibrary(JsonNode c, String app) {
    LibraryDevice device = device(c);
    JsonNode expected = c.get("expectedLibrary").get(app);
    List<LibraryVariant> all = variants(c.get("library").get(app).valueStream());
    List<LibraryVariant> frontier = Pareto.frontier(all);
    Pareto.Representatives picks = Pareto.representatives(frontier, device);

    assertThat(Pareto.firstQuartileMillis(all)).isEqualTo(expected.get("q25Ms").asLong());
    assertThat(frontier)
        .extracting(LibraryVariant::id)
        .isEqualTo(expected.get("paretoIds").valueStream().map(JsonNode::asString).toList());
    assertThat(picks.le().id()).isEqualTo(expected.get("le").asString());
    assertThat(picks.mid().id()).isEqualTo(expected.get("mid").asString());
    assertThat(picks.re().id()).isEqualTo(expected.get("re").asString());
    LibraryVariant fixed = Pareto.naiveChoice(frontier, device);
    assertThat(fixed).isEqualTo(variant(c.get("fixedLibrary").get(app)));
  }

  private static void checkRun(JsonNode c, JsonNode run) {
    LibraryDevice device = device(c);
    RegionLayout layout = RegionLayout.symmetric(device, run.get("regions").asInt());
    RegionFleet fleet =
        RegionFleet.of(
            layout,
            new VariantLibrary(device, library(c, run.get("library").asString())),
            Duration.ofMillis(run.get("reconfigMs").asLong()));
    Recorder recorder = new Recorder();
    PaperQos policy =
        switch (run.get("policy").asString()) {
          case "fifo" -> PaperQos.fifo(layout);
          case "paper" -> PaperQos.of(layout);
          default -> throw new IllegalArgumentException(run.get("policy").asString());
        };
    Simulation.builder(policy.observedBy(recorder), workload(c))
        .workerTypes(fleet.types())
        .applications(fleet.applications())
        .workloadCapabilities(Set.of(Capability.DEADLINES, Capability.VARIANTS))
        .observer(recorder)
        .build()
        .run();

    JsonNode expected = run.get("expected");
    assertThat(recorder.jobs())
        .isEqualTo(expected.get("jobs").valueStream().map(QosGoldenTest::row).toList());
    assertThat(recorder.totals())
        .containsExactly(
            expected.get("violations").asLong(),
            expected.get("rejected").asLong(),
            expected.get("sumWaitMs").asLong(),
            expected.get("sumE2eMs").asLong(),
            expected.get("sumExcessMs").asLong(),
            expected.get("makespanMs").asLong());
  }

  private static LibraryDevice device(JsonNode c) {
    JsonNode device = c.get("device");
    return new LibraryDevice(device.get("name").asString(), footprint(device));
  }

  private static SortedMap<String, List<LibraryVariant>> library(JsonNode c, String which) {
    TreeMap<String, List<LibraryVariant>> apps = new TreeMap<>();
    JsonNode source = c.get(which.equals("fixed") ? "fixedLibrary" : "library");
    for (String app : source.propertyNames()) {
      JsonNode value = source.get(app);
      apps.put(app, variants(value.isArray() ? value.valueStream() : Stream.of(value)));
    }
    return apps;
  }

  private static DeadlineJobs workload(JsonNode c) {
    List<String> apps = List.copyOf(library(c, "all").keySet());
    List<DeadlineJobs.Job> jobs =
        c.get("jobs")
            .valueStream()
            .map(
                job ->
                    new DeadlineJobs.Job(
                        apps.indexOf(job.get("app").asString()),
                        job.get("arrivalMs").asLong() * MILLI,
                        job.get("qosMs").asLong() * MILLI))
            .toList();
    return new DeadlineJobs("golden-" + c.get("index"), apps, jobs);
  }

  private static List<LibraryVariant> variants(Stream<JsonNode> nodes) {
    return nodes.map(QosGoldenTest::variant).toList();
  }

  private static LibraryVariant variant(JsonNode v) {
    return LibraryVariant.of(
        v.get("id").asString(), v.get("execMs").asLong(), footprint(v), Origin.HLS_ESTIMATE);
  }

  private static Footprint footprint(JsonNode v) {
    return new Footprint(
        v.get("lut").asLong(),
        v.get("ff").asLong(),
        v.get("bram").asLong(),
        v.get("dsp").asLong(),
        0);
  }

  private record Row(
      long id,
      String status,
      @Nullable String variant,
      long region,
      long startMs,
      long finishMs,
      boolean violated,
      boolean demoted) {}

  private static Row row(JsonNode job) {
    boolean done = job.get("status").asString().equals("DONE");
    return new Row(
        job.get("id").asLong(),
        job.get("status").asString(),
        done ? job.get("variant").asString() : null,
        done ? job.get("region").asLong() : -1,
        done ? job.get("startMs").asLong() : -1,
        done ? job.get("finishMs").asLong() : -1,
        job.get("violated").asBoolean(),
        done && job.get("demoted").asBoolean());
  }

  /** Records each job; a region is known by the lowest number no live region has. */
  private static final class Recorder implements EngineObserver, QosObserver {
    private final Map<Long, Row> rows = new TreeMap<>();
    private final Set<Long> demoted = new HashSet<>();
    private final Map<Long, Long> starts = new HashMap<>();
    private final Map<Long, Integer> regions = new HashMap<>();
    private final List<Boolean> taken = new ArrayList<>();
    private final long[] totals = new long[6];

    @Override
    public void onDemoted(Task task, long nowNanos) {
      assertThat(demoted.add(task.id())).isTrue();
    }

    @Override
    public void onProvisioned(Worker worker, long nowNanos) {
      int region = taken.indexOf(false);
      if (region < 0) {
        region = taken.size();
        taken.add(true);
      } else {
        taken.set(region, true);
      }
      regions.put(worker.id(), region);
    }

    @Override
    public void onGone(Worker worker, long busyNanos, long nowNanos) {
      taken.set(regions.getOrDefault(worker.id(), -1), false);
    }

    @Override
    public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
      starts.put(task.id(), nowNanos / MILLI);
    }

    @Override
    public void onRejected(Task task, RejectReason reason, long nowNanos) {
      rows.put(task.id(), new Row(task.id(), "REJECTED", null, -1, -1, -1, true, false));
      totals[0]++;
      totals[1]++;
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
      long start = starts.getOrDefault(task.id(), -1L);
      long finish = finishNanos / MILLI;
      boolean violated = finishNanos > task.deadlineNanos();
      rows.put(
          task.id(),
          new Row(
              task.id(),
              "DONE",
              variant.id(),
              regions.getOrDefault(worker.id(), -1),
              start,
              finish,
              violated,
              demoted.contains(task.id())));
      totals[0] += violated ? 1 : 0;
      totals[2] += start - task.arrivalNanos() / MILLI;
      totals[3] += finish - task.arrivalNanos() / MILLI;
      totals[4] += Math.max(0, finishNanos - task.deadlineNanos()) / MILLI;
      totals[5] = Math.max(totals[5], finish);
    }

    List<Row> jobs() {
      return List.copyOf(rows.values());
    }

    long[] totals() {
      return totals;
    }
  }
}
