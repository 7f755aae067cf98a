package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest plan, and of equally cheap ones the first in the paper's enumeration order.
 *
 * <p>Combinations of variants are visited lazily, in the order in which PADPS-FR sorts them: best
 * first over prefixes of the task list, by a {@link LagrangianBound} on their cost, then in
 * lexicographic order. A complete combination leaves the queue when nothing that could cost less,
 * or as much and come earlier, is left in it. The first one for which {@link SubsetOrder} finds an
 * order is the optimum.
 *
 * <p>Few combinations are ever touched: at most 79 of 8^10 were packed on 40 random problems of 10
 * tasks with 8 variants in the project's notes. Worst case exponential, hence the budget. At most
 * 16 tasks.
 */
public final class ExactPlacer implements Placer {
  private final SearchBudget budget;

  private ExactPlacer(SearchBudget budget) {
    this.budget = budget;
  }

  /** Creates a placer that searches as long as it takes. */
  public static ExactPlacer create() {
    return new ExactPlacer(SearchBudget.unlimited());
  }

  /** Creates a placer that gives up when its budget is spent. */
  public static ExactPlacer of(SearchBudget budget) {
    return new ExactPlacer(budget);
  }

  @Override
  public PlacementResult place(PlacementProblem problem) {
    requireSmall(problem);
    Effort effort = new Effort(budget);
    SliceModel model = SliceModel.of(problem);
    String misfit = model.misfit();
    return misfit != null
        ? PlacementResult.infeasible(misfit, effort)
        : new Search(model, effort, null, Long.MAX_VALUE).run();
  }

  /** Tells whether a problem is within what this search can represent. */
  static boolean isSmall(PlacementProblem problem) {
    return problem.tasks().size() <= SubsetOrder.MAX_TASKS && keyBits(problem) < Long.SIZE;
  }

  private static void requireSmall(PlacementProblem problem) {
    if (!isSmall(problem)) {
      throw InvalidInputException.of(
          "problem for the exact search",
          problem.tasks().size() + " tasks",
          "must have at most "
              + SubsetOrder.MAX_TASKS
              + " tasks, and fewer than 2^63 combinations of variants",
          "use the large search");
    }
  }

  private static int keyBits(PlacementProblem problem) {
    int bits = 0;
    for (PeriodicTask task : problem.tasks()) {
      bits += bitsFor(task.variants().size());
    }
    return bits;
  }

  private static int bitsFor(int choices) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(choices - 1);
  }

  /** Tells whether a combination of variants can be placed in some order. */
  public static boolean isFeasible(PlacementProblem problem, int[] variants) {
    return orderOf(problem, variants) != null;
  }

  private static int @Nullable [] orderOf(PlacementProblem problem, int[] variants) {
    SliceModel model = SliceModel.of(only(problem, variants));
    return model.misfit() != null
        ? null
        : new SubsetOrder(model, new WrapRule(model), new Effort(SearchBudget.unlimited()))
            .find(new int[variants.length]);
  }

  /** Returns the problem with one variant left for each task. */
  private static PlacementProblem only(PlacementProblem problem, int[] variants) {
    List<PeriodicTask> tasks = new ArrayList<>();
    for (int i = 0; i < variants.length; i++) {
      PeriodicTask t = problem.tasks().get(i);
      tasks.add(
          new PeriodicTask(
              t.id(),
              t.periodMicros(),
              t.fillMicros(),
              t.weight(),
              List.of(t.variants().get(variants[i])),
              t.after()));
    }
    return problem.withTasks(tasks);
  }

  /**
   * Names a choice for the first tasks.
   *
   * @param bound no plan with these choices costs less
   * @param key the choices, the first task's in the highest bits, so that keys sort like rows
   * @param depth how many tasks have a choice
   * @param cost of the choices
   * @param demand of the choices
   */
  private record Prefix(long bound, long key, int depth, long cost, long demand)
      implements Comparable<Prefix> {
    @Override
    public int compareTo(Prefix other) {
      if (bound != other.bound) {
        return Long.compare(bound, other.bound);
      }
      return key != other.key ? Long.compare(key, other.key) : Integer.compare(depth, other.depth);
    }
  }

  /** Runs one search. */
  static final class Search {
    private final SliceModel model;
    private final Effort effort;
    private final WrapRule rule;
    private final SubsetOrder orders;
    private final LagrangianBound bound;
    private final int[] offset;
    private final PriorityQueue<Prefix> queue = new PriorityQueue<>();
    private final @Nullable PlacementPlan incumbent;
    private final long incumbentCost;

    /**
     * Prepares a search.
     *
     * @param incumbent a plan known before, returned if the budget ends first
     * @param incumbentCost its cost; prefixes that must cost more are dropped
     */
    Search(SliceModel model, Effort effort, @Nullable PlacementPlan incumbent, long incumbentCost) {
      this.model = model;
      this.effort = effort;
      this.incumbent = incumbent;
      this.incumbentCost = incumbentCost;
      rule = new WrapRule(model);
      orders = new SubsetOrder(model, rule, effort);
      bound = new LagrangianBound(model, new VariantHulls(model));
      offset = new int[model.tasks];
      int bits = 0;
      for (int k = model.tasks - 1; k >= 0; k--) {
        offset[k] = bits;
        bits += bitsFor(model.run[k].length);
      }
    }

    PlacementResult run() {
      queue.add(new Prefix(Long.MIN_VALUE, 0, 0, 0, 0));
      while (!queue.isEmpty()) {
        Prefix prefix = queue.remove();
        if (effort.spent()) {
          return stopped(prefix.bound);
        }
        if (prefix.depth < model.tasks) {
          expand(prefix);
        } else {
          int[] chosen = chosen(prefix.key);
          int[] order = orders.find(chosen);
          if (order != null) {
            return PlacementResult.optimal(rule.plan(order, chosen), prefix.cost, effort);
          }
        }
      }
      return PlacementResult.infeasible(
          "no order of any combination of variants wraps around the tiles", effort);
    }

    private void expand(Prefix prefix) {
      int k = prefix.depth;
      for (int v = 0; v < model.run[k].length; v++) {
        effort.add(1);
        long cost = prefix.cost + model.cost[k][v];
        long demand = prefix.demand + model.demand[k][v];
        if (!bound.fits(k + 1, demand)) {
          continue;
        }
        long least =
            k + 1 == model.tasks ? cost : Math.max(prefix.bound, bound.of(k + 1, cost, demand));
        if (least <= incumbentCost) {
          queue.add(new Prefix(least, prefix.key | (long) v << offset[k], k + 1, cost, demand));
        }
      }
    }

    private int[] chosen(long key) {
      int[] chosen = new int[model.tasks];
      for (int k = 0; k < model.tasks; k++) {
        chosen[k] = (int) (key >>> offset[k]) & ((1 << bitsFor(model.run[k].length)) - 1);
      }
      return chosen;
    }

    private PlacementResult stopped(long reached) {
      long lower = Math.max(reached, bound.of(0, 0, 0));
      return incumbent != null
          ? PlacementResult.feasible(incumbent, incumbentCost, lower, effort)
          : PlacementResult.unknown(lower, "the budget was spent before a plan was found", effort);
    }
  }
}
