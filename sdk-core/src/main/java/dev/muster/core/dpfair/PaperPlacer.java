package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import dev.muster.core.dpfair.TaskSets.TaskSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places tasks as PADPS-FR publishes it: enumerate, filter, sort by power, take the first task set
 * that next-fit in the declared order accepts (Algorithms 1 to 3).
 *
 * <p>Kept to reproduce the paper. {@link ExactPlacer} differs in four ways. It searches all orders
 * (this one knows the declared order only: on 1,500 random instances of the project's notes it
 * found some plan in 95.3 % against 96.2 %, and a dearer one in 16.4 %). It does not let a task
 * overlap itself. It never accepts a share that the fill eats up. And its shares hold for the
 * deadline, not only for the average (see {@link Accounting}).
 *
 * <p>Where the printed text is at odds with itself, this follows: line 14 strict; lines 15 and 18
 * see what is left of a continuation, fill included; line 18 uses the fill of the task just placed;
 * the fill is charged again to continuations only; a continuation ends with the first task of a
 * card; the end of the task list means that all are placed.
 *
 * <p>Needs cards of one tile, one speed and one reconfiguration time. The problem's accounting,
 * self-overlap rule and objective do not apply: the paper has its own. O(c n) for c combinations.
 */
public final class PaperPlacer implements Placer {
  private final PaperFilter filter;

  private PaperPlacer(PaperFilter filter) {
    this.filter = filter;
  }

  /** Creates a placer that filters with equation 7 in one of its readings. */
  public static PaperPlacer of(PaperFilter filter) {
    return new PaperPlacer(filter);
  }

  /**
   * Counts what the algorithms do with each combination.
   *
   * @param combinations rows of TSS
   * @param fit rows that pass the filter (TFS)
   * @param accepted rows of TFS that Algorithm 2 places
   * @param selected the first accepted row, if any
   */
  public record Report(int combinations, int fit, int accepted, Optional<Selection> selected) {
    /** Returns the rows that do not pass the filter (TNFS). */
    public int notFit() {
      return combinations - fit;
    }

    /** Returns the rows that pass the filter and that Algorithm 2 cannot place. */
    public int rejected() {
      return fit - accepted;
    }
  }

  /**
   * Names the selected row.
   *
   * @param rank its place in the sorted TFS, from 1
   * @param plan its placement (Algorithm 3)
   */
  public record Selection(int rank, PlacementPlan plan) {
    /** Returns the share of each task, in microseconds. */
    public List<Long> sharesMicros() {
      List<Long> shares = new ArrayList<>();
      List<PeriodicTask> tasks = plan.problem().tasks();
      for (int i = 0; i < tasks.size(); i++) {
        shares.add(tasks.get(i).shareMicros(plan.variant(i), plan.problem().sliceMicros()));
      }
      return shares;
    }
  }

  @Override
  public PlacementResult place(PlacementProblem problem) {
    Effort effort = new Effort(SearchBudget.unlimited());
    requirePaperCards(problem);
    effort.add(TaskSets.count(problem));
    for (TaskSet set : TaskSets.fitting(problem, limitMicros(problem))) {
      effort.addPacking();
      List<Segment> segments = nextFit(problem, set.sharesMicros());
      if (segments != null) {
        PlacementPlan plan = PlacementPlan.of(asPublished(problem), set.variants(), segments);
        return PlacementResult.feasible(plan, set.powerMicrowatts(), 0, effort);
      }
    }
    return PlacementResult.unknown(
        0, "next-fit in the declared order accepts no task set that fits", effort);
  }

  /** Runs the algorithms over all combinations and counts. */
  public Report report(PlacementProblem problem) {
    requirePaperCards(problem);
    List<TaskSet> fitting = TaskSets.fitting(problem, limitMicros(problem));
    int accepted = 0;
    Selection selected = null;
    for (int i = 0; i < fitting.size(); i++) {
      TaskSet set = fitting.get(i);
      List<Segment> segments = nextFit(problem, set.sharesMicros());
      if (segments != null) {
        accepted++;
        if (selected == null) {
          selected =
              new Selection(
                  i + 1, PlacementPlan.of(asPublished(problem), set.variants(), segments));
        }
      }
    }
    return new Report(
        TaskSets.count(problem), fitting.size(), accepted, Optional.ofNullable(selected));
  }

