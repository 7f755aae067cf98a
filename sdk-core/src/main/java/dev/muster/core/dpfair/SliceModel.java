package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a problem into arrays: what each usable variant needs, what each tile offers.
 *
 * <p>The window of a tile is its part of a slice. In a mirrored slice the first image of a tile is
 * loaded already; that is the same as a window longer by one reconfiguration, which starts as much
 * before the slice ({@link #shift}).
 *
 * <p>Variants that cannot be used are left out, and so are those that cannot be in the first
 * optimum: another one needs no more time and costs less, or costs as much and comes first.
 */
final class SliceModel {
  final PlacementProblem problem;
  final int tasks;
  final int tiles;
  final boolean overlapAllowed;

  /** Whether all tiles are the same, which two of the packing tests need. */
  final boolean uniform;

  final long[] window;
  final long[] shift;
  final long[] reconfigure;
  private final int[] speedNumerator;
  private final int[] speedDenominator;

  final long[] fill;

  /** Run time by task and usable variant, on a card of speed 1. */
  final long[][] run;

  /** Objective by task and usable variant. */
  final long[][] cost;

  /** Least time of a tile that the variant occupies: reconfiguration, fill and run. */
  final long[][] demand;

  /** Position in the task's list of variants, by task and usable variant; ascending. */
  final int[][] position;

  private final @Nullable String misfit;

  private SliceModel(PlacementProblem problem) {
    this.problem = problem;
    tasks = problem.tasks().size();
    tiles = problem.tiles();
    overlapAllowed = problem.selfParallel() == SelfParallel.ALLOW;
    window = new long[tiles];
    shift = new long[tiles];
    reconfigure = new long[tiles];
    speedNumerator = new int[tiles];
    speedDenominator = new int[tiles];
    uniform = compileTiles(problem);
    fill = problem.tasks().stream().mapToLong(PeriodicTask::fillMicros).toArray();
    run = new long[tasks][];
    cost = new long[tasks][];
    demand = new long[tasks][];
    position = new int[tasks][];
    int[] stages = PlacementProblem.Chains.of(problem.tasks());
    String found = null;
    long most = 0;
    for (int k = 0; k < tasks; k++) {
      compileTask(k, stages[k]);
      if (run[k].length == 0 && found == null) {
        found =
            "no variant of task \""
                + problem.tasks().get(k).id()
                + "\" works in a slice of "
                + problem.sliceMicros()
                + " us with accounting "
                + problem.accounting();
      }
      for (long c : cost[k]) {
        if (c > Long.MAX_VALUE / 4 / tasks) {
          throw InvalidInputException.of(
              "objective of task \"" + problem.tasks().get(k).id() + "\" in a slice",
              c,
              "is too large to add up exactly over " + tasks + " tasks",
              "use shorter slices or fewer tasks");
        }
        most = Math.max(most, c);
      }
    }
    misfit = found;
  }

  static SliceModel of(PlacementProblem problem) {
    return new SliceModel(problem);
  }

  /** Returns why there is no plan whatever the order, if that can be told at once. */
  @Nullable String misfit() {
    if (misfit != null) {
      return misfit;
    }
    long least = 0;
    for (int k = 0; k < tasks; k++) {
      least += min(demand[k]);
    }
    long capacity = capacity();
    return least <= capacity
        ? null
        : "the tasks need at least " + least + " us of tiles per slice, there are " + capacity;
  }

  /** Returns the time of all windows. */
  long capacity() {
    long sum = 0;
    for (long w : window) {
      sum += w;
    }
    return sum;
  }

  /** Returns how long a tile needs for what takes the given time at speed 1. */
  long onTile(int tile, long micros) {
    return speedNumerator[tile] == speedDenominator[tile]
        ? micros
        : Limits.ceilDiv(micros * speedDenominator[tile], speedNumerator[tile]);
  }

  /** Returns what a tile gets done in a time, as time at speed 1. */
  long doneOnTile(int tile, long micros) {
    return speedNumerator[tile] == speedDenominator[tile]
        ? micros
        : micros * speedNumerator[tile] / speedDenominator[tile];
  }

  /** Returns the cost of a combination. */
  long cost(int[] chosen) {
    long sum = 0;
    for (int k = 0; k < tasks; k++) {
      sum += cost[k][chosen[k]];
    }
    return sum;
  }

  /** Turns usable variants into positions in the tasks' lists. */
  int[] positions(int[] chosen) {
    int[] result = new int[tasks];
    for (int k = 0; k < tasks; k++) {
      result[k] = position[k][chosen[k]];
    }
    return result;
  }

  private boolean compileTiles(PlacementProblem problem) {
    List<Card> cards = problem.cardOfTile();
    Card first = cards.get(0);
    boolean same = true;
    for (int j = 0; j < tiles; j++) {
      Card card = cards.get(j);
      reconfigure[j] = card.reconfigureMicros();
      shift[j] = problem.mirrored() ? reconfigure[j] : 0;
      window[j] = problem.sliceMicros() + shift[j];
      speedNumerator[j] = card.speedNumerator();
      speedDenominator[j] = card.speedDenominator();
      same &=
          card.reconfigureMicros() == first.reconfigureMicros()
              && card.speedNumerator() * first.speedDenominator()
                  == first.speedNumerator() * card.speedDenominator();
    }
    return same;
  }

  private void compileTask(int k, int stages) {
    PeriodicTask task = problem.tasks().get(k);
    int count = task.variants().size();
    long[] runs = new long[count];
    long[] demands = new long[count];
    long[] costs = new long[count];
    for (int v = 0; v < count; v++) {
      long r = problem.accounting().runMicros(task, v, problem.sliceMicros(), stages);
      demands[v] = r == Accounting.UNUSABLE ? Accounting.UNUSABLE : leastDemand(k, r);
      runs[v] = r;
      costs[v] = cost(task, v, r);
    }
    List<Integer> kept = new ArrayList<>();
    for (int v = 0; v < count; v++) {
      if (demands[v] >= 0 && !isDominated(v, runs, demands, costs)) {
        kept.add(v);
      }
    }
    position[k] = kept.stream().mapToInt(v -> v).toArray();
    run[k] = kept.stream().mapToLong(v -> runs[v]).toArray();
    demand[k] = kept.stream().mapToLong(v -> demands[v]).toArray();
    cost[k] = kept.stream().mapToLong(v -> costs[v]).toArray();
  }

  /** Returns the least time on any tile, or UNUSABLE if no tile can hold what must not overlap. */
  private long leastDemand(int k, long r) {
    long least = Long.MAX_VALUE;
    boolean fits = overlapAllowed;
    for (int j = 0; j < tiles; j++) {
      long needed = reconfigure[j] + onTile(j, fill[k]) + onTile(j, r);
      fits |= needed <= window[j];
      least = Math.min(least, needed);
      if (uniform) {
        break;
      }
    }
    return fits ? least : Accounting.UNUSABLE;
  }

  private long cost(PeriodicTask task, int v, long r) {
    long power = task.variants().get(v).powerMicrowatts();
    if (problem.objective() == PlacementObjective.SUM_POWER) {
      return power;
    }
    Card card = problem.cards().get(0);
    long above = power - card.idleMicrowatts();
    return above * (task.fillMicros() + Math.max(0, r))
        + (problem.mirrored()
            ? 0
            : (card.reconfigureMicrowatts() - card.idleMicrowatts()) * card.reconfigureMicros());
  }

  private static boolean isDominated(int v, long[] runs, long[] demands, long[] costs) {
    for (int o = 0; o < runs.length; o++) {
      if (demands[o] >= 0
          && runs[o] <= runs[v]
          && (costs[o] < costs[v] || (costs[o] == costs[v] && o < v))) {
        return true;
      }
    }
    return false;
  }

  private static long min(long[] values) {
    long least = Long.MAX_VALUE;
    for (long value : values) {
      least = Math.min(least, value);
    }
    return least;
  }
}
