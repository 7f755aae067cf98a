package dev.muster.core.dpfair;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds an order in which the tasks wrap around the tiles, or proves that there is none.
 *
 * <p>For every subset S of the tasks, the earliest position at which all of S can be placed is the
 * earliest, over the task k of S that comes last, of {@link WrapRule#next} from the earliest
 * position of S without k. This is exact over all n! orders since the rule is monotone. O(2^n n)
 * time, O(2^n) memory, reused from call to call.
 */
final class SubsetOrder {
  /** Bounds the number of tasks: 2^16 positions. */
  static final int MAX_TASKS = 16;

  private final SliceModel model;
  private final WrapRule rule;
  private final Effort effort;
  private final long[] earliest;
  private final byte[] last;

  SubsetOrder(SliceModel model, WrapRule rule, Effort effort) {
    this.model = model;
    this.rule = rule;
    this.effort = effort;
    int subsets = model.tasks <= MAX_TASKS ? 1 << model.tasks : 0;
    earliest = new long[subsets];
    last = new byte[subsets];
  }

  /** Returns an order, or {@code null} if the variants fit in none. */
  int @Nullable [] find(int[] chosen) {
    effort.addPacking();
    effort.add(model.tasks);
    if (needs(chosen) > model.capacity()) {
      return null;
    }
    int[] declared = identity();
    if (rule.place(declared, chosen) != WrapRule.OUT) {
      return declared;
    }
    return search(chosen);
  }

  private int @Nullable [] search(int[] chosen) {
    int all = earliest.length - 1;
    Arrays.fill(earliest, WrapRule.OUT);
    earliest[0] = 0;
    long visited = 0;
    for (int set = 0; set < all; set++) {
      long from = earliest[set];
      if (from == WrapRule.OUT) {
        continue;
      }
      visited++;
      for (int rest = all & ~set; rest != 0; rest &= rest - 1) {
        int task = Integer.numberOfTrailingZeros(rest);
        long at = rule.next(from, task, chosen[task]);
        int with = set | 1 << task;
        if (at < earliest[with]) {
          earliest[with] = at;
          last[with] = (byte) task;
        }
      }
    }
    effort.add(visited);
    return earliest[all] == WrapRule.OUT ? null : order(all);
  }

  private int[] order(int all) {
    int[] order = new int[model.tasks];
    int set = all;
    for (int i = model.tasks - 1; i >= 0; i--) {
      order[i] = last[set];
      set &= ~(1 << order[i]);
    }
    return order;
  }

  private long needs(int[] chosen) {
    long sum = 0;
    for (int k = 0; k < model.tasks; k++) {
      sum += model.demand[k][chosen[k]];
    }
    return sum;
  }

  private int[] identity() {
    int[] order = new int[model.tasks];
    Arrays.setAll(order, i -> i);
    return order;
  }
}
