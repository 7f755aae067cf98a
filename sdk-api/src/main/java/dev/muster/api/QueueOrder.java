package dev.muster.api;

import java.util.Comparator;

/** Orders held tasks: the smallest is tried first. Must be total, so ties end with the id. */
@FunctionalInterface
public interface QueueOrder extends Comparator<Task> {
  /** Orders by submission. */
  static QueueOrder fifo() {
    return (a, b) -> Long.compare(a.id(), b.id());
  }

  /** Orders by deadline, then submission. */
  static QueueOrder earliestDeadlineFirst() {
    return (a, b) -> {
      int order = Long.compare(a.deadlineNanos(), b.deadlineNanos());
      return order != 0 ? order : Long.compare(a.id(), b.id());
    };
  }

  /** Orders by size, then submission. */
  static QueueOrder shortestFirst() {
    return (a, b) -> {
      int order = Long.compare(a.sizeNanos(), b.sizeNanos());
      return order != 0 ? order : Long.compare(a.id(), b.id());
    };
  }
}
