package dev.muster.core.qos;

import dev.muster.api.Task;

/** Learns what a QoS policy decides beyond what an engine observer sees. */
public interface QosObserver {
  /** Watches nothing. */
  QosObserver NONE = new QosObserver() {};

  /** Reports that a task can no longer meet its deadline and lost its place to those that can. */
  default void onDemoted(Task task, long nowNanos) {}
}
