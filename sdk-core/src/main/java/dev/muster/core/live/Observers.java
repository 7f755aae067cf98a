package dev.muster.core.live;

import dev.muster.api.EnergyReading;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes what an engine reports to several observers, in order. */
final class Observers implements EngineObserver {
  private final EngineObserver[] all;

  private Observers(EngineObserver[] all) {
    this.all = all;
  }

  static EngineObserver of(List<EngineObserver> observers) {
    return observers.size() == 1
        ? observers.get(0)
        : new Observers(observers.toArray(EngineObserver[]::new));
  }

  @Override
  public void onSubmitted(Task task, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onSubmitted(task, nowNanos);
    }
  }

  @Override
  public void onForeseen(Task task, Outlook outlook, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onForeseen(task, outlook, nowNanos);
    }
  }

  @Override
  public void onAssigned(Task task, Worker worker, Variant variant, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onAssigned(task, worker, variant, nowNanos);
    }
  }

  @Override
  public void onStarted(Task task, Worker worker, Variant variant, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onStarted(task, worker, variant, nowNanos);
    }
  }

  @Override
  public void onReclaimed(Task task, Worker worker, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onReclaimed(task, worker, nowNanos);
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
    for (EngineObserver observer : all) {
      observer.onCompleted(task, worker, variant, startNanos, finishNanos, result, energy);
    }
  }

  @Override
  public void onRejected(Task task, RejectReason reason, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onRejected(task, reason, nowNanos);
    }
  }

  @Override
  public void onFailed(Task task, Throwable cause, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onFailed(task, cause, nowNanos);
    }
  }

  @Override
  public void onCancelled(Task task, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onCancelled(task, nowNanos);
    }
  }

  @Override
  public void onProvisioned(Worker worker, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onProvisioned(worker, nowNanos);
    }
  }

  @Override
  public void onReady(Worker worker, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onReady(worker, nowNanos);
    }
  }

  @Override
  public void onLoading(Worker worker, Variant variant, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onLoading(worker, variant, nowNanos);
    }
  }

  @Override
  public void onGone(Worker worker, long busyNanos, long nowNanos) {
    for (EngineObserver observer : all) {
      observer.onGone(worker, busyNanos, nowNanos);
    }
  }
}
