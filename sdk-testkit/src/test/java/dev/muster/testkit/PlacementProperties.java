package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.AnytimePlacer;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.DataSplit;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.LargePlacer;
import dev.muster.core.dpfair.PaperFilter;
import dev.muster.core.dpfair.PaperPlacer;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlacementResult;
import dev.muster.core.dpfair.SearchBudget;
import dev.muster.core.dpfair.Segment;
import dev.muster.core.dpfair.SelfParallel;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Checks the laws that hold for every placement, on random problems. */
class PlacementProperties {
  @Property(tries = 1000)
  void exactPlansKeepAllRules(@ForAll long seed) {
    exact(PlacementProblems.small(seed)).ifPresent(PlanRules::check);
  }

  @Property(tries = 1000)
  void plansOnMixedCardsKeepAllRules(@ForAll long seed) {
    PlacementProblem problem = PlacementProblems.mixed(seed);
    exact(problem).ifPresent(PlanRules::check);
    LargePlacer.create().place(problem).plan().ifPresent(PlanRules::check);
  }

  @Property(tries = 300)
  void largePlansKeepAllRules(
      @ForAll long seed,
      @ForAll @IntRange(min = 13, max = 60) int tasks,
      @ForAll boolean mirrored) {
    PlacementProblem problem =
        PlacementProblems.large(seed, tasks, Math.max(1, tasks / 2), 5).withMirrored(mirrored);
    PlacementResult result = LargePlacer.create().place(problem);
    result.plan().ifPresent(PlanRules::check);
    assertThat(result.cost()).isGreaterThanOrEqualTo(result.planOrNull() == null ? 0 : 1);
    if (result.planOrNull() != null) {
      assertThat(result.cost()).isGreaterThanOrEqualTo(result.lowerBound());
    }
  }

  @Property(tries = 1000)
  void exactSearchEqualsBruteForce(@ForAll long seed) {
    PlacementProblem problem = PlacementProblems.small(seed);
    int[] expected = new WrapOracle(problem).optimum();
    Optional<PlacementPlan> plan = exact(problem);
    assertThat(plan.isPresent()).isEqualTo(expected != null);
    if (expected != null) {
      assertThat(plan.orElseThrow().variants()).containsExactly(expected);
    }
  }

  @Property(tries = 1000)
  void largeSearchIsBoundedByTheOptimum(@ForAll long seed) {
    PlacementProblem problem = PlacementProblems.small(seed);
    PlacementResult exact = ExactPlacer.create().place(problem);
    PlacementResult large = LargePlacer.create().place(problem);
    assertThat(large.planOrNull() == null).isEqualTo(exact.planOrNull() == null);
    if (exact.planOrNull() != null) {
      assertThat(large.cost()).isGreaterThanOrEqualTo(exact.cost());
      assertThat(large.lowerBound()).isLessThanOrEqualTo(exact.cost());
      large.plan().ifPresent(PlanRules::check);
    }
  }

  @Property(tries = 500)
  void anytimeSearchSaysWhatItReturns(
      @ForAll long seed, @ForAll @LongRange(min = 0, max = 400) long operations) {
    PlacementProblem problem = PlacementProblems.small(seed);
    PlacementResult exact = ExactPlacer.create().place(problem);
    PlacementResult any = AnytimePlacer.of(SearchBudget.ofOperations(operations)).place(problem);
    switch (any.status()) {
      case OPTIMAL -> assertThat(any.cost()).isEqualTo(exact.cost());
      case FEASIBLE -> {
        assertThat(any.cost()).isGreaterThanOrEqualTo(exact.cost());
        assertThat(any.lowerBound()).isLessThanOrEqualTo(exact.cost());
      }
      case INFEASIBLE -> assertThat(exact.status()).isEqualTo(PlacementResult.Status.INFEASIBLE);
      case UNKNOWN -> assertThat(any.planOrNull()).isNull();
    }
  }

