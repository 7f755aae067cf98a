package dev.muster.hal.cpu;

import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import org.jspecify.annotations.Nullable;

/** Stands in for a worker of the engine. */
record TestWorker(long id, int slot, WorkerType type) implements Worker {
  @Override
  public WorkerPool pool() {
    throw new UnsupportedOperationException();
  }

  @Override
  public State state() {
    return State.IDLE;
  }

  @Override
  public long createdNanos() {
    return 0;
  }

  @Override
  public long readyNanos() {
    return 0;
  }

  @Override
  public int allocationRank() {
    return 0;
  }

  @Override
  public long availableAtNanos() {
    return 0;
  }

  @Override
  public int load() {
    return 0;
  }

  @Override
  public @Nullable String image() {
    return null;
  }
}
