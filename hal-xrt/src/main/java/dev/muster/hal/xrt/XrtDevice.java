package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import dev.muster.api.InvalidInputException;
import dev.muster.hal.xrt.binding.Libc;
import dev.muster.hal.xrt.binding.xrt_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives one card. Confined to the thread that opened it, as are its kernels, runs and buffers.
 *
 * <pre>
 * OPEN -> CLOSED
 * OPEN -> FAILED    a run hung, or the card reported an error state: nothing is called any more
 * </pre>
 *
 * <p>A call may block in the native library for as long as the card likes, so the thread should be
 * one that does nothing else.
 */
public final class XrtDevice implements AutoCloseable {
  private static final int LOAD_ATTEMPTS = 5;
  private static final long FIRST_BACKOFF_NANOS = 100_000_000;
  private static final int EPERM = 1;
  private static final int EAGAIN = 11;
  private static final int EBUSY = 16;

  /** Names the states of a device. */
  public enum State {
    /** Usable. */
    OPEN,
    /** Given up; what it holds stays with the native library. */
    FAILED,
    /** Closed in order. */
    CLOSED
  }

  private final XrtLibrary library;
  private final String id;
  private final MemorySegment handle;
  private final Thread owner = Thread.currentThread();
  private final BufferPool buffers;
  private final Map<String, XrtKernel> kernels = new LinkedHashMap<>();
  private State state = State.OPEN;
  private @Nullable XclbinFile image;

  private XrtDevice(XrtLibrary library, String id, MemorySegment handle) {
    this.library = library;
    this.id = id;
    this.handle = handle;
    buffers = new BufferPool(this);
  }

  /**
   * Opens a card by its address.
   *
   * @param bdf domain, bus, device and function, e.g. {@code "0000:3b:00.1"}
   * @throws DeviceException of kind UNAVAILABLE if it cannot be opened
   */
  public static XrtDevice open(XrtLibrary library, String bdf) {
    try (Arena arena = Arena.ofConfined()) {
      return of(library, bdf, xrt_h.xrtDeviceOpenByBDF(arena.allocateFrom(bdf)));
    }
  }

  /**
   * Opens an emulated card, which has no address. Open each at most once in a process: the
   * emulation breaks the first handle when asked for a second.
   *
   * @throws DeviceException of kind UNAVAILABLE if it cannot be opened
   */
  public static XrtDevice openEmulated(XrtLibrary library, int index) {
    if (!library.mode().isEmulation() || index < 0 || index >= 1024) {
      throw InvalidInputException.of(
          "emulated card", index, "must be between 0 and 1023, in emulation", "give an address");
    }
    return of(library, emulatedId(library, index), xrt_h.xrtDeviceOpen(index));
  }

  static String emulatedId(XrtLibrary library, int index) {
    String name = library.mode() == XrtMode.NOOP ? "noop" : "sw_emu";
    return "xrt:" + name + "-" + index;
  }

  private static XrtDevice of(XrtLibrary library, String id, MemorySegment handle) {
    if (XrtLibrary.isNull(handle)) {
      throw library.failure(
          DeviceException.Kind.UNAVAILABLE,
          id + ": cannot be opened",
          "see that the card is listed by ./muster devices, that its driver is loaded, and that you"
              + " may read and write its file below /dev/dri (group render)");
    }
    return new XrtDevice(library, id, handle);
  }

  /** Returns the stable id. */
  public String id() {
    return id;
  }

  /** Returns the state. */
  public State state() {
    return state;
  }

  /** Returns the image that is loaded. */
  public Optional<XclbinFile> image() {
    return Optional.ofNullable(image);
  }

  /** Returns how many buffers are allocated, in use or pooled. */
  public int bufferCount() {
    return buffers.count();
  }

