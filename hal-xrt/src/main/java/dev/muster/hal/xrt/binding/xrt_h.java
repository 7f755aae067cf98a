package dev.muster.hal.xrt.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds the functions of XRT's C interface that are used, in the layout that jextract gives.
 *
 * <p>Each function has a holder class, so that it is linked at its first call and not before. The
 * library must be {@linkplain #use named} first. Written by hand because jextract is not part of
 * the JDK; the README tells the command that gives the same, and a test holds every descriptor
 * against the installed headers.
 */
@SuppressWarnings({"MemberName", "restricted"})
public final class xrt_h {
  /** Names the functions that the library must export; {@code xclProbe} comes from its driver. */
  public static final List<String> FUNCTIONS =
      List.of(
          "xrtIniStringSet",
          "xrtIniUintSet",
          "xrtDeviceOpen",
          "xrtDeviceOpenByBDF",
          "xrtDeviceClose",
          "xrtDeviceLoadXclbinHandle",
          "xrtDeviceGetXclbinUUID",
          "xrtXclbinAllocRawData",
          "xrtXclbinFreeHandle",
          "xrtPLKernelOpen",
          "xrtKernelClose",
          "xrtKernelArgGroupId",
          "xrtBOAlloc",
          "xrtBOFree",
          "xrtBOMap",
          "xrtBOSync",
          "xrtRunOpen",
          "xrtRunStart",
          "xrtRunState",
          "xrtRunClose",
          "xrtRunSetArg");

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static volatile @Nullable SymbolLookup library;

  private xrt_h() {}

  /** Names the libraries to link with; to be called once, before any function. */
  public static void use(SymbolLookup value) {
    library = value;
  }

  /** Returns the layout of the state captured by functions that take it. */
  public static StructLayout callState() {
    return CALL_STATE;
  }

  /** Returns the error number in a captured state; often stale, see the README. */
  public static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  private static MemorySegment find(String name) {
    SymbolLookup lookup = library;
    if (lookup == null) {
      throw new IllegalStateException(name + " is called before the library is loaded");
    }
    return lookup.findOrThrow(name);
  }

  private static MethodHandle link(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(find(name), descriptor, options);
  }

  private static AssertionError unexpected(Throwable t) {
    return new AssertionError("a native call never throws", t);
  }

  /** XCL_BO_SYNC_BO_TO_DEVICE. */
  public static int XCL_BO_SYNC_BO_TO_DEVICE() {
    return 0;
  }

  /** XCL_BO_SYNC_BO_FROM_DEVICE. */
  public static int XCL_BO_SYNC_BO_FROM_DEVICE() {
    return 1;
  }

  /** ERT_CMD_STATE_NEW. */
  public static int ERT_CMD_STATE_NEW() {
    return 1;
  }

  /** ERT_CMD_STATE_QUEUED. */
  public static int ERT_CMD_STATE_QUEUED() {
    return 2;
  }

  /** ERT_CMD_STATE_RUNNING. */
  public static int ERT_CMD_STATE_RUNNING() {
    return 3;
  }

  /** ERT_CMD_STATE_COMPLETED. */
  public static int ERT_CMD_STATE_COMPLETED() {
    return 4;
  }

  /** ERT_CMD_STATE_ERROR. */
  public static int ERT_CMD_STATE_ERROR() {
    return 5;
  }

  /** ERT_CMD_STATE_ABORT. */
  public static int ERT_CMD_STATE_ABORT() {
    return 6;
  }

  /** ERT_CMD_STATE_SUBMITTED. */
  public static int ERT_CMD_STATE_SUBMITTED() {
    return 7;
  }

  /** ERT_CMD_STATE_TIMEOUT. */
  public static int ERT_CMD_STATE_TIMEOUT() {
    return 8;
  }

  /** ERT_CMD_STATE_NORESPONSE. */
  public static int ERT_CMD_STATE_NORESPONSE() {
    return 9;
  }

  /** ERT_CMD_STATE_SKERROR. */
  public static int ERT_CMD_STATE_SKERROR() {
    return 10;
  }

  /** ERT_CMD_STATE_SKCRASHED. */
  public static int ERT_CMD_STATE_SKCRASHED() {
    return 11;
  }

  private static final class xrtIniStringSet {
    static final MethodHandle HANDLE = link("xrtIniStringSet", xrtIniStringSet$descriptor());
  }

  /** Describes {@link #xrtIniStringSet}. */
  public static FunctionDescriptor xrtIniStringSet$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
  }

  /** Calls {@code int xrtIniStringSet(const char* key, const char* value)}. */
  public static int xrtIniStringSet(MemorySegment key, MemorySegment value) {
    try {
      return (int) xrtIniStringSet.HANDLE.invokeExact(key, value);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtIniUintSet {
    static final MethodHandle HANDLE = link("xrtIniUintSet", xrtIniUintSet$descriptor());
  }

  /** Describes {@link #xrtIniUintSet}. */
  public static FunctionDescriptor xrtIniUintSet$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
  }

  /** Calls {@code int xrtIniUintSet(const char* key, unsigned int value)}. */
  public static int xrtIniUintSet(MemorySegment key, int value) {
    try {
      return (int) xrtIniUintSet.HANDLE.invokeExact(key, value);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtDeviceOpen {
    static final MethodHandle HANDLE = link("xrtDeviceOpen", xrtDeviceOpen$descriptor());
  }

  /** Describes {@link #xrtDeviceOpen}. */
  public static FunctionDescriptor xrtDeviceOpen$descriptor() {
    return FunctionDescriptor.of(ADDRESS, JAVA_INT);
  }

  /** Calls {@code xrtDeviceHandle xrtDeviceOpen(unsigned int index)}. */
  public static MemorySegment xrtDeviceOpen(int index) {
    try {
      return (MemorySegment) xrtDeviceOpen.HANDLE.invokeExact(index);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtDeviceOpenByBDF {
    static final MethodHandle HANDLE = link("xrtDeviceOpenByBDF", xrtDeviceOpenByBDF$descriptor());
  }

  /** Describes {@link #xrtDeviceOpenByBDF}. */
  public static FunctionDescriptor xrtDeviceOpenByBDF$descriptor() {
    return FunctionDescriptor.of(ADDRESS, ADDRESS);
  }

  /** Calls {@code xrtDeviceHandle xrtDeviceOpenByBDF(const char* bdf)}. */
  public static MemorySegment xrtDeviceOpenByBDF(MemorySegment bdf) {
    try {
      return (MemorySegment) xrtDeviceOpenByBDF.HANDLE.invokeExact(bdf);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtDeviceClose {
    static final MethodHandle HANDLE = link("xrtDeviceClose", xrtDeviceClose$descriptor());
  }

  /** Describes {@link #xrtDeviceClose}. */
  public static FunctionDescriptor xrtDeviceClose$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code int xrtDeviceClose(xrtDeviceHandle dhdl)}. */
  public static int xrtDeviceClose(MemorySegment dhdl) {
    try {
      return (int) xrtDeviceClose.HANDLE.invokeExact(dhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtDeviceLoadXclbinHandle {
    static final MethodHandle HANDLE =
        link(
            "xrtDeviceLoadXclbinHandle",
            xrtDeviceLoadXclbinHandle$descriptor(),
            Linker.Option.captureCallState("errno"));
  }

  /** Describes {@link #xrtDeviceLoadXclbinHandle}. */
  public static FunctionDescriptor xrtDeviceLoadXclbinHandle$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
  }

  /** Calls {@code int xrtDeviceLoadXclbinHandle(xrtDeviceHandle dhdl, xrtXclbinHandle xhdl)}. */
  public static int xrtDeviceLoadXclbinHandle(
      MemorySegment state, MemorySegment dhdl, MemorySegment xhdl) {
    try {
      return (int) xrtDeviceLoadXclbinHandle.HANDLE.invokeExact(state, dhdl, xhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtDeviceGetXclbinUUID {
    static final MethodHandle HANDLE =
        link("xrtDeviceGetXclbinUUID", xrtDeviceGetXclbinUUID$descriptor());
  }

  /** Describes {@link #xrtDeviceGetXclbinUUID}. */
  public static FunctionDescriptor xrtDeviceGetXclbinUUID$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
  }

  /** Calls {@code int xrtDeviceGetXclbinUUID(xrtDeviceHandle dhdl, xuid_t out)}. */
  public static int xrtDeviceGetXclbinUUID(MemorySegment dhdl, MemorySegment out) {
    try {
      return (int) xrtDeviceGetXclbinUUID.HANDLE.invokeExact(dhdl, out);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtXclbinAllocRawData {
    static final MethodHandle HANDLE =
        link("xrtXclbinAllocRawData", xrtXclbinAllocRawData$descriptor());
  }

  /** Describes {@link #xrtXclbinAllocRawData}. */
  public static FunctionDescriptor xrtXclbinAllocRawData$descriptor() {
    return FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT);
  }

  /** Calls {@code xrtXclbinHandle xrtXclbinAllocRawData(const char* data, int size)}. */
  public static MemorySegment xrtXclbinAllocRawData(MemorySegment data, int size) {
    try {
      return (MemorySegment) xrtXclbinAllocRawData.HANDLE.invokeExact(data, size);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtXclbinFreeHandle {
    static final MethodHandle HANDLE =
        link("xrtXclbinFreeHandle", xrtXclbinFreeHandle$descriptor());
  }

  /** Describes {@link #xrtXclbinFreeHandle}. */
  public static FunctionDescriptor xrtXclbinFreeHandle$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code int xrtXclbinFreeHandle(xrtXclbinHandle xhdl)}. */
  public static int xrtXclbinFreeHandle(MemorySegment xhdl) {
    try {
      return (int) xrtXclbinFreeHandle.HANDLE.invokeExact(xhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtPLKernelOpen {
    static final MethodHandle HANDLE = link("xrtPLKernelOpen", xrtPLKernelOpen$descriptor());
  }

  /** Describes {@link #xrtPLKernelOpen}. */
  public static FunctionDescriptor xrtPLKernelOpen$descriptor() {
    return FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  }

  /**
   * Calls {@code xrtKernelHandle xrtPLKernelOpen(xrtDeviceHandle deviceHandle, const xuid_t
   * xclbinId, const char* name)}.
   */
  public static MemorySegment xrtPLKernelOpen(
      MemorySegment deviceHandle, MemorySegment xclbinId, MemorySegment name) {
    try {
      return (MemorySegment) xrtPLKernelOpen.HANDLE.invokeExact(deviceHandle, xclbinId, name);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtKernelClose {
    static final MethodHandle HANDLE = link("xrtKernelClose", xrtKernelClose$descriptor());
  }

  /** Describes {@link #xrtKernelClose}. */
  public static FunctionDescriptor xrtKernelClose$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code int xrtKernelClose(xrtKernelHandle kernelHandle)}. */
  public static int xrtKernelClose(MemorySegment kernelHandle) {
    try {
      return (int) xrtKernelClose.HANDLE.invokeExact(kernelHandle);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtKernelArgGroupId {
    static final MethodHandle HANDLE =
        link("xrtKernelArgGroupId", xrtKernelArgGroupId$descriptor());
  }

  /** Describes {@link #xrtKernelArgGroupId}. */
  public static FunctionDescriptor xrtKernelArgGroupId$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
  }

  /** Calls {@code int xrtKernelArgGroupId(xrtKernelHandle kernelHandle, int argno)}. */
  public static int xrtKernelArgGroupId(MemorySegment kernelHandle, int argno) {
    try {
      return (int) xrtKernelArgGroupId.HANDLE.invokeExact(kernelHandle, argno);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtBOAlloc {
    static final MethodHandle HANDLE = link("xrtBOAlloc", xrtBOAlloc$descriptor());
  }

  /** Describes {@link #xrtBOAlloc}. */
  public static FunctionDescriptor xrtBOAlloc$descriptor() {
    return FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT);
  }

  /**
   * Calls {@code xrtBufferHandle xrtBOAlloc(xrtDeviceHandle dhdl, size_t size, xrtBufferFlags
   * flags, xrtMemoryGroup grp)}.
   */
  public static MemorySegment xrtBOAlloc(MemorySegment dhdl, long size, long flags, int grp) {
    try {
      return (MemorySegment) xrtBOAlloc.HANDLE.invokeExact(dhdl, size, flags, grp);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtBOFree {
    static final MethodHandle HANDLE = link("xrtBOFree", xrtBOFree$descriptor());
  }

  /** Describes {@link #xrtBOFree}. */
  public static FunctionDescriptor xrtBOFree$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code int xrtBOFree(xrtBufferHandle bhdl)}. */
  public static int xrtBOFree(MemorySegment bhdl) {
    try {
      return (int) xrtBOFree.HANDLE.invokeExact(bhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtBOMap {
    static final MethodHandle HANDLE = link("xrtBOMap", xrtBOMap$descriptor());
  }

  /** Describes {@link #xrtBOMap}. */
  public static FunctionDescriptor xrtBOMap$descriptor() {
    return FunctionDescriptor.of(ADDRESS, ADDRESS);
  }

  /** Calls {@code void* xrtBOMap(xrtBufferHandle bhdl)}. */
  public static MemorySegment xrtBOMap(MemorySegment bhdl) {
    try {
      return (MemorySegment) xrtBOMap.HANDLE.invokeExact(bhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtBOSync {
    static final MethodHandle HANDLE = link("xrtBOSync", xrtBOSync$descriptor());
  }

  /** Describes {@link #xrtBOSync}. */
  public static FunctionDescriptor xrtBOSync$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG);
  }

  /**
   * Calls {@code int xrtBOSync(xrtBufferHandle bhdl, enum xclBOSyncDirection dir, size_t size,
   * size_t offset)}.
   */
  public static int xrtBOSync(MemorySegment bhdl, int dir, long size, long offset) {
    try {
      return (int) xrtBOSync.HANDLE.invokeExact(bhdl, dir, size, offset);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunOpen {
    static final MethodHandle HANDLE = link("xrtRunOpen", xrtRunOpen$descriptor());
  }

  /** Describes {@link #xrtRunOpen}. */
  public static FunctionDescriptor xrtRunOpen$descriptor() {
    return FunctionDescriptor.of(ADDRESS, ADDRESS);
  }

  /** Calls {@code xrtRunHandle xrtRunOpen(xrtKernelHandle kernelHandle)}. */
  public static MemorySegment xrtRunOpen(MemorySegment kernelHandle) {
    try {
      return (MemorySegment) xrtRunOpen.HANDLE.invokeExact(kernelHandle);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunStart {
    static final MethodHandle HANDLE = link("xrtRunStart", xrtRunStart$descriptor());
  }

  /** Describes {@link #xrtRunStart}. */
  public static FunctionDescriptor xrtRunStart$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code int xrtRunStart(xrtRunHandle rhdl)}. */
  public static int xrtRunStart(MemorySegment rhdl) {
    try {
      return (int) xrtRunStart.HANDLE.invokeExact(rhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunState {
    static final MethodHandle HANDLE = link("xrtRunState", xrtRunState$descriptor());
  }

  /** Describes {@link #xrtRunState}. */
  public static FunctionDescriptor xrtRunState$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code enum ert_cmd_state xrtRunState(xrtRunHandle rhdl)}. */
  public static int xrtRunState(MemorySegment rhdl) {
    try {
      return (int) xrtRunState.HANDLE.invokeExact(rhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunClose {
    static final MethodHandle HANDLE = link("xrtRunClose", xrtRunClose$descriptor());
  }

  /** Describes {@link #xrtRunClose}. */
  public static FunctionDescriptor xrtRunClose$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS);
  }

  /** Calls {@code int xrtRunClose(xrtRunHandle rhdl)}. */
  public static int xrtRunClose(MemorySegment rhdl) {
    try {
      return (int) xrtRunClose.HANDLE.invokeExact(rhdl);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xclProbe {
    static final MethodHandle HANDLE = link("xclProbe", xclProbe$descriptor());
  }

  /** Describes {@link #xclProbe}. */
  public static FunctionDescriptor xclProbe$descriptor() {
    return FunctionDescriptor.of(JAVA_INT);
  }

  /** Calls {@code unsigned xclProbe(void)}. */
  public static int xclProbe() {
    try {
      return (int) xclProbe.HANDLE.invokeExact();
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunSetArgBuffer {
    static final MethodHandle HANDLE =
        link(
            "xrtRunSetArg",
            xrtRunSetArg$descriptor().appendArgumentLayouts(ADDRESS),
            Linker.Option.firstVariadicArg(2));
  }

  /** Calls {@code int xrtRunSetArg(xrtRunHandle rhdl, int index, ...)} with a xrtBufferHandle. */
  public static int xrtRunSetArg(MemorySegment rhdl, int index, MemorySegment value) {
    try {
      return (int) xrtRunSetArgBuffer.HANDLE.invokeExact(rhdl, index, value);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunSetArgInt {
    static final MethodHandle HANDLE =
        link(
            "xrtRunSetArg",
            xrtRunSetArg$descriptor().appendArgumentLayouts(JAVA_INT),
            Linker.Option.firstVariadicArg(2));
  }

  /** Calls {@code int xrtRunSetArg(xrtRunHandle rhdl, int index, ...)} with a uint32_t. */
  public static int xrtRunSetArg(MemorySegment rhdl, int index, int value) {
    try {
      return (int) xrtRunSetArgInt.HANDLE.invokeExact(rhdl, index, value);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunSetArgLong {
    static final MethodHandle HANDLE =
        link(
            "xrtRunSetArg",
            xrtRunSetArg$descriptor().appendArgumentLayouts(JAVA_LONG),
            Linker.Option.firstVariadicArg(2));
  }

  /** Calls {@code int xrtRunSetArg(xrtRunHandle rhdl, int index, ...)} with a uint64_t. */
  public static int xrtRunSetArg(MemorySegment rhdl, int index, long value) {
    try {
      return (int) xrtRunSetArgLong.HANDLE.invokeExact(rhdl, index, value);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static final class xrtRunSetArgDouble {
    static final MethodHandle HANDLE =
        link(
            "xrtRunSetArg",
            xrtRunSetArg$descriptor().appendArgumentLayouts(JAVA_DOUBLE),
            Linker.Option.firstVariadicArg(2));
  }

  /**
   * Calls {@code int xrtRunSetArg(xrtRunHandle rhdl, int index, ...)} with a double, for a C float
   * too: variadic arguments are promoted.
   */
  public static int xrtRunSetArg(MemorySegment rhdl, int index, double value) {
    try {
      return (int) xrtRunSetArgDouble.HANDLE.invokeExact(rhdl, index, value);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** Describes the fixed arguments of the variadic {@code xrtRunSetArg}. */
  public static FunctionDescriptor xrtRunSetArg$descriptor() {
    return FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
  }
}
