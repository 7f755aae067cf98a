package dev.muster.hal.cpu;

import dev.muster.api.Application;
import dev.muster.api.Task;
import org.jspecify.annotations.Nullable;

/** Stands in for a task of the engine. */
record TestTask(Application application, @Nullable Object payload) implements Task {
  @Override
  public long id() {
    return 0;
  }

  @Override
  public long arrivalNanos() {
    return 0;
  }

  @Override
  public long deadlineNanos() {
    return NO_DEADLINE;
  }

  @Override
  public long sizeNanos() {
    return 0;
  }

  @Override
  public int weight() {
    return 1;
  }

  @Override
  public int attempts() {
    return 1;
  }
}
