package dev.muster.core.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fixes what every tile does in a slice, for every slice to come.
 *
 * <p>A mirrored plan has two timelines: slices 0, 2, 4, ... run as {@link #segments(int)} says,
 * slices 1, 3, 5, ... backwards ({@link #reversed(int)}).
 */
public final class PlacementPlan {
  private final PlacementProblem problem;
  private final int[] variants;
  private final List<List<Segment>> tiles;

  private PlacementPlan(PlacementProblem problem, int[] variants, List<List<Segment>> tiles) {
    this.problem = problem;
    this.variants = variants;
    this.tiles = tiles;
  }

  /**
   * Creates a plan from its segments.
   *
   * @param variants position of the chosen variant of each task, from 0
   * @param segments of the forward slice, in order of time on each tile
   * @throws InvalidInputException if a position does not exist, or segments on a tile overlap or
   *     leave the slice
   */
  public static PlacementPlan of(PlacementProblem problem, int[] variants, List<Segment> segments) {
    requireVariants(problem, variants);
    List<List<Segment>> tiles = new ArrayList<>();
    for (int i = 0; i < problem.tiles(); i++) {
      tiles.add(new ArrayList<>());
    }
    for (Segment segment : segments) {
      requireSegment(problem, tiles, segment);
      tiles.get(segment.tile()).add(segment);
    }
    return new PlacementPlan(problem, variants.clone(), tiles.stream().map(List::copyOf).toList());
  }

  private static void requireVariants(PlacementProblem problem, int[] variants) {
    if (variants.length != problem.tasks().size()) {
      throw InvalidInputException.of(
          "plan variants",
          variants.length,
          "must be one for each of " + problem.tasks().size() + " tasks",
          "use the problem the plan was made for");
    }
    for (int i = 0; i < variants.length; i++) {
      PeriodicTask task = problem.tasks().get(i);
      Limits.require(
          "plan variant of task \"" + task.id() + '"', variants[i], 0, task.variants().size() - 1);
    }
  }

  private static void requireSegment(
      PlacementProblem problem, List<List<Segment>> tiles, Segment segment) {
    Limits.require("segment tile", segment.tile(), 0, tiles.size() - 1);
    Limits.require("segment task", segment.task(), 0, problem.tasks().size() - 1);
    long slice = problem.sliceMicros();
    Limits.require("segment reconfiguration (us)", segment.reconfigureMicros(), 0, slice);
    Limits.require("segment fill (us)", segment.fillMicros(), 0, slice);
    Limits.require("segment run (us)", segment.runMicros(), 0, slice);
    List<Segment> before = tiles.get(segment.tile());
    long free = before.isEmpty() ? 0 : before.get(before.size() - 1).endMicros();
    Limits.require("segment start (us)", segment.startMicros(), free, slice);
    Limits.require("segment end (us)", segment.endMicros(), free, slice);
  }

  /** Returns the problem that the plan solves. */
  public PlacementProblem problem() {
    return problem;
  }

  /** Returns the position of the chosen variant of a task, from 0. */
  public int variant(int task) {
    return variants[task];
  }

  /** Returns the positions of the chosen variants, from 0. */
  public int[] variants() {
    return variants.clone();
  }

  /** Returns the chosen variant of a task. */
  public HardwareVariant hardwareVariant(int task) {
    return problem.tasks().get(task).variants().get(variants[task]);
  }

  /** Returns the number of tiles, the unused ones included. */
  public int tiles() {
    return tiles.size();
  }

  /** Returns what a tile does in a forward slice, in order of time. */
  public List<Segment> segments(int tile) {
    return tiles.get(tile);
  }

  /** Returns all segments of a forward slice, tile by tile. */
  public List<Segment> segments() {
    return tiles.stream().flatMap(List::stream).toList();
  }

  /** Returns what a tile does in a given slice, counted from 0. */
  public List<Segment> segmentsInSlice(int tile, long slice) {
    return problem.mirrored() && slice % 2 != 0 ? reversed(tile) : tiles.get(tile);
  }

  /**
   * Returns what a tile of a mirrored plan does in a backward slice: the same segments in reverse
   * order. The first finds its image loaded by the slice before; every other one loads its own.
   */
  public List<Segment> reversed(int tile) {
    List<Segment> forward = tiles.get(tile);
    List<Segment> result = new ArrayList<>();
    long reconfigure = problem.cardOfTile().get(tile).reconfigureMicros();
    for (int i = forward.size() - 1; i >= 0; i--) {
      Segment s = forward.get(i);
      boolean first = result.isEmpty();
      long start = problem.sliceMicros() - s.endMicros() - (first ? 0 : reconfigure);
      result.add(
          new Segment(
              tile, s.task(), start, first ? 0 : reconfigure, s.fillMicros(), s.runMicros()));
    }
    return result;
  }

  /** Returns the summed power of the chosen variants, in microwatts. */
  public long powerMicrowatts() {
    long sum = 0;
    for (int i = 0; i < variants.length; i++) {
      sum += hardwareVariant(i).powerMicrowatts();
    }
    return sum;
  }

  /** Returns the modelled energy of a slice: fill and run, reconfiguration, idling; in pJ. */
  public long energyPicojoules() {
    List<Card> cards = problem.cardOfTile();
    long sum = 0;
    for (int tile = 0; tile < tiles.size(); tile++) {
      Card card = cards.get(tile);
      long rest = problem.sliceMicros();
      for (Segment s : tiles.get(tile)) {
        sum += (s.fillMicros() + s.runMicros()) * hardwareVariant(s.task()).powerMicrowatts();
        sum += s.reconfigureMicros() * card.reconfigureMicrowatts();
        rest -= s.endMicros() - s.startMicros();
      }
      sum += rest * card.idleMicrowatts();
    }
    return sum;
  }

  /** Returns the time of a slice in which a tile does nothing (NULL in the paper's figures). */
  public long idleMicros(int tile) {
    long rest = problem.sliceMicros();
    for (Segment s : tiles.get(tile)) {
      rest -= s.endMicros() - s.startMicros();
    }
    return rest;
  }

  /** Returns how often a slice loads an image. */
  public int reconfigurations() {
    return (int) segments().stream().filter(s -> s.reconfigureMicros() > 0).count();
  }

  /** Returns the positions of the tasks that run on more than one tile, ascending. */
  public List<Integer> splitTasks() {
    int[] parts = new int[variants.length];
    segments().forEach(s -> parts[s.task()]++);
    List<Integer> result = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] > 1) {
        result.add(i);
      }
    }
    return result;
  }

  /** Returns the segments of a task, in the order of tiles. */
  public List<Segment> segmentsOf(int task) {
    return segments().stream().filter(s -> s.task() == task).toList();
  }

  /** Returns the time that tasks execute beside themselves, summed over pairs of segments. */
  public long selfOverlapMicros() {
    long sum = 0;
    for (int task : splitTasks()) {
      List<Segment> parts = segmentsOf(task);
      for (int i = 0; i < parts.size(); i++) {
        for (int j = i + 1; j < parts.size(); j++) {
          long from = Math.max(parts.get(i).executeMicros(), parts.get(j).executeMicros());
          long to = Math.min(parts.get(i).endMicros(), parts.get(j).endMicros());
          sum += Math.max(0, to - from);
        }
      }
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof PlacementPlan plan
            && problem.equals(plan.problem)
            && Arrays.equals(variants, plan.variants)
            && tiles.equals(plan.tiles));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(variants) + tiles.hashCode();
  }

  @Override
  public String toString() {
    return "PlacementPlan[variants " + Arrays.toString(variants) + ", " + tiles + "]";
  }
}
