package dev.muster.api;

import org.jspecify.annotations.Nullable;

/**
 * Reports a failure of hardware or of the layer that drives it.
 *
 * <p>The message names the device by its stable id (PCIe address, serial number or {@code
 * sim:name}), what was attempted, and the next step. A task whose run failed this way carries the
 * exception in {@link Outcome.Failed}.
 */
public final class DeviceException extends MusterException {
  private static final long serialVersionUID = 1L;

  /** Says what kind of failure it was, so that a policy or host can react without parsing text. */
  public enum Kind {
    /** The device or its library is not there. */
    UNAVAILABLE,
    /** The device refused for now; the same command may work later. */
    BUSY,
    /** An image could not be loaded. */
    LOAD_FAILED,
    /** A run ended in error; its output is unreachable. */
    RUN_FAILED,
    /** A run passed its time limit; its output is unreachable. */
    TIMED_OUT,
    /** The device is gone and nothing more is called on it. */
    LOST,
    /** The command came after the worker or the layer was closed. */
    CLOSED
  }

  private final Kind kind;

  /**
   * Creates the exception.
   *
   * @param kind the kind of failure
   * @param message device, attempt and next step
   * @param cause the underlying error, if any
   */
  public DeviceException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of failure. */
  public Kind kind() {
    return kind;
  }
}
