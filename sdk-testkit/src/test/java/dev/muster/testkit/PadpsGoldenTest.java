package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.PaperFilter;
import dev.muster.core.dpfair.PaperPlacer;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlacementResult;
import dev.muster.core.dpfair.PublishedCounts;
import dev.muster.core.dpfair.Segment;
import dev.muster.core.dpfair.SelfParallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Holds the published placer and the exact search against the golden instances. */
class PadpsGoldenTest {
  @TestFactory
  Stream<DynamicTest> paper() {
    return instances()
        .map(
            c ->
                DynamicTest.dynamicTest(
                    c.get("name").asString() + " as published", () -> checkPaper(c)));
  }

  @TestFactory
  Stream<DynamicTest> optimum() {
    return instances()
        .map(
            c ->
                DynamicTest.dynamicTest(
                    c.get("name").asString() + " optimum", () -> checkOptimum(c)));
  }

  @TestFactory
  Stream<DynamicTest> feasibleCounts() {
    return instances()
        .filter(c -> c.hasNonNull("exactFeasibleCounts"))
        .map(
            c ->
                DynamicTest.dynamicTest(
                    c.get("name").asString() + " feasible sets", () -> checkCounts(c)));
  }

  private static Stream<JsonNode> instances() {
    return GoldenFiles.in("padps", ".jsonl.gz").stream().flatMap(GoldenFiles::lines);
  }

  private static void checkPaper(JsonNode c) {
    PlacementProblem problem = problem(c.get("instance"));
    JsonNode paper = c.get("paper");
    checkReport(problem, PaperFilter.EQUATION_7, paper, paper.get("eq7"));
    checkReport(problem, PaperFilter.PUBLISHED_COUNTS, paper, paper.get("eq7PlusOne"));
    checkPublished(problem, PublishedCounts.Printed.COUNT_464, paper.get("publishedCounts464"));
    checkPublished(problem, PublishedCounts.Printed.COUNT_496, paper.get("publicCode496"));
  }

  private static void checkReport(
      PlacementProblem problem, PaperFilter filter, JsonNode paper, JsonNode expected) {
    PaperPlacer placer = PaperPlacer.of(filter);
    PaperPlacer.Report report = placer.report(problem);
    assertThat(report.combinations()).isEqualTo(paper.get("totalCombinations").asInt());
    assertThat(report.fit()).isEqualTo(expected.get("fit").asInt());
    assertThat(report.notFit()).isEqualTo(expected.get("notFit").asInt());
    assertThat(report.accepted()).isEqualTo(expected.get("accepted").asInt());
    assertThat(report.rejected()).isEqualTo(expected.get("rejected").asInt());
    JsonNode selected = expected.get("selected");
    assertThat(report.selected().isPresent()).isEqualTo(!selected.isNull());
    assertThat(placer.place(problem).plan())
        .isEqualTo(report.selected().map(PaperPlacer.Selection::plan));
    report
        .selected()
        .ifPresent(
            s -> {
              assertThat(s.rank()).isEqualTo(selected.get("rankInTfs").asInt());
              assertThat(oneBased(s.plan().variants())).isEqualTo(ints(selected.get("variants")));
              assertThat(s.sharesMicros()).isEqualTo(longs(selected.get("sharesUs")));
              assertThat(s.plan().powerMicrowatts()).isEqualTo(selected.get("powerUw").asLong());
              checkPlacement(s.plan(), selected.get("placement"));
            });
    if (expected.hasNonNull("tfsHead")) {
      checkHead(problem, placer, expected.get("tfsHead"));
    }
  }

