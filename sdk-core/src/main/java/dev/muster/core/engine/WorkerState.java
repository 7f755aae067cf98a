package dev.muster.core.engine;

import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import org.jspecify.annotations.Nullable;

/** Holds one worker and its FIFO from provisioning to release or loss. */
final class WorkerState implements Worker {
  final long id;
  final int slot;
  final PoolState pool;
  final long createdNanos;
  final int allocationRank;

  State state = State.SPINNING_UP;
  long readyNanos;
  long availableAtNanos;
  @Nullable String image;

  /** Holds the image that will be loaded once the FIFO has drained. */
  @Nullable String plannedImage;

  boolean slotFreed;

  /** Holds the FIFO; the head is the task that loads or runs. */
  @Nullable TaskState head;

  @Nullable TaskState tail;
  int load;

  /** Counts the tasks from the head on that the HAL has been given; the last of them is beside. */
  int issued;

  @Nullable TaskState lastIssued;

  /** Sums the expected service times of the FIFO. */
  long expectedWorkNanos;

  /** Identifies the run in progress; 0 when there is none. */
  long runId;

  long loadStartNanos;

  /** Sums the time spent running tasks. */
  long busyNanos;

  SpinningUpWorkers.@Nullable Group group;
  @Nullable WorkerState previous;
  @Nullable WorkerState next;

  WorkerState(long id, int slot, PoolState pool, long createdNanos, long readyNanos) {
    this.id = id;
    this.slot = slot;
    this.pool = pool;
    this.createdNanos = createdNanos;
    this.readyNanos = readyNanos;
    this.availableAtNanos = readyNanos;
    this.allocationRank = pool.allocated();
  }

  boolean isGone() {
    return state == State.RELEASED || state == State.LOST;
  }

  void enqueue(TaskState task) {
    task.next = null;
    TaskState last = tail;
    if (last == null) {
      head = task;
    } else {
      last.next = task;
    }
    tail = task;
    load++;
    expectedWorkNanos += task.expectedNanos;
  }

  /** Removes the head of the FIFO and returns it. */
  TaskState dequeue() {
    TaskState task = head;
    if (task == null) {
      throw new IllegalStateException("worker " + id + " has no task");
    }
    head = task.next;
    if (head == null) {
      tail = null;
    }
    task.next = null;
    load--;
    expectedWorkNanos -= task.expectedNanos;
    if (task.runId != 0) {
      takeBack(task, null);
    }
    return task;
  }

  /** Removes a task behind the head. O(load). */
  void unlink(TaskState task) {
    TaskState before = head;
    while (before != null && before.next != task) {
      before = before.next;
    }
    if (before == null) {
      throw new IllegalStateException(task + " is not queued behind the head of worker " + id);
    }
    before.next = task.next;
    if (tail == task) {
      tail = before;
    }
    task.next = null;
    load--;
    expectedWorkNanos -= task.expectedNanos;
    if (task.runId != 0) {
      takeBack(task, before);
    }
  }

  /** Notes that the HAL was given a run for the next task of the FIFO. */
  void issue(TaskState task, long id) {
    task.runId = id;
    issued++;
    lastIssued = task;
  }

  private void takeBack(TaskState task, @Nullable TaskState before) {
    task.runId = 0;
    task.withdrawn = false;
    issued--;
    if (lastIssued == task) {
      lastIssued = before;
    }
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public int slot() {
    return slot;
  }

  @Override
  public WorkerType type() {
    return pool.type;
  }

  @Override
  public WorkerPool pool() {
    return pool;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public long createdNanos() {
    return createdNanos;
  }

  @Override
  public long readyNanos() {
    return readyNanos;
  }

  @Override
  public int allocationRank() {
    return allocationRank;
  }

  @Override
  public long availableAtNanos() {
    return availableAtNanos;
  }

  @Override
  public int load() {
    return load;
  }

  @Override
  public @Nullable String image() {
    return image;
  }

  @Override
  public String toString() {
    return "worker " + id + " (" + pool.type.name() + ")";
  }
}
