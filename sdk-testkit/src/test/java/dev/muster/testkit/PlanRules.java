package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.Segment;
import dev.muster.core.dpfair.SelfParallel;
import java.util.ArrayList;
import java.util.List;

/** Checks a plan against the rules of its problem, from the segments alone. */
final class PlanRules {
  private PlanRules() {}

  /** Checks all rules, in the forward slice and, if the plan is mirrored, in the backward one. */
  static void check(PlacementPlan plan) {
    for (int slice = 0; slice < (plan.problem().mirrored() ? 2 : 1); slice++) {
      List<List<Segment>> tiles = slice(plan, slice);
      checkTiles(plan, tiles);
      checkDelivery(plan, tiles);
      if (plan.problem().selfParallel() == SelfParallel.FORBID) {
        checkNoOverlap(plan, tiles);
      }
    }
    if (plan.problem().mirrored()) {
      checkLoadedImages(plan);
    }
    int splits = plan.segments().size() - plan.problem().tasks().size();
    assertThat(splits).as("splits").isLessThanOrEqualTo(plan.tiles() - 1);
  }

  /** Returns what the tiles do in a slice. */
  static List<List<Segment>> slice(PlacementPlan plan, long slice) {
    List<List<Segment>> tiles = new ArrayList<>();
    for (int tile = 0; tile < plan.tiles(); tile++) {
      tiles.add(plan.segmentsInSlice(tile, slice));
    }
    return tiles;
  }

  private static void checkTiles(PlacementPlan plan, List<List<Segment>> tiles) {
    List<Card> cards = plan.problem().cardOfTile();
    for (int tile = 0; tile < tiles.size(); tile++) {
      Card card = cards.get(tile);
      long free = 0;
      long busy = 0;
      for (Segment s : tiles.get(tile)) {
        PeriodicTask task = plan.problem().tasks().get(s.task());
        boolean loaded = plan.problem().mirrored() && free == 0;
        assertThat(s.tile()).isEqualTo(tile);
        assertThat(s.startMicros()).as("start of %s", s).isGreaterThanOrEqualTo(free);
        assertThat(s.reconfigureMicros()).isEqualTo(loaded ? 0 : card.reconfigureMicros());
        assertThat(s.fillMicros()).isEqualTo(scaled(card, task.fillMicros()));
        assertThat(s.runMicros()).as("run of %s", s).isPositive();
        free = s.endMicros();
        busy += s.endMicros() - s.startMicros();
      }
      assertThat(free).isLessThanOrEqualTo(plan.problem().sliceMicros());
      assertThat(busy + plan.idleMicros(tile)).isEqualTo(plan.problem().sliceMicros());
    }
  }

  private static void checkDelivery(PlacementPlan plan, List<List<Segment>> tiles) {
    List<Card> cards = plan.problem().cardOfTile();
    boolean oneSpeed = cards.stream().allMatch(c -> c.speedNumerator() == c.speedDenominator());
    for (int k = 0; k < plan.problem().tasks().size(); k++) {
      long done = 0;
      long atMost = 0;
      for (List<Segment> tile : tiles) {
        for (Segment s : tile) {
          if (s.task() == k) {
            Card card = cards.get(s.tile());
            done += s.runMicros() * card.speedNumerator() / card.speedDenominator();
            atMost++;
          }
        }
      }
      long needed = neededMicros(plan.problem(), k, plan.variant(k));
      assertThat(done).isGreaterThanOrEqualTo(needed);
      if (oneSpeed) {
        assertThat(done).isEqualTo(needed);
      }
      if (plan.problem().selfParallel() == SelfParallel.FORBID) {
        assertThat(atMost).as("tiles of task %d", k).isLessThanOrEqualTo(2);
      }
    }
  }

  /** Returns the run time per slice, worked out window by window. */
  static long neededMicros(PlacementProblem problem, int k, int variant) {
    PeriodicTask task = problem.tasks().get(k);
    long slice = problem.sliceMicros();
    long exec = task.variants().get(variant).execMicros();
    long share = (exec * slice + task.periodMicros() - 1) / task.periodMicros();
    if (problem.accounting() != Accounting.STRICT) {
      return problem.accounting() == Accounting.ADDED ? share : share - task.fillMicros();
    }
    long least = Long.MAX_VALUE;
    for (long w = 0; w < windows(task.periodMicros(), slice); w++) {
      long from = (w * task.periodMicros() + slice - 1) / slice;
      long to = (w + 1) * task.periodMicros() / slice;
      least = Math.min(least, to - from);
    }
    return least <= 0 ? -1 : (exec + least - 1) / least;
  }

  /** Returns after how many periods windows repeat their place among the slices. */
  static long windows(long period, long slice) {
    long a = period;
    long b = slice;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return slice / a;
  }

  private static void checkNoOverlap(PlacementPlan plan, List<List<Segment>> tiles) {
    for (int k = 0; k < plan.problem().tasks().size(); k++) {
      int task = k;
      List<Segment> parts =
          tiles.stream().flatMap(List::stream).filter(s -> s.task() == task).toList();
      for (Segment a : parts) {
        for (Segment b : parts) {
          if (a.tile() < b.tile()) {
            assertThat(a.executeMicros() >= b.endMicros() || b.executeMicros() >= a.endMicros())
                .as("%s and %s execute apart", a, b)
                .isTrue();
          }
        }
      }
    }
  }

  private static void checkLoadedImages(PlacementPlan plan) {
    for (int tile = 0; tile < plan.tiles(); tile++) {
      List<Segment> forward = plan.segmentsInSlice(tile, 0);
      List<Segment> backward = plan.segmentsInSlice(tile, 1);
      if (!forward.isEmpty()) {
        assertThat(backward.getFirst().task()).isEqualTo(forward.getLast().task());
        assertThat(backward.getLast().task()).isEqualTo(forward.getFirst().task());
      }
    }
  }

  private static long scaled(Card card, long micros) {
    return (micros * card.speedDenominator() + card.speedNumerator() - 1) / card.speedNumerator();
  }
}
