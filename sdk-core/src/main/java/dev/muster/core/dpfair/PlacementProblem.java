package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * States a placement problem: tasks, cards, the slice and the rules.
 *
 * @param tasks at least one, ids unique; their order breaks ties
 * @param cards at least one, ids unique; tiles are filled in their order
 * @param sliceMicros length of the slice that repeats (t_slr)
 * @param accounting how much time a task gets per slice
 * @param selfParallel whether a task may overlap itself
 * @param mirrored whether every second slice runs backwards, so that the image at a slice boundary
 *     stays loaded and each tile saves one reconfiguration per slice
 * @param objective what to minimise
 */
public record PlacementProblem(
    List<PeriodicTask> tasks,
    List<Card> cards,
    long sliceMicros,
    Accounting accounting,
    SelfParallel selfParallel,
    boolean mirrored,
    PlacementObjective objective) {
  /**
   * Creates a problem.
   *
   * @throws InvalidInputException if an id repeats, a value is out of range, or a task comes after
   *     one that does not exist, has another period or depends on it in turn
   */
  public PlacementProblem {
    tasks = List.copyOf(tasks);
    cards = List.copyOf(cards);
    Limits.require("number of tasks", tasks.size(), 1, Limits.MAX_TASKS);
    Limits.require("number of cards", cards.size(), 1, Limits.MAX_TILES);
    Limits.require("slice (us)", sliceMicros, 1, Limits.MAX_MICROS);
    Limits.require(
        "number of tiles", cards.stream().mapToLong(Card::tiles).sum(), 1, Limits.MAX_TILES);
    requireUnique("task id", tasks.stream().map(PeriodicTask::id).toList());
    requireUnique("card id", cards.stream().map(Card::id).toList());
    Chains.of(tasks);
  }

  /** States a problem with strict accounting, no self-overlap and least summed power. */
  public static PlacementProblem of(List<PeriodicTask> tasks, List<Card> cards, long sliceMicros) {
    return new PlacementProblem(
        tasks,
        cards,
        sliceMicros,
        Accounting.STRICT,
        SelfParallel.FORBID,
        false,
        PlacementObjective.SUM_POWER);
  }

  /** Returns the problem with other tasks. */
  public PlacementProblem withTasks(List<PeriodicTask> value) {
    return new PlacementProblem(
        value, cards, sliceMicros, accounting, selfParallel, mirrored, objective);
  }

  /** Returns the problem with other cards. */
  public PlacementProblem withCards(List<Card> value) {
    return new PlacementProblem(
        tasks, value, sliceMicros, accounting, selfParallel, mirrored, objective);
  }

  /** Returns the problem with another slice. */
  public PlacementProblem withSliceMicros(long value) {
    return new PlacementProblem(tasks, cards, value, accounting, selfParallel, mirrored, objective);
  }

  /** Returns the problem with another accounting. */
  public PlacementProblem withAccounting(Accounting value) {
    return new PlacementProblem(
        tasks, cards, sliceMicros, value, selfParallel, mirrored, objective);
  }

  /** Returns the problem with self-overlap forbidden or allowed. */
  public PlacementProblem withSelfParallel(SelfParallel value) {
    return new PlacementProblem(tasks, cards, sliceMicros, accounting, value, mirrored, objective);
  }

  /** Returns the problem with or without mirrored slices. */
  public PlacementProblem withMirrored(boolean value) {
    return new PlacementProblem(
        tasks, cards, sliceMicros, accounting, selfParallel, value, objective);
  }

  /** Returns the problem with another objective. */
  public PlacementProblem withObjective(PlacementObjective value) {
    return new PlacementProblem(
        tasks, cards, sliceMicros, accounting, selfParallel, mirrored, value);
  }

  /** Returns the number of tiles of all cards. */
  public int tiles() {
    int sum = 0;
    for (Card card : cards) {
      sum += card.tiles();
    }
    return sum;
  }

  /** Returns the names of the tiles, in the order they are filled. */
  public List<String> tileNames() {
    return cards.stream()
        .flatMap(card -> IntStream.range(0, card.tiles()).mapToObj(card::tileName))
        .toList();
  }

  /** Returns the card of each tile, in the order they are filled. */
  public List<Card> cardOfTile() {
    return cards.stream()
        .flatMap(card -> Collections.nCopies(card.tiles(), card).stream())
        .toList();
  }

  private static void requireUnique(String what, List<String> ids) {
    Set<String> seen = new HashSet<>();
    for (String id : ids) {
      if (!seen.add(id)) {
        throw InvalidInputException.of(
            what, '"' + id + '"', "must be unique", "rename one of them");
      }
    }
  }

  /** Follows which task consumes which one's output. */
  static final class Chains {
    private Chains() {}

    /** Returns, per task, how many tasks its longest chain has. O(n^2) at worst, O(n) usually. */
    static int[] of(List<PeriodicTask> tasks) {
      Map<String, Integer> index = new HashMap<>();
      for (int i = 0; i < tasks.size(); i++) {
        index.put(tasks.get(i).id(), i);
      }
      int n = tasks.size();
      int[] producer = new int[n];
      for (int i = 0; i < n; i++) {
        producer[i] = producer(tasks, index, i);
      }
      int[] depth = new int[n];
      int[] longest = new int[n];
      for (int i = 0; i < n; i++) {
        int steps = 1;
        for (int at = producer[i]; at >= 0; at = producer[at]) {
          if (++steps > n) {
            throw InvalidInputException.of(
                "task \"" + tasks.get(i).id() + "\" after",
                tasks.get(i).after(),
                "leads back to the task",
                "break the cycle");
          }
        }
        depth[i] = steps;
      }
      for (int i = 0; i < n; i++) {
        for (int at = i; at >= 0; at = producer[at]) {
          longest[at] = Math.max(longest[at], depth[i]);
        }
      }
      // A side branch lasts no longer than the chain it leaves, so the root's length counts.
      for (int i = 0; i < n; i++) {
        int root = i;
        while (producer[root] >= 0) {
          root = producer[root];
        }
        longest[i] = longest[root];
      }
      return longest;
    }

    private static int producer(List<PeriodicTask> tasks, Map<String, Integer> index, int i) {
      String after = tasks.get(i).after();
      if (after == null) {
        return -1;
      }
      Integer found = index.get(after);
      if (found == null) {
        throw InvalidInputException.of(
            "task \"" + tasks.get(i).id() + "\" after",
            '"' + after + '"',
            "must name a task of the problem",
            "correct the name");
      }
      if (tasks.get(found).periodMicros() != tasks.get(i).periodMicros()) {
        throw InvalidInputException.of(
            "task \"" + tasks.get(i).id() + "\" period (us)",
            tasks.get(i).periodMicros(),
            "must equal that of \"" + after + "\", " + tasks.get(found).periodMicros(),
            "give the tasks of a chain one period");
      }
      return found;
    }
  }
}
