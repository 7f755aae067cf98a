package dev.muster.core.live;

import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Worker;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Numbers the kinds of HAL events, as they travel in an {@link Inbox}. */
final class HalEvent {
  static final byte READY = 1;
  static final byte LOADED = 2;
  static final byte LOAD_FAILED = 3;
  static final byte COMPLETED = 4;
  static final byte FAILED = 5;
  static final byte LOST = 6;
  static final byte RELEASED = 7;

  private HalEvent() {}

  /** Turns an entry back into the call it came from. */
  static void deliver(
      byte kind,
      Worker worker,
      long runId,
      @Nullable Object first,
      @Nullable Object second,
      Hal.Events to) {
    switch (kind) {
      case READY -> to.ready(worker);
      case LOADED -> to.loaded(worker);
      case LOAD_FAILED -> to.loadFailed(worker, (Throwable) Objects.requireNonNull(first));
      case COMPLETED -> to.completed(worker, runId, first, (EnergyReading) second);
      case FAILED -> to.failed(worker, runId, (Throwable) Objects.requireNonNull(first));
      case LOST -> to.lost(worker, (Throwable) Objects.requireNonNull(first));
      case RELEASED -> to.released(worker);
      default -> throw new IllegalStateException("no HAL event has the number " + kind);
    }
  }
}
