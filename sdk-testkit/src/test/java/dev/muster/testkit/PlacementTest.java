package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.AnytimePlacer;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.LargePlacer;
import dev.muster.core.dpfair.PaperExamples;
import dev.muster.core.dpfair.PaperFilter;
import dev.muster.core.dpfair.PaperPlacer;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementObjective;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlacementResult;
import dev.muster.core.dpfair.SearchBudget;
import dev.muster.core.dpfair.SliceSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pins what the placers do with the paper's examples, and how much work they do. */
class PlacementTest {
  @Test
  void mirroringSavesPowerOrACard() {
    PlacementProblem four = PaperExamples.example1().withAccounting(Accounting.INCLUDED);
    PlacementProblem three =
        PaperExamples.example1(3, 6_000).withAccounting(Accounting.INCLUDED).withMirrored(true);
    assertThat(power(four)).isEqualTo(31_500);
    assertThat(power(four.withMirrored(true))).isEqualTo(30_500);
    assertThat(power(three)).isEqualTo(33_500);
    assertThat(feasible(four)).isEqualTo(530);
    assertThat(feasible(four.withMirrored(true))).isEqualTo(662);
    assertThat(
            power(PaperExamples.example3().withAccounting(Accounting.INCLUDED).withMirrored(true)))
        .isEqualTo(19_650);
  }

  private static long feasible(PlacementProblem problem) {
    return PaperPlacer.combinations(problem).stream()
        .filter(variants -> ExactPlacer.isFeasible(problem, variants))
        .count();
  }

  @Test
  void strictAccountingNeedsTheRightSlice() {
    PlacementProblem problem = PaperExamples.example1();
    assertThat(power(problem)).isEqualTo(34_500);
    assertThat(plan(problem).orElseThrow().variants()).containsExactly(1, 1, 1, 2, 3, 1);
    assertThat(plan(problem.withSliceMicros(30_000))).isEmpty();
    assertThat(power(PaperExamples.example1(5, 6_000).withSliceMicros(30_000))).isEqualTo(35_500);
    assertThat(power(PaperExamples.example1(5, 6_000).withSliceMicros(36_000))).isEqualTo(37_500);
    assertThat(plan(problem.withSliceMicros(45_000))).isEmpty();
    assertThat(plan(problem.withSliceMicros(90_000))).isEmpty();
  }

  @Test
  void sliceSearchFindsTheBestSlice() {
    PlacementProblem problem = PaperExamples.example1().withSliceMicros(30_000);
    PlacementResult result = SliceSearch.of(ExactPlacer.create()).place(problem);
    assertThat(SliceSearch.candidates(problem)).contains(90_000L, 60_000L, 45_000L, 30_000L);
    assertThat(result.cost()).isEqualTo(34_500);
    assertThat(result.plan().orElseThrow().problem().sliceMicros()).isEqualTo(60_000);
    assertThat(
            SliceSearch.over(ExactPlacer.create(), List.of(45_000L, 90_000L))
                .place(problem)
                .status())
        .isEqualTo(PlacementResult.Status.INFEASIBLE);
  }

  @Test
  void leastEnergyTakesTheFastVariants() {
    PlacementProblem problem = PaperExamples.example1().withAccounting(Accounting.INCLUDED);
    PlacementPlan byPower =
        PaperPlacer.of(PaperFilter.PUBLISHED_COUNTS).place(problem).plan().orElseThrow();
    PlacementPlan byEnergy = plan(problem.withObjective(PlacementObjective.ENERGY)).orElseThrow();
    assertThat(byEnergy.powerMicrowatts()).isEqualTo(39_500);
    assertThat(unsplitEnergy(byEnergy)).isEqualTo(654_000_000L);
    assertThat(unsplitEnergy(byPower)).isEqualTo(976_000_000L);
  }

  /** Returns the sum of power times share, as the paper's figures have it. */
  private static long unsplitEnergy(PlacementPlan plan) {
    long sum = 0;
    for (int k = 0; k < plan.problem().tasks().size(); k++) {
      sum +=
          plan.hardwareVariant(k).powerMicrowatts()
              * plan.problem()
                  .tasks()
                  .get(k)
                  .shareMicros(plan.variant(k), plan.problem().sliceMicros());
    }
    return sum;
  }