  @Property(tries = 1000)
  void strictPlansMeetEveryDeadline(@ForAll long seed) {
    PlacementProblem problem =
        PlacementProblems.small(seed)
            .withAccounting(Accounting.STRICT)
            .withSelfParallel(SelfParallel.FORBID);
    exact(problem).ifPresent(PlacementProperties::checkDeadlines);
  }

  private static void checkDeadlines(PlacementPlan plan) {
    PlacementProblem problem = plan.problem();
    for (int k = 0; k < problem.tasks().size(); k++) {
      long period = problem.tasks().get(k).periodMicros();
      long jobs = PlanRules.windows(period, problem.sliceMicros());
      for (long job = 0; job < 2 * jobs; job++) {
        assertThat(delivered(plan, k, job * period, (job + 1) * period))
            .as("task %d job %d", k, job)
            .isGreaterThanOrEqualTo(plan.hardwareVariant(k).execMicros());
      }
    }
  }

  /** Returns the run time of a task between two instants. */
  private static long delivered(PlacementPlan plan, int task, long from, long to) {
    long length = plan.problem().sliceMicros();
    long sum = 0;
    for (long slice = from / length; slice * length < to; slice++) {
      for (List<Segment> tile : PlanRules.slice(plan, slice)) {
        for (Segment s : tile) {
          if (s.task() == task) {
            long start = slice * length + s.executeMicros() + s.fillMicros();
            long end = slice * length + s.endMicros();
            sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
          }
        }
      }
    }
    return sum;
  }

  @Property(tries = 1000)
  void feasibleProblemsAreNotOverloaded(@ForAll long seed) {
    PlacementProblem problem =
        PlacementProblems.small(seed).withMirrored(false).withSelfParallel(SelfParallel.FORBID);
    exact(problem)
        .ifPresent(
            plan -> {
              long needs = 0;
              for (int k = 0; k < problem.tasks().size(); k++) {
                PeriodicTask task = problem.tasks().get(k);
                long run = PlanRules.neededMicros(problem, k, plan.variant(k));
                needs += problem.cards().get(0).reconfigureMicros() + task.fillMicros() + run;
                assertThat(plan.hardwareVariant(k).execMicros())
                    .isLessThanOrEqualTo(task.periodMicros());
              }
              assertThat(needs).isLessThanOrEqualTo(problem.tiles() * problem.sliceMicros());
            });
  }

  @Property(tries = 1000)
  void lightSetsFitInAnyOrder(@ForAll long seed, @ForAll Random random) {
    PlacementProblem problem = plain(seed);
    long reconfigure = problem.cards().get(0).reconfigureMicros();
    long needs = 0;
    long most = 0;
    for (PeriodicTask task : problem.tasks()) {
      long share = task.shareMicros(0, problem.sliceMicros());
      boolean dividable =
          reconfigure + task.fillMicros() + share <= problem.sliceMicros()
              && share > task.fillMicros();
      Assume.that(dividable);
      needs += reconfigure + share;
      most = Math.max(most, reconfigure + task.fillMicros());
    }
    Assume.that(needs + (problem.tiles() - 1) * most <= problem.tiles() * problem.sliceMicros());
    List<PeriodicTask> shuffled = new ArrayList<>(problem.tasks());
    Collections.shuffle(shuffled, random);
    assertThat(PaperPlacer.accepts(problem.withTasks(shuffled), new int[shuffled.size()])).isTrue();
  }

