package dev.muster.core.dpfair;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds an order in which many tasks wrap around the tiles, filling tile after tile.
 *
 * <p>Each tile takes the longest task that still fits whole, again and again; when none does, the
 * task that loses least by being divided (the shortest fill, then the longest) fills the rest and
 * starts the next tile. The declared order and the order of falling length are tried before. O(n
 * log n + n m) for n tasks and m tiles. May fail where another order works.
 */
final class GreedyWrap {
  private final SliceModel model;
  private final WrapRule rule;
  private final Effort effort;

  GreedyWrap(SliceModel model, WrapRule rule, Effort effort) {
    this.model = model;
    this.rule = rule;
    this.effort = effort;
  }

  /** Returns an order that works, or {@code null} if none was found. */
  int @Nullable [] find(int[] chosen) {
    effort.addPacking();
    effort.add(model.tasks);
    long needs = 0;
    for (int k = 0; k < model.tasks; k++) {
      needs += model.demand[k][chosen[k]];
    }
    if (needs > model.capacity()) {
      return null;
    }
    int[] declared = IntStream.range(0, model.tasks).toArray();
    if (rule.place(declared, chosen) != WrapRule.OUT) {
      return declared;
    }
    int[] falling = sorted(Comparator.comparingLong(k -> -length(k, chosen)));
    effort.add(2L * model.tasks);
    return rule.place(falling, chosen) != WrapRule.OUT ? falling : fill(chosen, falling);
  }

  private long length(int task, int[] chosen) {
    return model.fill[task] + model.run[task][chosen[task]];
  }

  private int[] sorted(Comparator<Integer> by) {
    return IntStream.range(0, model.tasks).boxed().sorted(by).mapToInt(k -> k).toArray();
  }

  private int @Nullable [] fill(int[] chosen, int[] falling) {
    Comparator<Integer> byFill = Comparator.comparingLong(k -> model.fill[k]);
    int[] rising = sorted(byFill.thenComparingLong(k -> -length(k, chosen)));
    Untaken byLength = new Untaken(falling);
    Untaken byOverhead = new Untaken(rising);
    int[] order = new int[model.tasks];
    long at = 0;
    int count = 0;
    while (count < order.length) {
      int rank = byLength.from(longestThatFits(at, chosen, falling));
      int task =
          rank < order.length ? falling[rank] : cheapestToDivide(at, chosen, rising, byOverhead);
      if (task < 0) {
        int tile = WrapRule.tile(at) + 1;
        if (tile == model.tiles) {
          return null;
        }
        at = WrapRule.startOf(tile);
        continue;
      }
      at = rule.next(at, task, chosen[task]);
      if (at == WrapRule.OUT) {
        return null;
      }
      byLength.take(task);
      byOverhead.take(task);
      order[count++] = task;
    }
    return order;
  }

  /** Returns the first rank whose task, if it is free, fits the rest of the tile whole. */
  private int longestThatFits(long at, int[] chosen, int[] falling) {
    int low = 0;
    int high = falling.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rule.fitsWhole(at, falling[middle], chosen[falling[middle]])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private int cheapestToDivide(long at, int[] chosen, int[] rising, Untaken untaken) {
    for (int rank = untaken.from(0); rank < rising.length; rank = untaken.from(rank + 1)) {
      effort.add(1);
      if (rule.divides(at, rising[rank], chosen[rising[rank]])) {
        return rising[rank];
      }
    }
    return -1;
  }

  /** Finds the first task not taken at or after a rank of an order. Amortised near O(1). */
  private static final class Untaken {
    private final int[] next;
    private final int[] rankOf;

    Untaken(int[] order) {
      next = IntStream.rangeClosed(0, order.length).toArray();
      rankOf = new int[order.length];
      for (int rank = 0; rank < order.length; rank++) {
        rankOf[order[rank]] = rank;
      }
    }

    int from(int rank) {
      int root = rank;
      while (next[root] != root) {
        root = next[root];
      }
      int at = rank;
      while (next[at] != root) {
        int after = next[at];
        next[at] = root;
        at = after;
      }
      return root;
    }

    void take(int task) {
      next[rankOf[task]] = rankOf[task] + 1;
    }
  }
}
