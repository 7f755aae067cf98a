package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a cheap plan for many tasks and says how much cheaper any plan could be.
 *
 * <p>Variants are chosen as if the tiles were one reservoir ({@link VariantHulls}) and then packed.
 * What a packing loses to divided tasks and unused rests is not known beforehand, so the capacity
 * handed to the choice is found by bisection: the largest for which the packing works. Then single
 * tasks change to a cheaper variant wherever the packing still works. Up to {@value
 * #EXACT_PACKING_TASKS} tasks are packed exactly ({@link SubsetOrder}), more by {@link GreedyWrap}.
 *
 * <p>The certified gap compares the plan with the {@link LagrangianBound}, which knows the overhead
 * of one segment per task but nothing of divided tasks, so the true gap is smaller.
 */
public final class LargePlacer implements Placer {
  /** Bisection steps: enough to find the capacity within a ten thousandth of the range. */
  private static final int BISECTIONS = 14;

  /** Packings tried to improve the plan, in all and in a row without success. */
  private static final int IMPROVEMENTS = 400;

  private static final int FRUITLESS = 60;
  private static final int EXACT_PACKING_TASKS = 12;

  private final SearchBudget budget;

  private LargePlacer(SearchBudget budget) {
    this.budget = budget;
  }

  /** Creates a placer; its effort is bounded by the size of the problem. */
  public static LargePlacer create() {
    return new LargePlacer(SearchBudget.unlimited());
  }

  /** Creates a placer that stops early when its budget is spent. */
  public static LargePlacer of(SearchBudget budget) {
    return new LargePlacer(budget);
  }

  @Override
  public PlacementResult place(PlacementProblem problem) {
    return place(SliceModel.of(problem), new Effort(budget));
  }

  static PlacementResult place(SliceModel model, Effort effort) {
    String misfit = model.misfit();
    return misfit != null
        ? PlacementResult.infeasible(misfit, effort)
        : new Run(model, effort).go();
  }

  /** Works on one problem. */
  private static final class Run {
    private final SliceModel model;
    private final Effort effort;
    private final WrapRule rule;
    private final VariantHulls hulls;
    private final SubsetOrder exact;
    private final GreedyWrap greedy;
    private int @Nullable [] best;
    private int[] bestOrder = new int[0];
    private long bestCost = Long.MAX_VALUE;

    Run(SliceModel model, Effort effort) {
      this.model = model;
      this.effort = effort;
      rule = new WrapRule(model);
      hulls = new VariantHulls(model);
      exact = new SubsetOrder(model, rule, effort);
      greedy = new GreedyWrap(model, rule, effort);
    }

    PlacementResult go() {
      bisect();
      int[] chosen = best;
      long lower = new LagrangianBound(model, hulls).of(0, 0, 0);
      if (chosen == null) {
        return PlacementResult.unknown(lower, "no packing was found", effort);
      }
      chosen = improve(chosen);
      return PlacementResult.feasible(rule.plan(bestOrder, chosen), bestCost, lower, effort);
    }

    /** Looks for the largest capacity at which the chosen variants can be packed. */
    private void bisect() {
      long high = model.capacity();
      if (tryCapacity(high)) {
        return;
      }
      long low = Math.max(hulls.leastDemand(), high - 2 * overheadOfAllTiles());
      tryCapacity(low);
      for (int i = 0; i < BISECTIONS && high - low > 1 && !effort.spent(); i++) {
        long middle = (low + high) >>> 1;
        if (tryCapacity(middle)) {
          low = middle;
        } else {
          high = middle;
        }
      }
      if (best == null) {
        tryCapacity(hulls.leastDemand());
      }
    }

    private long overheadOfAllTiles() {
      long sum = 0;
      for (int tile = 0; tile < model.tiles; tile++) {
        long most = 0;
        for (long fill : model.fill) {
          most = Math.max(most, fill);
        }
        sum += model.reconfigure[tile] + model.onTile(tile, most);
      }
      return sum;
    }

    private boolean tryCapacity(long capacity) {
      int[] chosen = hulls.choose(capacity);
      effort.add(model.tasks);
      return chosen != null && adopt(chosen);
    }

    /** Packs a choice; keeps it if that works and it is the cheapest so far. */
    private boolean adopt(int[] chosen) {
      int[] order = model.tasks <= EXACT_PACKING_TASKS ? exact.find(chosen) : greedy.find(chosen);
      if (order == null) {
        return false;
      }
      long cost = model.cost(chosen);
      if (cost < bestCost) {
        bestCost = cost;
        best = chosen;
        bestOrder = order;
      }
      return true;
    }

    /** Names a cheaper variant for one task. */
    private record Change(int task, int variant, long saving, long extraDemand) {
      double worth() {
        return (double) saving / Math.max(1, extraDemand);
      }
    }

    /** Moves single tasks to cheaper variants, the most saving per demand first. */
    private int[] improve(int[] start) {
      int[] chosen = start;
      int tries = 0;
      int fruitless = 0;
      List<Change> changes = changes(chosen);
      for (int i = 0; i < changes.size(); i++) {
        if (tries++ >= IMPROVEMENTS || fruitless++ >= FRUITLESS || effort.spent()) {
          break;
        }
        Change change = changes.get(i);
        int[] changed = chosen.clone();
        changed[change.task] = change.variant;
        if (model.cost(changed) < bestCost && adopt(changed)) {
          chosen = changed;
          fruitless = 0;
          changes = changes(chosen);
          i = -1;
        }
      }
      return chosen;
    }

    private List<Change> changes(int[] chosen) {
      List<Change> result = new ArrayList<>();
      for (int k = 0; k < model.tasks; k++) {
        for (int v = 0; v < model.cost[k].length; v++) {
          long saving = model.cost[k][chosen[k]] - model.cost[k][v];
          if (saving > 0) {
            result.add(new Change(k, v, saving, model.demand[k][v] - model.demand[k][chosen[k]]));
          }
        }
      }
      result.sort(Comparator.comparingDouble(Change::worth).reversed());
      return result;
    }
  }
}
