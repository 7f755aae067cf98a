package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import dev.muster.api.InvalidInputException;
import dev.muster.hal.xrt.binding.xrt_h;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs one compute unit. Confined to the device's thread.
 *
 * <pre>
 * READY -> RUNNING -> READY | FAILED
 *          RUNNING -> QUARANTINED    its deadline passed; never touched again
 * READY | FAILED -> CLOSED
 * </pre>
 *
 * <p>A running run is never started again, because XRT then loses its completion. Completion is
 * found by looking at its state: XRT's waiting ignores its timeout with some drivers, and its
 * callbacks can end the process.
 */
public final class XrtRun {
  private static final long SPIN_NANOS = 20_000;
  private static final long LONGEST_PARK_NANOS = 1_000_000;
  private static final int SPINS_PER_CLOCK_READING = 16;

  /** Names the states of a run. */
  public enum State {
    /** Can be started. */
    READY,
    /** Started, not known to have ended. */
    RUNNING,
    /** Ended in error; its output is void. */
    FAILED,
    /** Hung; it and its buffers stay with the device. */
    QUARANTINED,
    /** Closed. */
    CLOSED
  }

  private final XrtDevice device;
  private final XrtKernel kernel;
  private final MemorySegment handle;
  private State state = State.READY;

  private XrtRun(XrtDevice device, XrtKernel kernel, MemorySegment handle) {
    this.device = device;
    this.kernel = kernel;
    this.handle = handle;
  }

  static XrtRun open(XrtDevice device, XrtKernel kernel) {
    MemorySegment handle = xrt_h.xrtRunOpen(kernel.handle());
    if (XrtLibrary.isNull(handle)) {
      throw device.failure(
          DeviceException.Kind.RUN_FAILED, "no run of " + kernel.name(), "load the image again");
    }
    return new XrtRun(device, kernel, handle);
  }

  /** Returns the state. */
  public State state() {
    return state;
  }

  /** Sets a buffer argument. */
  public void argument(int index, XrtBuffer buffer) {
    require(index, XclbinFile.Argument.Kind.BUFFER, 8);
    check(index, xrt_h.xrtRunSetArg(handle, index, buffer.handle()));
  }

  /** Sets a scalar argument of 4 bytes that is no float. */
  public void argument(int index, int value) {
    require(index, XclbinFile.Argument.Kind.SCALAR, 4);
    check(index, xrt_h.xrtRunSetArg(handle, index, value));
  }

  /** Sets a scalar argument of 8 bytes that is no double. */
  public void argument(int index, long value) {
    require(index, XclbinFile.Argument.Kind.SCALAR, 8);
    check(index, xrt_h.xrtRunSetArg(handle, index, value));
  }

  /** Sets a scalar argument of type double or float. */
  public void argument(int index, double value) {
    XclbinFile.Argument argument = kernel.argument(index);
    require(index, XclbinFile.Argument.Kind.SCALAR, argument.bytes());
    if (!argument.type().equals("float") && !argument.type().equals("double")) {
      throw InvalidInputException.of(
          kernel.name() + " argument " + index + " type",
          argument.type(),
          "must be float or double for a floating-point value",
          "give an integer");
    }
    check(index, xrt_h.xrtRunSetArg(handle, index, value));
  }

  private void require(int index, XclbinFile.Argument.Kind kind, int bytes) {
    requireStartable("set an argument");
    XclbinFile.Argument argument = kernel.argument(index);
    if (argument.kind() != kind || argument.bytes() != bytes) {
      throw InvalidInputException.of(
          device.id() + ": " + kernel.name() + " argument " + index,
          kind + " of " + bytes + " bytes",
          "must be " + argument.kind() + " of " + argument.bytes() + " bytes",
          "give what the kernel's signature says");
    }
  }

  private void check(int index, int result) {
    if (result != 0) {
      throw device.failure(
          DeviceException.Kind.RUN_FAILED,
          "argument " + index + " of " + kernel.name() + " refused",
          "see that its buffer is in the argument's memory");
    }
  }

  /**
   * Starts the unit.
   *
   * @throws DeviceException if it is running already or the card refuses
   */
  public void start() {
    requireStartable("start");
    if (xrt_h.xrtRunStart(handle) != 0) {
      state = State.FAILED;
      throw device.failure(
          DeviceException.Kind.RUN_FAILED, kernel.name() + " cannot be started", "load it again");
    }
    state = State.RUNNING;
  }

  private void requireStartable(String what) {
    device.requireOpen(what);
    if (state != State.READY && state != State.FAILED) {
      throw new DeviceException(
          state == State.RUNNING ? DeviceException.Kind.BUSY : DeviceException.Kind.CLOSED,
          device.id() + ": " + what + " of a run that is " + state + "; wait until it has ended",
          null);
    }
  }

  /** Looks whether the run has ended, and returns its state. */
  public State poll() {
    if (state == State.RUNNING) {
      device.requireOpen("poll");
      int now = xrt_h.xrtRunState(handle);
      if (now == xrt_h.ERT_CMD_STATE_COMPLETED()) {
        state = State.READY;
      } else if (now > xrt_h.ERT_CMD_STATE_COMPLETED() && now != xrt_h.ERT_CMD_STATE_SUBMITTED()) {
        state = State.FAILED;
      } else if (now < xrt_h.ERT_CMD_STATE_NEW()) {
        state = State.FAILED;
      }
    }
    return state;
  }

  /**
   * Waits until the run has ended: looks without a pause at first, then ever more rarely.
   *
   * @param limitNanos how long it may take from now
   * @return READY or FAILED
   * @throws DeviceException of kind TIMED_OUT if it did not end; the run is then QUARANTINED and
   *     the device failed
   */
  public State await(long limitNanos) {
    for (int i = 0; i < SPINS_PER_CLOCK_READING; i++) {
      if (poll() != State.RUNNING) {
        return state;
      }
    }
    long start = System.nanoTime();
    long parkNanos = SPIN_NANOS;
    while (poll() == State.RUNNING) {
      long elapsed = System.nanoTime() - start;
      if (elapsed > limitNanos) {
        throw quarantine(limitNanos);
      }
      if (elapsed > SPIN_NANOS) {
        LockSupport.parkNanos(parkNanos);
        parkNanos = Math.min(2 * parkNanos, LONGEST_PARK_NANOS);
      }
    }
    return state;
  }

  /** Gives up a run that did not end, and with it the device; returns the reason. */
  DeviceException quarantine(long limitNanos) {
    state = State.QUARANTINED;
    device.failHung();
    return new DeviceException(
        DeviceException.Kind.TIMED_OUT,
        device.id()
            + ": "
            + kernel.name()
            + " did not end within "
            + limitNanos / 1_000_000
            + " ms; the card is not used any more until it is reset (xbutil reset --device "
            + device.id()
            + ") and opened again",
        null);
  }

  void close() {
    if (state == State.READY || state == State.FAILED) {
      state = State.CLOSED;
      xrt_h.xrtRunClose(handle);
    }
  }
}
