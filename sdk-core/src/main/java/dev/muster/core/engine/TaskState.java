package dev.muster.core.engine;

import dev.muster.api.Application;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import org.jspecify.annotations.Nullable;

/** Holds one task from submission to its terminal outcome; recycled afterwards. */
final class TaskState implements Task {
  /** Names where a task is. */
  enum Phase {
    /** Not in use. */
    FREE,
    /** Owned by the engine, assigned to no worker. */
    HELD,
    /** In the FIFO of a worker. */
    QUEUED,
    /** Its image is being loaded or it runs. */
    STARTED
  }

  long id;
  @Nullable ApplicationEntry application;
  long arrivalNanos;
  long deadlineNanos;
  long sizeNanos;
  int weight;
  @Nullable Object payload;
  int attempts;

  Phase phase = Phase.FREE;
  boolean cancelRequested;
  @Nullable WorkerState worker;
  @Nullable Variant variant;
  int powerClass;
  long expectedNanos;
  long startNanos;

  /** Links the FIFO of a worker, or the list of free states. */
  @Nullable TaskState next;

  /** Links the tasks that the policy holds, in the order they came to be held. */
  @Nullable TaskState previousHeld;

  @Nullable TaskState nextHeld;
  boolean listed;

  ApplicationEntry entry() {
    ApplicationEntry entry = application;
    if (entry == null || phase == Phase.FREE) {
      throw new IllegalStateException("task object used after its outcome was terminal");
    }
    return entry;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public Application application() {
    return entry().application;
  }

  @Override
  public long arrivalNanos() {
    return arrivalNanos;
  }

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public long sizeNanos() {
    return sizeNanos;
  }

  @Override
  public int weight() {
    return weight;
  }

  @Override
  public @Nullable Object payload() {
    return payload;
  }

  @Override
  public int attempts() {
    return attempts;
  }

  @Override
  public String toString() {
    return "task " + id;
  }
}
