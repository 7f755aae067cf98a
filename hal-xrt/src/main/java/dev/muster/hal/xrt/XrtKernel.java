package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import dev.muster.api.InvalidInputException;
import dev.muster.hal.xrt.binding.xrt_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.UUID;

/** Holds one compute unit open, with one run that is used again and again. Confined. */
public final class XrtKernel {
  private static final int NO_GROUP = 65535;

  private final XrtDevice device;
  private final XclbinFile.Kernel kernel;
  private final String name;
  private final MemorySegment handle;
  private final int[] groups;
  private final XrtRun run;
  private boolean closed;

  private XrtKernel(XrtDevice device, XclbinFile.Kernel kernel, String name, MemorySegment handle) {
    this.device = device;
    this.kernel = kernel;
    this.name = name;
    this.handle = handle;
    int last = kernel.arguments().isEmpty() ? -1 : kernel.arguments().getLast().index();
    groups = new int[last + 1];
    Arrays.fill(groups, -1);
    for (XclbinFile.Argument argument : kernel.arguments()) {
      if (argument.kind() == XclbinFile.Argument.Kind.BUFFER) {
        groups[argument.index()] = xrt_h.xrtKernelArgGroupId(handle, argument.index());
      }
    }
    run = XrtRun.open(device, this);
  }

  static XrtKernel open(XrtDevice device, XclbinFile.Kernel kernel, String name, UUID image) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment uuid = arena.allocate(16, 8);
      uuid.set(ValueLayout.JAVA_LONG, 0, Long.reverseBytes(image.getMostSignificantBits()));
      uuid.set(ValueLayout.JAVA_LONG, 8, Long.reverseBytes(image.getLeastSignificantBits()));
      MemorySegment handle = xrt_h.xrtPLKernelOpen(device.handle(), uuid, arena.allocateFrom(name));
      if (XrtLibrary.isNull(handle)) {
        throw device.failure(
            DeviceException.Kind.RUN_FAILED,
            "kernel " + name + " cannot be opened",
            "another process may have changed the image; load it again");
      }
      return new XrtKernel(device, kernel, name, handle);
    }
  }

  /** Returns the name with the unit, e.g. <code>vadd:{vadd_1}</code>. */
  public String name() {
    return name;
  }

  /** Returns what the image says about the kernel. */
  public XclbinFile.Kernel description() {
    return kernel;
  }

  /** Returns the run of this unit. */
  public XrtRun run() {
    return run;
  }

  /**
   * Returns the memory group that a buffer for an argument must come from.
   *
   * @throws InvalidInputException if the argument takes no buffer
   */
  public int group(int argument) {
    int group = argument < 0 || argument >= groups.length ? -1 : groups[argument];
    if (group < 0 || group == NO_GROUP) {
      throw InvalidInputException.of(
          name + " argument", argument, "must be a buffer connected to a memory", "see the image");
    }
    return group;
  }

  boolean isRunning() {
    return run.state() == XrtRun.State.RUNNING || run.state() == XrtRun.State.QUARANTINED;
  }

  MemorySegment handle() {
    return handle;
  }

  void close() {
    if (!closed) {
      closed = true;
      run.close();
      xrt_h.xrtKernelClose(handle);
    }
  }

  XclbinFile.Argument argument(int index) {
    return kernel
        .argument(index)
        .orElseThrow(
            () ->
                InvalidInputException.of(
                    device.id() + ": " + name + " argument",
                    index,
                    "must be one of "
                        + kernel.arguments().stream().map(XclbinFile.Argument::index).toList(),
                    "see the kernel's signature"));
  }
}
