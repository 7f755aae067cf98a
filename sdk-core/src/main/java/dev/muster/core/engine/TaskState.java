package dev.muster.core.engine;

import dev.muster.api.Application;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import org.jspecify.annotations.Nullable;

/** Holds one task from submission to its terminal outcome; recycled afterwards. */
final class TaskState implements Task {
  /** Says that the object is not in use. */
  static final byte FREE = 0;

  /** Says that the engine owns the task and no worker holds it. */
  static final byte HELD = 1;

  /** Says that the task is in the FIFO of a worker. */
  static final byte QUEUED = 2;

  /** Says that the task's image is being loaded or the task runs. */
  static final byte STARTED = 3;

  long id;
  @Nullable ApplicationEntry application;
  long arrivalNanos;
  long deadlineNanos;
  long sizeNanos;

  /** Says that the size is a prediction. */
  boolean predicted;

  int weight;
  @Nullable Object payload;

  /** Belongs to the driver; policies and HALs do not see it. */
  @Nullable Object attachment;

  int attempts;

  /** Holds where the task is; a byte, since storing a reference costs a barrier. */
  byte phase = FREE;

  boolean cancelRequested;

  /** Identifies the run that the HAL was given for the task; 0 when there is none. */
  long runId;

  /** Says that the HAL gave that run back, before it began. */
  boolean withdrawn;

  /** Says that the policy asked for the task back. */
  boolean recallRequested;

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
    if (entry == null || phase == FREE) {
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

  /** Returns the phase in words, for messages. */
  String phaseName() {
    return switch (phase) {
      case HELD -> "held";
      case QUEUED -> "queued";
      case STARTED -> "started";
      default -> "done";
    };
  }

  @Override
  public String toString() {
    return "task " + id;
  }
}
