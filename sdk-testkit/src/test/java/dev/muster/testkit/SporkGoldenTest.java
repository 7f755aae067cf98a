package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Objective;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.spork.BreakEven;
import dev.muster.core.spork.Spork;
import dev.muster.core.spork.SporkAllocator;
import dev.muster.core.spork.SporkPredictor;
import dev.muster.hal.sim.Simulation;
import dev.muster.hal.sim.SimulationResult;
import dev.muster.hal.sim.workload.Workloads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Holds Spork against the golden scenarios, value by value.
 *
 * <p>The files are in microseconds, watts and thousandths of a dollar per hour. The algorithm is
 * free of scale but for its roundings, which are to whole units: so one golden unit is fed as one
 * engine unit (a nanosecond, a milliwatt, a microdollar per hour), and nothing is converted.
 */
class SporkGoldenTest {
  @TestFactory
  Stream<DynamicTest> scenarios() {
    return GoldenFiles.in("spork", ".jsonl.gz").stream()
        .flatMap(GoldenFiles::lines)
        .flatMap(
            scenario ->
                scenario.get("expected").propertyNames().stream()
                    .map(
                        policy ->
                            DynamicTest.dynamicTest(
                                scenario.get("id").asString() + " " + policy,
                                () -> checkScenario(scenario, policy))));
  }

  @TestFactory
  Stream<DynamicTest> breakEvenThresholds() {
    return unitCases("breakeven")
        .map(
            c ->
                test(
                    c,
                    () -> {
                      JsonNode expected = c.get("breakevenCpuUs");
                      assertThat(breakEven(c).thresholdNanos())
                          .isEqualTo(expected.isNull() ? Long.MAX_VALUE : expected.asLong());
                    }));
  }

  @TestFactory
  Stream<DynamicTest> neededWorkers() {
    return unitCases("needed")
        .map(
            c ->
                test(
                    c,
                    () ->
                        assertThat(
                                breakEven(c)
                                    .workersNeeded(
                                        c.get("fpgaBusyUs").asLong(), c.get("cpuBusyUs").asLong()))
                            .isEqualTo(c.get("n").asInt())));
  }

  @TestFactory
  Stream<DynamicTest> predictions() {
    return unitCases("predict").map(c -> test(c, () -> checkPrediction(c)));
  }

  private static Stream<JsonNode> unitCases(String kind) {
    return GoldenFiles.in("spork", "unit.json.gz").stream()
        .map(GoldenFiles::object)
        .flatMap(file -> file.get(kind).valueStream());
  }

  private static DynamicTest test(JsonNode c, org.junit.jupiter.api.function.Executable body) {
    return DynamicTest.dynamicTest(c.toString(), body);
  }

  private static void checkPrediction(JsonNode c) {
    JsonNode config = c.get("config");
    SporkPredictor predictor =
        new SporkPredictor(
            breakEven(c),
            config.get("intervalUs").asLong(),
            config.get("spinUpUs").get(1).asLong());
    for (String before : c.get("histograms").propertyNames()) {
      JsonNode histogram = c.get("histograms").get(before);
      for (String needed : histogram.propertyNames()) {
        predictor.observe(
            Integer.parseInt(before), Integer.parseInt(needed), histogram.get(needed).asLong());
      }
    }
    for (String rank : c.get("lifetimes").propertyNames()) {
      JsonNode lifetime = c.get("lifetimes").get(rank);
      predictor.recordLifetimes(
          Integer.parseInt(rank), lifetime.get(0).asLong(), lifetime.get(1).asLong());
    }
    assertThat(predictor.predict(c.get("nPrev").asInt(), c.get("nCurr").asInt()))
        .isEqualTo(c.get("predicted").asInt());
  }

  private static void checkScenario(JsonNode scenario, String policy) {
    JsonNode config = scenario.get("config");
    JsonNode requests = scenario.get("requests");
    JsonNode expected = scenario.get("expected").get(policy);
    Recorder recorder = new Recorder();
    List<long[]> ticks = new ArrayList<>();
    SporkAllocator allocator =
        SporkAllocator.of(objective(policy.substring("Spork".length())))
            .between("fpga", "cpu")
            .every(config.get("intervalUs").asLong())
            .tracing(
                d -> ticks.add(new long[] {d.timeNanos(), d.needed(), d.predicted(), d.current()}));
    SimulationResult result =
        Simulation.builder(
                Spork.of(policy, allocator),
                Workloads.of(
                    scenario.get("id").asString(),
                    column(requests, 0),
                    column(requests, 1),
                    column(requests, 2),
                    config.get("horizonUs").asLong()))
            .workerTypes(types(config))
            .observer(recorder)
            .build()
            .run();

    assertThat(recorder.requestsInInputOrder(requests))
        .isDeepEqualTo(rows(expected.get("requests")));
    assertThat(recorder.workers()).isDeepEqualTo(rows(expected.get("workers")));
    assertThat(ticks.toArray(new long[0][])).isDeepEqualTo(rows(expected.get("ticks")));
    assertThat(result.usage().energyPicojoules())
        .isEqualTo(expected.get("energyMicroJoule").bigIntegerValue());
    assertThat(result.usage().costUnits())
        .isEqualTo(expected.get("costMilliDollarMicroHour").bigIntegerValue());
    assertThat(result.tally().missed()).isEqualTo(expected.get("deadlineMisses").asLong());
    assertThat(result.usage().pools().get(0).completed())
        .isEqualTo(expected.get("cpuRequests").asLong());
    assertThat(result.usage().pools().get(0).provisioned())
        .isEqualTo(expected.get("cpuSpinUps").asLong());
    assertThat(result.usage().pools().get(1).provisioned())
        .isEqualTo(expected.get("fpgaSpinUps").asLong());
  }

