package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says which plan is in force in each slice, and makes a new one when a worker is lost.
 *
 * <p>A new plan starts with the slice after next: the next one may have been handed out already. It
 * keeps the rules of the first problem. While there is no plan for all tasks, the one of least
 * weight is left out (ties: the last), with all that consume its output.
 */
final class Timetable {
  private final PlacementProblem problem;
  private final @Nullable Placer placer;
  private final int lanes;
  private final long originNanos;
  private final long sliceNanos;
  private final TreeMap<Long, Version> versions = new TreeMap<>();
  private final List<String> leftOut = new ArrayList<>();
  private int replans;

  Timetable(PlacementPlan plan, @Nullable Placer placer) {
    problem = plan.problem();
    this.placer = placer;
    lanes = plan.tiles();
    sliceNanos = problem.sliceMicros() * PlanPiece.MICRO;
    long longest = 0;
    List<Integer> identity = new ArrayList<>();
    for (Card card : problem.cardOfTile()) {
      longest = Math.max(longest, card.reconfigureMicros());
      identity.add(identity.size());
    }
    // The first images of a mirrored plan are loaded before its first slice.
    originNanos = problem.mirrored() ? longest * PlanPiece.MICRO : 0;
    versions.put(0L, new Version(plan, identity));
  }

  /**
   * Puts a plan into force.
   *
   * @param plan the plan
   * @param laneOfTile which lane each tile of the plan is
   */
  record Version(PlacementPlan plan, List<Integer> laneOfTile) {
    int lane(int tile) {
      return laneOfTile.get(tile);
    }
  }

  Version version(long slice) {
    return versions.floorEntry(slice).getValue();
  }

  int lanes() {
    return lanes;
  }

  long startNanos(long slice) {
    return originNanos + slice * sliceNanos;
  }

  /** Returns the slice at a time; before slice 0 starts, slice 0. */
  long sliceAt(long nanos) {
    return Math.max(0, (nanos - originNanos) / sliceNanos);
  }

  List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  int replans() {
    return replans;
  }

  List<PlanPiece> pieces(long slice) {
    Version version = version(slice);
    List<PlanPiece> pieces = new ArrayList<>();
    Set<Integer> divided = new HashSet<>(version.plan.splitTasks());
    for (int tile = 0; tile < version.plan.tiles(); tile++) {
      for (Segment segment : version.plan.segmentsInSlice(tile, slice)) {
        pieces.add(
            new PlanPiece(
                version.plan,
                version.lane(tile),
                slice,
                segment,
                divided.contains(segment.task()),
                startNanos(slice)));
      }
    }
    return pieces;
  }

  /** Places the tasks of the last plan anew on the lanes that are left. */
  void replan(List<Lane> left, long nowNanos) {
    Placer by = placer;
    if (by == null) {
      return;
    }
    replans++;
    List<Card> cards = new ArrayList<>();
    List<Integer> laneOfTile = new ArrayList<>();
    for (Lane lane : left) {
      cards.add(oneTile(problem.cardOfTile().get(lane.number), lane.number));
      laneOfTile.add(lane.number);
    }
    List<PeriodicTask> tasks =
        new ArrayList<>(versions.lastEntry().getValue().plan.problem().tasks());
    while (!cards.isEmpty() && !tasks.isEmpty()) {
      PlacementPlan plan = by.place(problem.withCards(cards).withTasks(tasks)).planOrNull();
      if (plan != null) {
        versions.put(sliceAt(nowNanos) + 2, new Version(plan, laneOfTile));
        return;
      }
      leaveOut(tasks);
    }
  }

  private static Card oneTile(Card card, int lane) {
    return new Card(
        "lane-" + lane,
        1,
        card.reconfigureMicros(),
        card.speedNumerator(),
        card.speedDenominator(),
        card.idleMicrowatts(),
        card.reconfigureMicrowatts());
  }

  private void leaveOut(List<PeriodicTask> tasks) {
    PeriodicTask least = tasks.get(0);
    for (PeriodicTask task : tasks) {
      least = task.weight() <= least.weight() ? task : least;
    }
    List<String> gone = new ArrayList<>();
    gone.add(least.id());
    for (int i = 0; i < gone.size(); i++) {
      String id = gone.get(i);
      tasks.stream().filter(t -> id.equals(t.after())).forEach(t -> gone.add(t.id()));
    }
    tasks.removeIf(t -> gone.contains(t.id()));
    leftOut.addAll(gone);
  }
}
