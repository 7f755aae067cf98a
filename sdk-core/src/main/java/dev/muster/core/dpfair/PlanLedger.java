package dev.muster.core.dpfair;

import dev.muster.api.EnergyReading;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what became of a plan: which pieces were done, and which batches met their deadline.
 *
 * <p>A batch of a period is processed in the complete slices of the period. It met its deadline if
 * the pieces that were done there before their slices ended make up the whole batch. Pieces that
 * came late, were shed or failed, and pieces that no plan had any more, count as not done.
 */
public final class PlanLedger implements EngineObserver {
  private final PlacementProblem problem;
  private final int slices;
  private final Map<String, Integer> index = new HashMap<>();
  private final double[][] done;
  private final long[] completed;
  private final long[] late;
  private final long[] shed;
  private final long[] failed;
  private final long[] retried;
  private final long[] undoneMicros;
  private long maxStartDelayNanos;
  private long maxEndDelayNanos;

  private PlanLedger(PlacementProblem problem, int slices) {
    this.problem = problem;
    this.slices = slices;
    int n = problem.tasks().size();
    for (int k = 0; k < n; k++) {
      index.put(problem.tasks().get(k).id(), k);
    }
    done = new double[n][slices];
    completed = new long[n];
    late = new long[n];
    shed = new long[n];
    failed = new long[n];
    retried = new long[n];
    undoneMicros = new long[n];
  }

  /**
   * Creates a ledger.
   *
   * @param slices number of slices that will be run, at most a million
   */
  public static PlanLedger of(PlacementProblem problem, int slices) {
    Limits.require("slices to run", slices, 1, 1_000_000);
    return new PlanLedger(problem, slices);
  }

  /**
   * Sums up one periodic task.
   *
   * @param id the task
   * @param completed pieces done in their slice
   * @param late pieces done after their slice
   * @param shed pieces given up
   * @param failed pieces that failed for good
   * @param retried attempts that failed and were repeated
   * @param undoneMicros productive time planned in pieces that were not done in their slice
   * @param batches periods that lie within the slices run
   * @param missed batches that were not complete at their deadline
   */
  public record Line(
      String id,
      long completed,
      long late,
      long shed,
      long failed,
      long retried,
      long undoneMicros,
      long batches,
      long missed) {}

  /** Returns the sums per task, in the order of the problem. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (int k = 0; k < completed.length; k++) {
      lines.add(
          new Line(
              problem.tasks().get(k).id(),
              completed[k],
              late[k],
              shed[k],
              failed[k],
              retried[k],
              undoneMicros[k],
              batches(k),
              missed(k)));
    }
    return lines;
  }

  /** Returns the batches of all tasks that were not complete at their deadline. */
  public long missed() {
    return lines().stream().mapToLong(Line::missed).sum();
  }

  /**
   * Returns the longest time by which a run started after the plan's time, measured; at least 0.
   */
  public long maxStartDelayNanos() {
    return maxStartDelayNanos;
  }

  /** Returns the longest time by which a run ended after the plan's time, measured; at least 0. */
  public long maxEndDelayNanos() {
    return maxEndDelayNanos;
  }

  private long batches(int k) {
    return slices * problem.sliceMicros() / problem.tasks().get(k).periodMicros();
  }

  private long missed(int k) {
    long period = problem.tasks().get(k).periodMicros();
    long missed = 0;
    for (long job = 0; job < batches(k); job++) {
      long from = Limits.ceilDiv(job * period, problem.sliceMicros());
      long to = (job + 1) * period / problem.sliceMicros();
      double sum = 0;
      for (long slice = from; slice < to; slice++) {
        sum += done[k][(int) slice];
      }
      missed += sum < 1 - 1e-9 ? 1 : 0;
    }
    return missed;
  }

  @Override
  public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
    if (task.payload() instanceof PlanPiece piece) {
      maxStartDelayNanos = Math.max(maxStartDelayNanos, nowNanos - piece.executeNanos());
    }
  }

  @Override
  public void onCompleted(
      Task task,
      Worker worker,
      Variant variant,
      long startNanos,
      long finishNanos,
      @Nullable Object result,
      @Nullable EnergyReading energy) {
    if (task.payload() instanceof PlanPiece piece) {
      maxEndDelayNanos = Math.max(maxEndDelayNanos, finishNanos - piece.endNanos());
      int k = taskOf(piece);
      if (finishNanos > piece.sliceEndNanos()) {
        late[k]++;
        undoneMicros[k] += piece.segment().runMicros();
      } else {
        completed[k]++;
        done[k][(int) piece.slice()] += part(piece);
      }
    }
  }

  /** Returns which part of a batch a piece is. */
  private static double part(PlanPiece piece) {
    Segment s = piece.segment();
    Card card = piece.plan().problem().cardOfTile().get(s.tile());
    return (double) s.runMicros()
        * card.speedNumerator()
        / card.speedDenominator()
        / piece.plan().hardwareVariant(s.task()).execMicros();
  }

  @Override
  public void onReclaimed(Task task, Worker worker, long nowNanos) {
    if (task.payload() instanceof PlanPiece piece) {
      retried[taskOf(piece)]++;
    }
  }

  @Override
  public void onRejected(Task task, RejectReason reason, long nowNanos) {
    if (task.payload() instanceof PlanPiece piece) {
      shed[taskOf(piece)]++;
      undoneMicros[taskOf(piece)] += piece.segment().runMicros();
    }
  }

  @Override
  public void onFailed(Task task, Throwable cause, long nowNanos) {
    if (task.payload() instanceof PlanPiece piece) {
      failed[taskOf(piece)]++;
      undoneMicros[taskOf(piece)] += piece.segment().runMicros();
    }
  }

  private int taskOf(PlanPiece piece) {
    Integer k = index.get(piece.taskId());
    if (k == null) {
      throw new IllegalStateException("the ledger knows no task " + piece.taskId());
    }
    return k;
  }
}
