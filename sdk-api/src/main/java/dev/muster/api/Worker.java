package dev.muster.api;

import org.jspecify.annotations.Nullable;

/**
 * Views one place that runs one task at a time, with a FIFO queue in front of it.
 *
 * <p>The object lives as long as the worker; {@link #id()}, {@link #slot()}, {@link #type()} and
 * {@link #createdNanos()} never change and may be read from any thread, the rest only inside a
 * callback.
 */
public interface Worker {
  /**
   * Names the states of a worker.
   *
   * <pre>{@code
   * SPINNING_UP -> IDLE <-> BUSY      IDLE <-> LOADING      IDLE -> RELEASED
   * every state but RELEASED -> LOST
   * }</pre>
   */
  enum State {
    /** Provisioned, not ready yet; may already have tasks queued. */
    SPINNING_UP,
    /** Ready, nothing running. */
    IDLE,
    /** Running one task. */
    BUSY,
    /** Loading an image; nothing runs. */
    LOADING,
    /** Given back; terminal. */
    RELEASED,
    /** Gone, its tasks went back to the policy; terminal. */
    LOST
  }

  /** Returns the id: 0, 1, 2, ... in the order of provisioning; never reused. Ties break by it. */
  long id();

  /** Returns a small number unique among live workers and reused, fit to index an array. */
  int slot();

  /** Returns the type. */
  WorkerType type();

  /** Returns the pool of all workers of the type. */
  WorkerPool pool();

  /** Returns the state. */
  State state();

  /** Returns when the worker was provisioned. */
  long createdNanos();

  /** Returns when the worker became ready, or is expected to. */
  long readyNanos();

  /** Returns how many workers of the pool were allocated just before this one was. */
  int allocationRank();

  /**
   * Returns when the last task given to the worker is expected to finish; for an idle worker, since
   * when it idles.
   */
  long availableAtNanos();

  /** Returns the number of tasks given to the worker and not finished, the running one included. */
  int load();

  /** Returns the image that is loaded, or {@code null}. */
  @Nullable String image();
}