  private static void checkPlacement(PlacementPlan plan, JsonNode expected) {
    List<PeriodicTask> tasks = plan.problem().tasks();
    for (JsonNode fpga : expected.get("fpgas")) {
      int tile = fpga.get("fpga").asInt() - 1;
      List<List<Object>> segments = new ArrayList<>();
      for (Segment s : plan.segments(tile)) {
        segments.add(
            List.of(
                tasks.get(s.task()).id(),
                s.startMicros(),
                s.reconfigureMicros(),
                s.fillMicros(),
                s.runMicros(),
                s.endMicros()));
      }
      List<List<Object>> wanted = new ArrayList<>();
      for (JsonNode s : fpga.get("segments")) {
        wanted.add(
            List.of(
                s.get("task").asString(),
                s.get("startUs").asLong(),
                s.get("cfgUs").asLong(),
                s.get("iiUs").asLong(),
                s.get("runUs").asLong(),
                s.get("endUs").asLong()));
      }
      assertThat(segments).isEqualTo(wanted);
      assertThat(plan.idleMicros(tile)).isEqualTo(fpga.get("nullUs").asLong());
    }
    assertThat(plan.splitTasks().stream().map(t -> tasks.get(t).id()).toList())
        .isEqualTo(expected.get("splitTasks").valueStream().map(JsonNode::asString).toList());
    assertThat(plan.reconfigurations()).isEqualTo(expected.get("reconfigurations").asInt());
    assertThat(plan.selfOverlapMicros()).isEqualTo(expected.get("selfOverlapUs").asLong());
  }

  private static void checkHead(PlacementProblem problem, PaperPlacer placer, JsonNode head) {
    List<int[]> rows = placer.fittingVariants(problem);
    PlacementProblem included = problem.withAccounting(Accounting.INCLUDED);
    for (JsonNode row : head) {
      int[] variants = rows.get(row.get("rank").asInt() - 1);
      assertThat(oneBased(variants)).isEqualTo(ints(row.get("variants")));
      assertThat(PaperPlacer.accepts(problem, variants))
          .isEqualTo(row.get("alg2Accepts").asBoolean());
      assertThat(ExactPlacer.isFeasible(included, variants))
          .isEqualTo(row.get("wrapFeasible").asBoolean());
      assertThat(ExactPlacer.isFeasible(included.withSelfParallel(SelfParallel.ALLOW), variants))
          .isEqualTo(row.get("wrapSelfParallelFeasible").asBoolean());
    }
  }

  private static void checkPublished(
      PlacementProblem problem, PublishedCounts.Printed printed, JsonNode expected) {
    PublishedCounts counts = PublishedCounts.of(problem, printed);
    assertThat(counts.accepted()).isEqualTo(expected.get("accepted").asInt());
    assertThat(counts.rejected()).isEqualTo(expected.get("rejected").asInt());
    assertThat(counts.undecided()).isEqualTo(expected.get("undecided").asInt());
    JsonNode selected = expected.get("selected");
    assertThat(counts.selectedRank())
        .isEqualTo(selected.isNull() ? 0 : selected.get("rankInTfs").asInt());
    assertThat(counts.selectedVariants().stream().map(v -> v + 1).toList())
        .isEqualTo(selected.isNull() ? List.of() : ints(selected.get("variants")));
  }

  private static void checkOptimum(JsonNode c) {
    PlacementProblem problem = problem(c.get("instance"));
    JsonNode optimum = c.get("optimum");
    for (Accounting accounting : Accounting.values()) {
      String name = accounting.name().toLowerCase(Locale.ROOT);
      JsonNode expected = optimum.get(name);
      PlacementProblem p = problem.withAccounting(accounting);
      checkWrap(p, expected.get("wrap"), expected.get("lowerBoundNoSelfParallel"));
      checkWrap(
          p.withSelfParallel(SelfParallel.ALLOW),
          expected.get("wrapSelfParallel"),
          expected.get("lowerBoundSelfParallel"));
    }
    PlacementProblem mirrored = problem.withAccounting(Accounting.INCLUDED).withMirrored(true);
    checkWrap(mirrored, optimum.get("includedMirror").get("wrap"), null);
  }

