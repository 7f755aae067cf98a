package dev.muster.api;

/** Says why a task was rejected. */
public enum RejectReason {
  /** No variant of the application can run on any worker of the fleet. */
  NO_CAPABLE_WORKER,
  /** No worker is free and no further one can be provisioned. */
  NO_CAPACITY,
  /** The deadline cannot be met, and the policy does not run late tasks. */
  DEADLINE_UNREACHABLE,
  /** A bounded queue was full. */
  QUEUE_FULL,
  /** The scheduler no longer accepts tasks. */
  CLOSED
}
