package dev.muster.core.live;

import dev.muster.api.EnergyReading;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what an engine decides, one line each, so that two runs can be compared line by line.
 *
 * <p>A line starts with {@code =} and a letter, then fields separated by tabs: {@code P} worker,
 * pool (provisioned); {@code A} task, worker, variant (assigned); {@code L} worker, variant
 * (loading); {@code S} task, worker, variant (started); {@code B} task (taken back); {@code G}
 * worker (gone); {@code C}, {@code F}, {@code X} task (completed, failed, cancelled); {@code R}
 * task, reason (rejected). Tasks and workers are named by id.
 */
public final class DecisionLines implements EngineObserver {
  private final StringBuilder line = new StringBuilder(64);
  private final Consumer<CharSequence> sink;

  /**
   * Creates the writer.
   *
   * @param sink takes each line, without its end; the sequence is reused
   */
  public DecisionLines(Consumer<CharSequence> sink) {
    this.sink = sink;
  }

  private StringBuilder begin(char letter, long id) {
    line.setLength(0);
    return line.append('=').append(letter).append('\t').append(id);
  }

  @Override
  public void onProvisioned(Worker worker, long nowNanos) {
    sink.accept(begin('P', worker.id()).append('\t').append(worker.pool().index()));
  }

  @Override
  public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
    StringBuilder fields = begin('A', task.id()).append('\t').append(worker.id()).append('\t');
    sink.accept(EventLines.appendName(fields, variant.id()));
  }

  @Override
  public void onLoading(Worker worker, Variant variant, long nowNanos) {
    sink.accept(EventLines.appendName(begin('L', worker.id()).append('\t'), variant.id()));
  }

  @Override
  public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
    StringBuilder fields = begin('S', task.id()).append('\t').append(worker.id()).append('\t');
    sink.accept(EventLines.appendName(fields, variant.id()));
  }

  @Override
  public void onReclaimed(Task task, Worker worker, long nowNanos) {
    sink.accept(begin('B', task.id()));
  }

  @Override
  public void onGone(Worker worker, long busyNanos, long nowNanos) {
    sink.accept(begin('G', worker.id()));
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
    sink.accept(begin('C', task.id()));
  }

  @Override
  public void onFailed(Task task, Throwable cause, long nowNanos) {
    sink.accept(begin('F', task.id()));
  }

  @Override
  public void onCancelled(Task task, long nowNanos) {
    sink.accept(begin('X', task.id()));
  }

  @Override
  public void onRejected(Task task, RejectReason reason, long nowNanos) {
    sink.accept(begin('R', task.id()).append('\t').append(reason.name()));
  }
}