  @Test
  void chainsAreDoneWithinThePeriod() {
    PeriodicTask first = task("first", 60_000, 20_000);
    PeriodicTask second = task("second", 60_000, 20_000).withAfter("first");
    PlacementProblem problem =
        PlacementProblem.of(
            List.of(first, second), List.of(Card.of("F1", 1_000), Card.of("F2", 1_000)), 10_000);
    PlacementProblem apart = problem.withTasks(List.of(first, task("second", 60_000, 20_000)));
    // Six complete slices in a period; a chain of two loses one of them to the hand-over.
    assertThat(plan(problem).orElseThrow().segmentsOf(0).get(0).runMicros()).isEqualTo(4_000);
    assertThat(plan(apart).orElseThrow().segmentsOf(0).get(0).runMicros()).isEqualTo(3_334);
  }

  @Test
  void badProblemsAreRefused() {
    PeriodicTask a = task("a", 60_000, 1_000);
    List<Card> cards = List.of(Card.of("F1", 1_000));
    assertThatThrownBy(() -> PlacementProblem.of(List.of(a, a), cards, 60_000))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("unique");
    assertThatThrownBy(() -> PlacementProblem.of(List.of(a.withAfter("b")), cards, 60_000))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("must name a task");
    assertThatThrownBy(
            () ->
                PlacementProblem.of(
                    List.of(a.withAfter("b"), task("b", 60_000, 1).withAfter("a")), cards, 60_000))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cycle");
    assertThatThrownBy(() -> new HardwareVariant(1, 0, 5))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void exactSearchTouchesFewCombinations() {
    long most = 0;
    for (int seed = 0; seed < 20; seed++) {
      PlacementResult result = ExactPlacer.create().place(full(seed, 10, 6));
      assertThat(result.status()).isEqualTo(PlacementResult.Status.OPTIMAL);
      most = Math.max(most, result.operations());
    }
    assertThat(most).as("steps of 8^10 combinations").isLessThan(400_000);
  }

  @Test
  void largeSearchIsBoundedAndCertified() {
    for (int seed = 0; seed < 20; seed++) {
      PlacementResult result = LargePlacer.create().place(full(seed, 100, 64));
      PlanRules.check(result.plan().orElseThrow());
      assertThat(result.gap()).isLessThanOrEqualTo(0.011);
      assertThat(result.operations()).isLessThan(1_000_000);
    }
  }

  @Test
  void budgetEndsTheSearch() {
    PlacementResult result = ExactPlacer.of(SearchBudget.ofOperations(10)).place(full(1, 10, 6));
    assertThat(result.status()).isEqualTo(PlacementResult.Status.UNKNOWN);
    assertThat(result.operations()).isLessThan(30);
  }

  @Test
  void timeIsReadFromTheHostsClock() {
    long[] looks = {0};
    SearchBudget budget =
        SearchBudget.ofTime(Duration.ofMillis(3), () -> Duration.ofMillis(looks[0]++).toNanos());
    PlacementResult result = AnytimePlacer.of(budget).place(full(18, 12, 8));
    assertThat(result.status()).isEqualTo(PlacementResult.Status.FEASIBLE);
    assertThat(result.gap()).isPositive();
    assertThat(looks[0]).isBetween(4L, 5L);
    PlanRules.check(result.plan().orElseThrow());
  }

  /** Draws tasks of eight variants that load the cards to 95 % with their slowest. */
  private static PlacementProblem full(long seed, int n, int cards) {
    Random random = new Random(seed);
    List<PeriodicTask> tasks = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      long fill = random.nextInt(3_000);
      double slowest = Math.min(56_999, 57_000.0 * cards / n * (0.6 + 1.2 * random.nextDouble()));
      double scaling = 0.3 + 0.6 * random.nextDouble();
      long power = 4_000L + random.nextInt(5_000);
      List<HardwareVariant> variants = new ArrayList<>();
      for (int v = 0; v < 8; v++) {
        long exec = Math.max(fill + 500, (long) (slowest / (1 + scaling * v)));
        variants.add(new HardwareVariant(v + 1, exec, power));
        power += 200 + random.nextInt(1_200);
      }
      tasks.add(PeriodicTask.of("T" + k, 60_000, fill, variants));
    }
    List<Card> fleet = new ArrayList<>();
    for (int i = 0; i < cards; i++) {
      fleet.add(Card.of("F" + i, 3_000));
    }
    return PlacementProblem.of(tasks, fleet, 60_000).withAccounting(Accounting.INCLUDED);
  }

  private static PeriodicTask task(String id, long period, long exec) {
    return PeriodicTask.of(id, period, 500, List.of(new HardwareVariant(1, exec, 5_000)));
  }

  private static Optional<PlacementPlan> plan(PlacementProblem problem) {
    return ExactPlacer.create().place(problem).plan();
  }

  private static long power(PlacementProblem problem) {
    return plan(problem).map(PlacementPlan::powerMicrowatts).orElseThrow();
  }
}
