package dev.muster.api;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Binds the engine to hardware, threads or a simulator.
 *
 * <p>Asynchronous: a command returns at once, and exactly one event answers it: {@link #provision}
 * by ready or lost, {@link #load} by loaded or loadFailed or lost, {@link #run} by completed or
 * failed or lost, {@link #release} by released or lost. {@link #cancel} has no answer of its own;
 * the run still ends in one event. Commands come from one thread. Events may be reported from any
 * thread, also from inside a command.
 *
 * <p>Contract rules, checked by the test kit's {@code DeviceContract}: DEV-1 energy is finite and
 * never negative, each reading with its source. DEV-2 a command on a closed worker fails with a
 * typed error. DEV-3 one image per worker; loading drains first. DEV-4 cancel is idempotent. DEV-5
 * a run past its deadline surfaces as a status, its output is unreachable. DEV-6 a lost device is
 * one event, then silence. DEV-7 stable ids (PCIe address, serial, {@code sim:name}), never
 * indices. DEV-8 closing within a stated time, reporting what was left. DEV-9 declared
 * thread-safety holds under stress.
 */
public interface Hal {
  /** Returns a short stable name, e.g. {@code "sim"}. */
  String name();

  /** Returns what the hardware offers. */
  Set<Capability> capabilities();

  /** Returns the stable id of the device behind a worker, e.g. {@code "sim:fpga-3"}. */
  String deviceId(Worker worker);

  /**
   * Opens the layer; called once, before any other command.
   *
   * @throws DeviceException if the hardware or its library is not usable
   */
  void open(Events events);

  /** Starts a worker. */
  void provision(Worker worker);

  /** Loads the image of a variant into an idle worker. */
  void load(Worker worker, Variant variant);

  /**
   * Runs a task on an idle worker that has the image loaded, or on a busy one in advance, within
   * what {@link #runAhead} says.
   *
   * @param runId identifies this run in the answering event; never reused
   */
  void run(Worker worker, Task task, Variant variant, long runId);

  /**
   * Returns how many runs a worker of a type takes in advance, while it still has one in progress,
   * so that it need not wait for the engine between two short ones; 0 unless overridden. It begins
   * and answers them in the order of the commands.
   */
  default int runAhead(WorkerType type) {
    return 0;
  }

  /**
   * Takes back a run that was given in advance.
   *
   * @return whether the run has not begun and never will, so that no event answers it; if it has
   *     begun, all earlier runs of the worker have been answered before this returns
   */
  default boolean withdraw(Worker worker, long runId) {
    return false;
  }

  /** Asks for a run to end early; idempotent, without effect on a run that already ended. */
  void cancel(Worker worker, long runId);

  /** Stops an idle worker. */
  void release(Worker worker);

  /**
   * Closes the layer and everything it still holds.
   *
   * @param timeout how long it may take
   * @return the stable ids of devices that could not be closed in time; empty when all is well
   */
  List<String> close(Duration timeout);

  /** Receives the answers to commands. Stale and duplicate answers are ignored by the engine. */
  interface Events {
    /** Reports that a worker is ready for its first task. */
    void ready(Worker worker);

    /** Reports that an image was loaded. */
    void loaded(Worker worker);

    /** Reports that an image could not be loaded; the worker is idle with no image. */
    void loadFailed(Worker worker, Throwable cause);

    /**
     * Reports that a run completed.
     *
     * @param result what the variant returned, if anything
     * @param energy energy of the run if it was metered; {@code null} lets the engine model it
     */
    void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy);

    /** Reports that a run failed; its output is unreachable. */
    void failed(Worker worker, long runId, Throwable cause);

    /** Reports that a worker is gone, or could not be started. Nothing follows for the worker. */
    void lost(Worker worker, Throwable cause);

    /** Reports that a released worker is down. */
    void released(Worker worker);
  }
}