  /** Returns the variants of the sorted TFS, most economical first. */
  public List<int[]> fittingVariants(PlacementProblem problem) {
    return TaskSets.fitting(problem, limitMicros(problem)).stream().map(TaskSet::variants).toList();
  }

  /** Returns all combinations of variants, most economical first. */
  public static List<int[]> combinations(PlacementProblem problem) {
    return TaskSets.fitting(problem, Long.MAX_VALUE).stream().map(TaskSet::variants).toList();
  }

  /** States the rules that the paper's plans keep. */
  private static PlacementProblem asPublished(PlacementProblem problem) {
    return problem
        .withAccounting(Accounting.INCLUDED)
        .withSelfParallel(SelfParallel.ALLOW)
        .withMirrored(false)
        .withObjective(PlacementObjective.SUM_POWER);
  }

  /** Tells whether Algorithm 2 places a combination of variants, whatever the filter says. */
  public static boolean accepts(PlacementProblem problem, int[] variants) {
    return placed(problem, variants).isPresent();
  }

  /** Returns where Algorithm 3 puts a combination of variants, if Algorithm 2 places it. */
  public static Optional<PlacementPlan> placed(PlacementProblem problem, int[] variants) {
    requirePaperCards(problem);
    long[] shares = new long[variants.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = problem.tasks().get(i).shareMicros(variants[i], problem.sliceMicros());
    }
    List<Segment> segments = nextFit(problem, shares);
    return segments == null
        ? Optional.empty()
        : Optional.of(PlacementPlan.of(asPublished(problem), variants, segments));
  }

  private long limitMicros(PlacementProblem problem) {
    return filter.limitMicros(
        problem.tiles(),
        problem.sliceMicros(),
        problem.tasks().size(),
        problem.cards().get(0).reconfigureMicros());
  }

  /** Follows the tasks over the cards: Algorithm 2, and the segments of Algorithm 3. */
  private static @Nullable List<Segment> nextFit(PlacementProblem problem, long[] shares) {
    List<Segment> segments = new ArrayList<>();
    long reconfigure = problem.cards().get(0).reconfigureMicros();
    int task = 0; // sti: where the next card starts
    long done = 0; // tsd: what that task got of its share before
    for (int card = 0; card < problem.tiles(); card++) {
      long room = problem.sliceMicros(); // c_j
      boolean open = true;
      while (open && task < shares.length) {
        long fill = problem.tasks().get(task).fillMicros();
        long start = problem.sliceMicros() - room;
        if (room <= reconfigure + fill) { // line 14 fails
          open = false;
          continue;
        }
        long needed = done == 0 ? shares[task] : fill + shares[task] - done;
        long rest = room - reconfigure - needed;
        if (rest < 0) { // lines 15-17: divide
          long run = room - reconfigure - fill;
          segments.add(new Segment(card, task, start, reconfigure, fill, run));
          done += done == 0 ? fill + run : run;
          open = false;
        } else { // lines 18-23
          long filled = Math.min(fill, needed); // the paper lets a share be shorter than the fill
          segments.add(new Segment(card, task, start, reconfigure, filled, needed - filled));
          done = 0;
          task++;
          room = rest;
          open = rest > reconfigure + fill; // line 18, with the fill of the task just placed
        }
      }
      if (task == shares.length && done == 0) {
        return segments;
      }
    }
    return null;
  }

  private static void requirePaperCards(PlacementProblem problem) {
    Card first = problem.cards().get(0);
    for (Card card : problem.cards()) {
      if (card.tiles() != 1
          || card.speedNumerator() != card.speedDenominator()
          || card.reconfigureMicros() != first.reconfigureMicros()) {
        throw InvalidInputException.of(
            "card \"" + card.id() + '"',
            card,
            "must have one tile, speed 1 and the reconfiguration time of the other cards",
            "use the exact or the large search");
      }
    }
  }
}