  @Property(tries = 1000)
  void withoutOverheadOnlyTheSumMatters(@ForAll long seed) {
    PlacementProblem drawn = plain(seed);
    List<PeriodicTask> tasks = new ArrayList<>();
    for (PeriodicTask t : drawn.tasks()) {
      tasks.add(PeriodicTask.of(t.id(), t.periodMicros(), 0, List.of(t.variants().get(0))));
    }
    PlacementProblem problem =
        drawn
            .withTasks(tasks)
            .withCards(drawn.cards().stream().map(c -> Card.of(c.id(), 0)).toList())
            .withAccounting(Accounting.ADDED);
    long sum = 0;
    boolean each = true;
    for (PeriodicTask t : tasks) {
      long share = t.shareMicros(0, problem.sliceMicros());
      sum += share;
      each &= share <= problem.sliceMicros();
    }
    boolean mcNaughton = each && sum <= problem.tiles() * problem.sliceMicros();
    assertThat(exact(problem).isPresent()).isEqualTo(mcNaughton);
  }

  @Property(tries = 1000)
  void optimumDoesNotDependOnTheOrderOfTasks(@ForAll long seed, @ForAll Random random) {
    PlacementProblem problem = PlacementProblems.small(seed);
    List<PeriodicTask> shuffled = new ArrayList<>(problem.tasks());
    Collections.shuffle(shuffled, random);
    assertThat(power(problem.withTasks(shuffled))).isEqualTo(power(problem));
  }

  @Property(tries = 1000)
  void optimumDoesNotDependOnTheUnitOfTime(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int factor) {
    // Rounding up commutes with scaling only for whole shares, hence one period, the slice.
    PlacementProblem problem = inOnePeriod(PlacementProblems.small(seed));
    List<PeriodicTask> tasks = new ArrayList<>();
    for (PeriodicTask t : problem.tasks()) {
      List<HardwareVariant> variants = new ArrayList<>();
      for (HardwareVariant v : t.variants()) {
        variants.add(
            new HardwareVariant(v.computeUnits(), v.execMicros() * factor, v.powerMicrowatts()));
      }
      tasks.add(
          PeriodicTask.of(t.id(), t.periodMicros() * factor, t.fillMicros() * factor, variants));
    }
    PlacementProblem scaled =
        problem
            .withTasks(tasks)
            .withCards(
                problem.cards().stream()
                    .map(c -> Card.of(c.id(), c.reconfigureMicros() * factor))
                    .toList())
            .withSliceMicros(problem.sliceMicros() * factor);
    assertThat(exact(scaled).map(p -> asList(p.variants())))
        .isEqualTo(exact(problem).map(p -> asList(p.variants())));
  }

  private static PlacementProblem inOnePeriod(PlacementProblem problem) {
    List<PeriodicTask> tasks = new ArrayList<>();
    for (PeriodicTask t : problem.tasks()) {
      List<HardwareVariant> variants = new ArrayList<>();
      for (int v = 0; v < t.variants().size(); v++) {
        HardwareVariant old = t.variants().get(v);
        variants.add(
            new HardwareVariant(
                old.computeUnits(),
                t.shareMicros(v, problem.sliceMicros()),
                old.powerMicrowatts()));
      }
      tasks.add(PeriodicTask.of(t.id(), problem.sliceMicros(), t.fillMicros(), variants));
    }
    return problem.withTasks(tasks);
  }

  @Property(tries = 1000)
  void optimumIsNeverWorseWithMore(@ForAll long seed) {
    PlacementProblem problem = PlacementProblems.small(seed).withAccounting(Accounting.ADDED);
    long before = power(problem);

    List<Card> more = new ArrayList<>(problem.cards());
    more.add(Card.of("another", more.get(0).reconfigureMicros()));
    assertThat(power(problem.withCards(more))).as("a card more").isLessThanOrEqualTo(before);

    List<Card> quicker =
        problem.cards().stream().map(c -> Card.of(c.id(), c.reconfigureMicros() / 2)).toList();
    if (!problem.mirrored()) {
      assertThat(power(problem.withCards(quicker))).as("cfg").isLessThanOrEqualTo(before);
    }

    List<PeriodicTask> shorterFill = new ArrayList<>();
    List<PeriodicTask> moreVariants = new ArrayList<>();
    for (PeriodicTask t : problem.tasks()) {
      shorterFill.add(PeriodicTask.of(t.id(), t.periodMicros(), t.fillMicros() / 2, t.variants()));
      List<HardwareVariant> variants = new ArrayList<>(t.variants());
      variants.add(new HardwareVariant(9, Math.max(1, variants.get(0).execMicros() / 3), 6_000));
      moreVariants.add(PeriodicTask.of(t.id(), t.periodMicros(), t.fillMicros(), variants));
    }
    assertThat(power(problem.withTasks(shorterFill))).as("fill").isLessThanOrEqualTo(before);
    assertThat(power(problem.withTasks(moreVariants))).as("variant").isLessThanOrEqualTo(before);
  }