  /**
   * Loads an image unless it is the one that is loaded; closes all kernels first. Retries a few
   * times while another process keeps the card busy.
   *
   * @return whether anything had to be loaded
   * @throws InvalidInputException if the file is not an image for this kind of device
   * @throws DeviceException of kind LOAD_FAILED or BUSY if the card refuses
   */
  public boolean load(Path file) {
    requireOpen("load " + file);
    XclbinFile next = XclbinFile.read(file);
    if (image != null && image.uuid().equals(next.uuid())) {
      return false;
    }
    requireMode(file, next);
    library.requireLoadable(id);
    closeKernels();
    buffers.freeIdle(); // their banks belong to the old image
    image = null;
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw InvalidInputException.of(
          "xclbin file", file, "cannot be read (" + e.getMessage() + ")", "check its permissions");
    }
    // What reaches the native library is what was checked, not what the file holds by now.
    XclbinFile checked = XclbinFile.parse(file.toString(), bytes);
    loadBytes(file, checked, bytes);
    UUID loaded = loadedUuid();
    if (!loaded.equals(checked.uuid())) {
      throw failure(
          DeviceException.Kind.LOAD_FAILED,
          "load of " + file + " left image " + loaded + " on the card",
          "another process changed it; let one process use the card");
    }
    image = checked;
    return true;
  }

  private void requireMode(Path file, XclbinFile next) {
    boolean emulated = next.mode() != XclbinFile.Mode.CARD;
    boolean fits =
        switch (library.mode()) {
          case HARDWARE -> !emulated;
          case SOFTWARE_EMULATION -> next.mode() == XclbinFile.Mode.SOFTWARE_EMULATION;
          case NOOP -> true;
        };
    if (!fits) {
      throw InvalidInputException.of(
          file + ": mode", next.mode(), "must fit XRT in mode " + library.mode(), "build for it");
    }
  }

  private void loadBytes(Path file, XclbinFile next, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(bytes.length, 8);
      data.copyFrom(MemorySegment.ofArray(bytes));
      MemorySegment xclbin = xrt_h.xrtXclbinAllocRawData(data, bytes.length);
      if (XrtLibrary.isNull(xclbin)) {
        throw failure(
            DeviceException.Kind.LOAD_FAILED, "XRT does not accept " + file, "build it again");
      }
      try {
        loadHandle(file, next, xclbin, arena.allocate(xrt_h.callState()));
      } finally {
        xrt_h.xrtXclbinFreeHandle(xclbin);
      }
    }
  }

  private void loadHandle(
      Path file, XclbinFile next, MemorySegment xclbin, MemorySegment callState) {
    long backoffNanos = FIRST_BACKOFF_NANOS;
    for (int attempt = 1; ; attempt++) {
      int[] result = new int[1];
      Runnable load = () -> result[0] = xrt_h.xrtDeviceLoadXclbinHandle(callState, handle, xclbin);
      if (library.mode().isEmulation()) {
        Libc.keepingSignalHandlers(load);
      } else {
        load.run();
      }
      if (result[0] == 0) {
        return;
      }
      int errno = xrt_h.errno(callState);
      boolean busy =
          !library.mode().isEmulation() && (errno == EBUSY || errno == EAGAIN || errno == EPERM);
      if (!busy || attempt == LOAD_ATTEMPTS) {
        throw failure(
            busy ? DeviceException.Kind.BUSY : DeviceException.Kind.LOAD_FAILED,
            "load of "
                + file
                + " (platform "
                + next.platform()
                + ") refused with error "
                + errno
                + " at attempt "
                + attempt,
            busy
                ? "end the other processes that use the card (xbutil examine)"
                : "see that the card's shell is the image's platform");
      }
      LockSupport.parkNanos(backoffNanos);
      backoffNanos *= 2;
    }
  }

  private UUID loadedUuid() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(16, 8);
      if (xrt_h.xrtDeviceGetXclbinUUID(handle, out) != 0) {
        throw failure(
            DeviceException.Kind.LOAD_FAILED, "the loaded image is unknown", "load it again");
      }
      return new UUID(
          Long.reverseBytes(out.get(ValueLayout.JAVA_LONG, 0)),
          Long.reverseBytes(out.get(ValueLayout.JAVA_LONG, 8)));
    }
  }

  /**
   * Opens one compute unit of a kernel of the loaded image; the same object until the next load.
   *
   * @throws InvalidInputException if the image has no such kernel or unit
   * @throws DeviceException of kind RUN_FAILED if it cannot be opened
   */
  public XrtKernel kernel(String name, String unit) {
    requireOpen("open kernel " + name);
    XclbinFile current = image;
    if (current == null) {
      throw InvalidInputException.of(
          id + ": kernel", name, "needs an image to be loaded", "load one first");
    }
    XclbinFile.Kernel kernel =
        current
            .kernel(name)
            .orElseThrow(
                () ->
                    InvalidInputException.of(
                        id + ": kernel",
                        '"' + name + '"',
                        "must be one of "
                            + current.kernels().stream().map(XclbinFile.Kernel::name).toList(),
                        "correct the name or load another image"));
    if (kernel.units().stream().noneMatch(one -> one.name().equals(unit))) {
      throw InvalidInputException.of(
          id + ": compute unit",
          '"' + unit + '"',
          "must be one of " + kernel.units().stream().map(XclbinFile.ComputeUnit::name).toList(),
          "correct the name");
    }
    String key = name + ":{" + unit + "}";
    XrtKernel opened = kernels.get(key);
    if (opened == null) {
      opened = XrtKernel.open(this, kernel, key, current.uuid());
      kernels.put(key, opened);
    }
    return opened;
  }

  /**
   * Takes a buffer from the pool or allocates one.
   *
   * @param group what {@link XrtKernel#group} gave for the argument
   * @param bytes at least 1, at most 2^30
   */
  public XrtBuffer buffer(int group, long bytes) {
    requireOpen("allocate a buffer");
    return buffers.take(group, bytes);
  }

  void recycle(XrtBuffer buffer) {
    buffers.give(buffer);
  }

  /** Gives the device up: nothing is called on it any more, and what it holds is left alone. */
  public void fail() {
    requireOwner();
    if (state == State.OPEN) {
      state = State.FAILED;
    }
  }

  /** Gives the device up because a unit does not end. */
  void failHung() {
    library.unitHung();
    fail();
  }

  /** Closes kernels, buffers and the card; does nothing on a failed one. Idempotent. */
  @Override
  public void close() {
    requireOwner();
    if (library.isBroken()) {
      fail();
    }
    if (state == State.OPEN) {
      closeKernels();
      buffers.freeAll();
      state = State.CLOSED;
      xrt_h.xrtDeviceClose(handle);
    }
  }

  private void closeKernels() {
    List<XrtKernel> open = new ArrayList<>(kernels.values());
    for (XrtKernel kernel : open) {
      if (kernel.isRunning()) {
        throw new DeviceException(
            DeviceException.Kind.BUSY,
            id + ": " + kernel.name() + " still runs; wait for it before loading or closing",
            null);
      }
    }
    open.forEach(XrtKernel::close);
    kernels.clear();
  }

  MemorySegment handle() {
    return handle;
  }

  void requireOpen(String what) {
    requireOwner();
    if (state != State.OPEN) {
      throw new DeviceException(
          state == State.FAILED ? DeviceException.Kind.LOST : DeviceException.Kind.CLOSED,
          id
              + ": "
              + what
              + (state == State.FAILED
                  ? " on a failed card; reset it (xbutil reset --device " + id + ")"
                  : " on a closed card; open it again"),
          null);
    }
  }

  private void requireOwner() {
    if (!Thread.currentThread().equals(owner)) {
      throw new WrongThreadException(id + " belongs to thread " + owner.getName());
    }
  }

  DeviceException failure(DeviceException.Kind kind, String what, String nextStep) {
    return library.failure(kind, id + ": " + what, nextStep);
  }
}
