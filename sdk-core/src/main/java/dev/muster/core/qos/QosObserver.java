package dev.muster.core.qos;

import dev.muster.api.Task;

/** Learns what a QoS policy decides beyond what an engine observer sees. */
public interface QosObserver {
  /** Watches nothing. */
  QosObserver NONE = new QosObserver() {};

  /** Says at submission what is to be expected of a task's deadline. */
  enum Admission {
    /** With the tasks known now, it will be met. */
    ON_TIME,
    /** With the tasks known now, it will be missed, though an idle device could meet it. */
    LATE,
    /** Not even an idle device could meet it. */
    HOPELESS
  }

  /** Reports that a task can no longer meet its deadline and lost its place to those that can. */
  default void onDemoted(Task task, long nowNanos) {}

  /** Reports the outlook of a task, once, at the instant it was submitted. */
  default void onAdmission(Task task, Admission outlook, long nowNanos) {}
}