  private static void checkWrap(
      PlacementProblem problem, JsonNode expected, @Nullable JsonNode lowerBound) {
    PlacementResult result = ExactPlacer.create().place(problem);
    if (expected.isNull()) {
      assertThat(result.status()).isEqualTo(PlacementResult.Status.INFEASIBLE);
      return;
    }
    assertThat(result.status()).isEqualTo(PlacementResult.Status.OPTIMAL);
    PlacementPlan plan = result.plan().orElseThrow();
    assertThat(plan.powerMicrowatts()).isEqualTo(expected.get("powerUw").asLong());
    assertThat(oneBased(plan.variants())).isEqualTo(ints(expected.get("variants")));
    if (lowerBound != null && !lowerBound.isNull()) {
      assertThat(plan.powerMicrowatts()).isGreaterThanOrEqualTo(lowerBound.get("powerUw").asLong());
    }
    PlanRules.check(plan);
  }

  private static void checkCounts(JsonNode c) {
    PlacementProblem problem = problem(c.get("instance"));
    PlacementProblem included = problem.withAccounting(Accounting.INCLUDED);
    JsonNode expected = c.get("exactFeasibleCounts");
    int[] counts = new int[5];
    for (int[] variants : everyCombination(problem)) {
      boolean shareAboveFill = true;
      for (int i = 0; i < variants.length; i++) {
        PeriodicTask task = problem.tasks().get(i);
        shareAboveFill &= task.shareMicros(variants[i], problem.sliceMicros()) > task.fillMicros();
      }
      counts[0] += ExactPlacer.isFeasible(included, variants) ? 1 : 0;
      counts[1] +=
          ExactPlacer.isFeasible(included.withSelfParallel(SelfParallel.ALLOW), variants) ? 1 : 0;
      var placed = PaperPlacer.placed(problem, variants);
      counts[2] += placed.isPresent() ? 1 : 0;
      counts[3] += placed.isPresent() && shareAboveFill ? 1 : 0;
      counts[4] += placed.isPresent() && placed.get().selfOverlapMicros() > 0 ? 1 : 0;
    }
    assertThat(counts)
        .containsExactly(
            expected.get("wrapNoSelfParallel").asInt(),
            expected.get("wrapSelfParallel").asInt(),
            expected.get("alg2Accepted").asInt(),
            expected.get("alg2AcceptedEveryShareAboveIi").asInt(),
            expected.get("alg2AcceptedWithSelfOverlap").asInt());
  }

  private static List<int[]> everyCombination(PlacementProblem problem) {
    List<int[]> rows = List.of(new int[0]);
    for (PeriodicTask task : problem.tasks()) {
      List<int[]> longer = new ArrayList<>();
      for (int[] row : rows) {
        for (int v = 0; v < task.variants().size(); v++) {
          int[] next = Arrays.copyOf(row, row.length + 1);
          next[row.length] = v;
          longer.add(next);
        }
      }
      rows = longer;
    }
    return rows;
  }

  static PlacementProblem problem(JsonNode instance) {
    List<PeriodicTask> tasks = new ArrayList<>();
    for (JsonNode t : instance.get("tasks")) {
      List<HardwareVariant> variants =
          t.get("variants")
              .valueStream()
              .map(
                  v ->
                      new HardwareVariant(
                          v.get("cu").asInt(), v.get("execUs").asLong(), v.get("powerUw").asLong()))
              .toList();
      tasks.add(
          PeriodicTask.of(
              t.get("id").asString(),
              t.get("periodUs").asLong(),
              t.get("iiUs").asLong(),
              variants));
    }
    List<Card> cards =
        IntStream.rangeClosed(1, instance.get("nFpgas").asInt())
            .mapToObj(i -> Card.of("F" + i, instance.get("tcfgUs").asLong()))
            .toList();
    return PlacementProblem.of(tasks, cards, instance.get("sliceUs").asLong());
  }

  private static List<Integer> oneBased(int[] variants) {
    return Arrays.stream(variants).map(v -> v + 1).boxed().toList();
  }

  private static List<Integer> ints(JsonNode array) {
    return array.valueStream().map(JsonNode::asInt).toList();
  }

  private static List<Long> longs(JsonNode array) {
    return array.valueStream().map(JsonNode::asLong).toList();
  }
}
