package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import dev.muster.api.InvalidInputException;
import dev.muster.hal.xrt.binding.xrt_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Holds memory that host and card see, each its own copy until they are synchronised. Confined.
 *
 * <pre>{@code
 * IN_USE <-> POOLED -> FREED
 * }</pre>
 *
 * <p>The mapping ends before the memory is freed, so that a late access throws instead of crashing.
 */
@SuppressWarnings({"restricted", "MustBeClosedChecker"}) // the arena lives as long as this
public final class XrtBuffer {
  private enum State {
    IN_USE,
    POOLED,
    FREED
  }

  private final XrtDevice device;
  private final MemorySegment handle;
  private final Arena arena;
  private final MemorySegment mapped;
  private final int group;
  private State state = State.IN_USE;

  private XrtBuffer(
      XrtDevice device, MemorySegment handle, Arena arena, MemorySegment mapped, int group) {
    this.device = device;
    this.handle = handle;
    this.arena = arena;
    this.mapped = mapped;
    this.group = group;
  }

  static XrtBuffer allocate(XrtDevice device, int group, long bytes) {
    MemorySegment handle = xrt_h.xrtBOAlloc(device.handle(), bytes, 0, group);
    if (XrtLibrary.isNull(handle)) {
      throw device.failure(
          DeviceException.Kind.RUN_FAILED,
          bytes + " bytes in memory group " + group + " cannot be allocated",
          "run less at once, or use a card with more memory");
    }
    MemorySegment raw = xrt_h.xrtBOMap(handle);
    if (XrtLibrary.isNull(raw)) {
      xrt_h.xrtBOFree(handle);
      throw device.failure(
          DeviceException.Kind.RUN_FAILED, "a buffer cannot be mapped", "raise ulimit -l");
    }
    Arena arena = Arena.ofConfined();
    return new XrtBuffer(device, handle, arena, raw.reinterpret(bytes, arena, null), group);
  }

  /** Returns the host's copy; valid until the buffer is released. */
  public MemorySegment memory() {
    requireInUse("read");
    return mapped;
  }

  /** Returns the size in bytes, which may be more than was asked for. */
  public long bytes() {
    return mapped.byteSize();
  }

  /** Copies the first bytes to the card. */
  public void toDevice(long count) {
    sync(xrt_h.XCL_BO_SYNC_BO_TO_DEVICE(), count);
  }

  /** Copies the first bytes from the card. */
  public void fromDevice(long count) {
    sync(xrt_h.XCL_BO_SYNC_BO_FROM_DEVICE(), count);
  }

  private void sync(int direction, long count) {
    device.requireOpen("sync");
    requireInUse("sync");
    if (count < 0 || count > bytes()) {
      throw InvalidInputException.of(
          device.id() + ": bytes to sync", count, "must be between 0 and " + bytes(), "give fewer");
    }
    if (count > 0 && xrt_h.xrtBOSync(handle, direction, count, 0) != 0) {
      throw device.failure(
          DeviceException.Kind.RUN_FAILED, "a buffer could not be copied", "see dmesg");
    }
  }

  /** Gives the buffer back to the pool. */
  public void release() {
    device.requireOpen("release a buffer");
    requireInUse("release");
    device.recycle(this);
  }

  private void requireInUse(String what) {
    if (state != State.IN_USE) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          device.id() + ": " + what + " of a buffer that was released; take another",
          null);
    }
  }

  MemorySegment handle() {
    requireInUse("use");
    return handle;
  }

  int group() {
    return group;
  }

  void pooled() {
    state = State.POOLED;
  }

  void taken() {
    state = State.IN_USE;
  }

  void free() {
    if (state != State.FREED) {
      state = State.FREED;
      arena.close();
      xrt_h.xrtBOFree(handle);
    }
  }
}
