package dev.muster.core.dpfair;

import dev.muster.core.dpfair.TaskSets.TaskSet;
import java.util.Arrays;
import java.util.List;

/**
 * Emulates how the published numbers of accepted task sets came about. For comparison only: it is
 * not a scheduler, and what it counts as accepted is in part infeasible.
 *
 * <p>The rule walks the cards like Algorithm 2 but closes a card on the reconfiguration time alone,
 * and starts again with the first task when the list ends on an open card. The sets for which this
 * never comes to a decision are counted as accepted. With the fill charged to continuations it
 * gives the 156 and 464 of Example 1, without it the 496 that the paper also prints.
 *
 * @param fit task sets that pass the filter with one reconfiguration more
 * @param rejected task sets whose last card ends with a part of a task
 * @param undecided task sets that are neither placed nor rejected
 * @param selectedRank rank of the first task set that is really placed, from 1; 0 if none
 * @param selectedVariants its variants, positions from 0; empty if none
 */
public record PublishedCounts(
    int fit, int rejected, int undecided, int selectedRank, List<Integer> selectedVariants) {
  /** Names the two printed numbers of accepted task sets in Example 1. */
  public enum Printed {
    /** A continuation pays the fill again. */
    COUNT_464,
    /** A continuation pays no fill. */
    COUNT_496
  }

  /** Creates the counts. */
  public PublishedCounts {
    selectedVariants = List.copyOf(selectedVariants);
  }

  /** Returns what the paper's text calls accepted: all that were not rejected. */
  public int accepted() {
    return fit - rejected;
  }

  /** Counts the task sets of a problem with identical one-tile cards. */
  public static PublishedCounts of(PlacementProblem problem, Printed printed) {
    long reconfigure = problem.cards().get(0).reconfigureMicros();
    long limit =
        PaperFilter.PUBLISHED_COUNTS.limitMicros(
            problem.tiles(), problem.sliceMicros(), problem.tasks().size(), reconfigure);
    List<TaskSet> fitting = TaskSets.fitting(problem, limit);
    int rejected = 0;
    int undecided = 0;
    int rank = 0;
    List<Integer> selected = List.of();
    for (int i = 0; i < fitting.size(); i++) {
      TaskSet set = fitting.get(i);
      switch (verdict(problem, set.sharesMicros(), printed)) {
        case REJECTED -> rejected++;
        case UNDECIDED -> undecided++;
        default -> {
          if (rank == 0) {
            rank = i + 1;
            selected = Arrays.stream(set.variants()).boxed().toList();
          }
        }
      }
    }
    return new PublishedCounts(fitting.size(), rejected, undecided, rank, selected);
  }

  private enum Verdict {
    PLACED,
    REJECTED,
    UNDECIDED
  }

  private static Verdict verdict(PlacementProblem problem, long[] shares, Printed printed) {
    long reconfigure = problem.cards().get(0).reconfigureMicros();
    int first = 0;
    long done = 0;
    for (int card = 0; card < problem.tiles(); card++) {
      long room = problem.sliceMicros();
      long carried = done;
      int nextFirst = 0; // the list ended on an open card: it starts again
      long nextDone = 0;
      for (int task = first; task < shares.length; task++) {
        long fill = problem.tasks().get(task).fillMicros();
        long paidAgain = carried > 0 && printed == Printed.COUNT_464 ? fill : 0;
        long rest = room - shares[task] - reconfigure + carried - paidAgain;
        if (rest > reconfigure) {
          room = rest;
          carried = 0;
          continue;
        }
        nextFirst = rest >= 0 ? task + 1 : task;
        if (rest < 0 && room > reconfigure + fill) {
          nextDone = room - reconfigure + carried - paidAgain;
        }
        break;
      }
      first = nextFirst;
      done = nextDone;
      if (first == shares.length && done == 0) {
        return Verdict.PLACED;
      }
    }
    return first < shares.length && done != 0 ? Verdict.REJECTED : Verdict.UNDECIDED;
  }
}