  @Property(tries = 1000)
  void optimumIsNeverWorseThanThePaper(@ForAll long seed) {
    PlacementProblem problem = plain(seed).withAccounting(Accounting.INCLUDED);
    Optional<PlacementPlan> paper = PaperPlacer.of(PaperFilter.EQUATION_7).place(problem).plan();
    Assume.that(paper.isPresent());
    PlacementPlan plan = paper.orElseThrow();
    for (Segment s : plan.segments()) {
      Assume.that(s.runMicros() > 0);
    }
    assertThat(power(problem.withSelfParallel(SelfParallel.ALLOW)))
        .isLessThanOrEqualTo(plan.powerMicrowatts());
    if (plan.selfOverlapMicros() == 0) {
      assertThat(power(problem)).isLessThanOrEqualTo(plan.powerMicrowatts());
    }
  }

  @Property(tries = 1000)
  void mirroringNeverCosts(@ForAll long seed) {
    PlacementProblem problem = PlacementProblems.small(seed);
    assertThat(power(problem.withMirrored(true)))
        .isLessThanOrEqualTo(power(problem.withMirrored(false)));
  }

  @Property(tries = 1000)
  void dataIsDividedByRunTime(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long units,
      @ForAll @Size(min = 1, max = 6) List<@LongRange(min = 1, max = 60_000) Long> runs) {
    List<Long> parts = DataSplit.of(units, runs);
    long sum = runs.stream().mapToLong(r -> r).sum();
    assertThat(parts.stream().mapToLong(p -> p).sum()).isEqualTo(units);
    for (int i = 0; i < parts.size(); i++) {
      BigInteger exact = BigInteger.valueOf(units).multiply(BigInteger.valueOf(runs.get(i)));
      BigInteger mine = BigInteger.valueOf(parts.get(i)).multiply(BigInteger.valueOf(sum));
      assertThat(mine.subtract(exact).abs()).isLessThan(BigInteger.valueOf(sum));
    }
  }

  @Property(tries = 1000)
  void sharesAreRoundedUpAndStillFit(@ForAll long seed) {
    PlacementProblem problem = plain(seed).withAccounting(Accounting.ADDED);
    exact(problem)
        .ifPresent(
            plan -> {
              for (int k = 0; k < problem.tasks().size(); k++) {
                PeriodicTask task = problem.tasks().get(k);
                long run = plan.segmentsOf(k).stream().mapToLong(Segment::runMicros).sum();
                long exec = plan.hardwareVariant(k).execMicros();
                assertThat(run * task.periodMicros())
                    .isGreaterThanOrEqualTo(exec * problem.sliceMicros());
              }
              PlanRules.check(plan);
            });
  }

  private static PlacementProblem plain(long seed) {
    return PlacementProblems.small(seed).withMirrored(false).withSelfParallel(SelfParallel.FORBID);
  }

  private static Optional<PlacementPlan> exact(PlacementProblem problem) {
    return ExactPlacer.create().place(problem).plan();
  }

  private static long power(PlacementProblem problem) {
    return exact(problem).map(PlacementPlan::powerMicrowatts).orElse(Long.MAX_VALUE);
  }

  private static List<Integer> asList(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
