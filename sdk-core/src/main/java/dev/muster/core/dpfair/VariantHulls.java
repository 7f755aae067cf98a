package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a variant for each task under one capacity: the multiple-choice knapsack.
 *
 * <p>Starting from the cheapest variants, each task can buy demand off by moving along the lower
 * left hull of its (demand, cost) points. Moves of all tasks, most demand per cost first, solve the
 * linear relaxation; stopping when the demand fits is at most one move away from it, and what the
 * last move bought too much is handed back ({@link #choose}). O(v log v) once for v variants in
 * all, O(v) per choice.
 */
final class VariantHulls {
  private final SliceModel model;
  private final int[] cheapest;
  private final long cheapestDemand;
  private final List<Move> moves;

  /** Trades cost for demand within a task. */
  private record Move(int task, int from, int to, long demandSaved, long costAdded) {
    double price() {
      return (double) costAdded / demandSaved;
    }
  }

  VariantHulls(SliceModel model) {
    this.model = model;
    cheapest = new int[model.tasks];
    moves = new ArrayList<>();
    long demand = 0;
    for (int k = 0; k < model.tasks; k++) {
      cheapest[k] = cheapest(k);
      demand += model.demand[k][cheapest[k]];
      addMoves(k);
    }
    cheapestDemand = demand;
    // Slopes along a hull increase, so that the stable sort keeps each task's moves in order.
    moves.sort(Comparator.comparingDouble(Move::price));
  }

  private int cheapest(int k) {
    int best = 0;
    for (int v = 1; v < model.cost[k].length; v++) {
      if (model.cost[k][v] < model.cost[k][best]
          || (model.cost[k][v] == model.cost[k][best]
              && model.demand[k][v] < model.demand[k][best])) {
        best = v;
      }
    }
    return best;
  }

  private void addMoves(int k) {
    int at = cheapest[k];
    while (true) {
      Move flattest = null;
      for (int v = 0; v < model.cost[k].length; v++) {
        long saved = model.demand[k][at] - model.demand[k][v];
        if (saved > 0) {
          Move move = new Move(k, at, v, saved, model.cost[k][v] - model.cost[k][at]);
          if (flattest == null
              || move.price() < flattest.price()
              || (move.price() == flattest.price() && saved > flattest.demandSaved)) {
            flattest = move;
          }
        }
      }
      if (flattest == null) {
        return;
      }
      moves.add(flattest);
      at = flattest.to;
    }
  }

  /** Returns the least capacity for which there is a choice. */
  long leastDemand() {
    long demand = cheapestDemand;
    for (Move move : moves) {
      demand -= move.demandSaved;
    }
    return demand;
  }

  /** Returns the cost of a microsecond where the relaxation just fits a capacity; 0 if all does. */
  double price(long capacity) {
    long demand = cheapestDemand;
    for (Move move : moves) {
      if (demand <= capacity) {
        return demand == cheapestDemand ? 0 : move.price();
      }
      demand -= move.demandSaved;
      if (demand <= capacity) {
        return move.price();
      }
    }
    return moves.isEmpty() ? 0 : moves.get(moves.size() - 1).price();
  }

  /** Returns a cheap choice whose demands fit a capacity, or {@code null} if none does. */
  int @Nullable [] choose(long capacity) {
    int[] chosen = cheapest.clone();
    long demand = cheapestDemand;
    for (Move move : moves) {
      if (demand <= capacity) {
        break;
      }
      chosen[move.task] = move.to;
      demand -= move.demandSaved;
    }
    if (demand > capacity) {
      return null;
    }
    spend(chosen, capacity - demand);
    return chosen;
  }

  /** Goes back to cheaper variants while there is room, the largest saving first. */
  private void spend(int[] chosen, long spare) {
    long left = spare;
    while (true) {
      long bestSaving = 0;
      int bestTask = -1;
      int bestVariant = -1;
      for (int k = 0; k < model.tasks; k++) {
        for (int v = 0; v < model.cost[k].length; v++) {
          long saving = model.cost[k][chosen[k]] - model.cost[k][v];
          if (saving > bestSaving && model.demand[k][v] - model.demand[k][chosen[k]] <= left) {
            bestSaving = saving;
            bestTask = k;
            bestVariant = v;
          }
        }
      }
      if (bestTask < 0) {
        return;
      }
      left -= model.demand[bestTask][bestVariant] - model.demand[bestTask][chosen[bestTask]];
      chosen[bestTask] = bestVariant;
    }
  }
}