  private static BreakEven breakEven(JsonNode c) {
    JsonNode config = c.get("config");
    List<WorkerType> types = types(config);
    return BreakEven.of(
        types.get(1),
        types.get(0),
        objective(c.get("objective").asString()),
        config.get("intervalUs").asLong());
  }

  private static Objective objective(String letter) {
    return switch (letter) {
      case "E" -> Objective.ENERGY;
      case "C" -> Objective.COST;
      case "B" -> Objective.BALANCED;
      default -> throw new IllegalArgumentException("objective " + letter);
    };
  }

  private static List<WorkerType> types(JsonNode config) {
    return List.of(
        type(config, 0, "cpu", 1, 1),
        type(
            config, 1, "fpga", config.get("speedupNum").asInt(), config.get("speedupDen").asInt()));
  }

  private static WorkerType type(
      JsonNode config, int i, String name, int numerator, int denominator) {
    return WorkerType.builder(name)
        .spinUp(Duration.ofNanos(config.get("spinUpUs").get(i).asLong()))
        .spinDown(Duration.ofNanos(config.get("spinDownUs").get(i).asLong()))
        .idleTimeout(Duration.ofNanos(config.get("idleTimeoutUs").get(i).asLong()))
        .speedup(numerator, denominator)
        .power(
            config.get("busyPowerW").get(i).asLong() / 1e3,
            config.get("idlePowerW").get(i).asLong() / 1e3)
        .price(config.get("priceMilliPerHour").get(i).asLong() / 1e6)
        .build();
  }

  private static long[] column(JsonNode rows, int column) {
    return rows.valueStream().mapToLong(row -> row.get(column).asLong()).toArray();
  }

  private static long[][] rows(JsonNode rows) {
    return rows.valueStream()
        .map(row -> row.valueStream().mapToLong(JsonNode::asLong).toArray())
        .toArray(long[][]::new);
  }

  /** Records what happened to each task and worker. */
  private static final class Recorder implements EngineObserver {
    private final List<long[]> tasks = new ArrayList<>();
    private final List<long[]> workers = new ArrayList<>();

    @Override
    public void onProvisioned(Worker worker, long nowNanos) {
      workers.add(
          new long[] {worker.id(), worker.pool().index(), worker.createdNanos(), -1, -1, -1});
    }

    @Override
    public void onGone(Worker worker, long busyNanos, long nowNanos) {
      long[] row = workers.get((int) worker.id());
      row[3] = worker.readyNanos();
      row[4] = nowNanos;
      row[5] = busyNanos;
    }

    @Override
    public void onSubmitted(Task task, long nowNanos) {
      tasks.add(new long[4]);
    }

    @Override
    public void onCompleted(
        Task task,
        Worker worker,
        Variant variant,
        long startNanos,
        long finishNanos,
        @Nullable Object result,
        dev.muster.api.@Nullable EnergyReading energy) {
      tasks.set(
          (int) task.id(),
          new long[] {worker.id(), worker.pool().index(), startNanos, finishNanos});
    }

    long[][] workers() {
      return workers.toArray(new long[0][]);
    }

    /** Undoes the sorting by (arrival, deadline, index) that the workload applied. */
    long[][] requestsInInputOrder(JsonNode requests) {
      List<Integer> order =
          IntStream.range(0, requests.size())
              .boxed()
              .sorted(
                  Comparator.comparingLong((Integer i) -> requests.get(i).get(0).asLong())
                      .thenComparingLong(i -> requests.get(i).get(2).asLong())
                      .thenComparingInt(i -> i))
              .toList();
      long[][] result = new long[requests.size()][];
      for (int i = 0; i < result.length; i++) {
        result[order.get(i)] = tasks.get(i);
      }
      return result;
    }
  }
}
