package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import dev.muster.hal.xrt.binding.Libc;
import dev.muster.hal.xrt.binding.xrt_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Loads XRT into this process and prepares it so that none of its error paths can end the process.
 *
 * <p>XRT reads its environment once and keeps its driver for good, so there is one library per
 * process; asking again with the same options gives the same object. Everything that XRT would
 * answer with an abort is checked in Java first. What XRT logs goes to a file and from there into
 * the messages of exceptions. Safe for all threads.
 */
@SuppressWarnings("restricted")
public final class XrtLibrary {
  private static final int MAX_LOG_BYTES = 2048;
  private static @Nullable XrtLibrary opened;
  private static @Nullable XrtOptions openedWith;

  private final XrtMode mode;
  private final Path root;
  private final String version;
  private final Path log;
  private final int deviceCount;
  private long logRead;
  private volatile boolean unitHung;

  private XrtLibrary(XrtMode mode, Path root, String version, Path log, int deviceCount) {
    this.mode = mode;
    this.root = root;
    this.version = version;
    this.log = log;
    this.deviceCount = deviceCount;
  }

  /**
   * Loads the library, or returns the one that is loaded.
   *
   * @throws DeviceException of kind UNAVAILABLE if it cannot be used, saying what to do
   */
  public static synchronized XrtLibrary open(XrtOptions options) {
    if (opened != null) {
      if (!options.equals(openedWith)) {
        throw unavailable(
            "this process uses XRT with "
                + openedWith
                + " already, and XRT cannot change; use a process per mode",
            null);
      }
      return opened;
    }
    requireHost();
    XrtLocation location =
        options.root() == null
            ? XrtLocation.find(options.mode())
            : XrtLocation.find(options.mode(), options.root().toString(), Map.of(), Path.of("/"));
    Path folder = location.require();
    requireEmulation(options);
    try {
      Path scratch = Files.createTempDirectory("muster-xrt-");
      deleteAtExit(scratch);
      XrtLibrary library = load(options, rootOf(folder, scratch), scratch, location);
      opened = library;
      openedWith = options;
      return library;
    } catch (IOException e) {
      throw unavailable(
          "the folder for XRT's log cannot be made below "
              + System.getProperty("java.io.tmpdir")
              + "; give a writable one: -Djava.io.tmpdir=...",
          e);
    }
  }

  private static void requireHost() {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw unavailable(
          "XRT is there for Linux only; this is " + System.getProperty("os.name"), null);
    }
    Module module = XrtLibrary.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      throw unavailable(
          "native access is not enabled; start Java with --enable-native-access="
              + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
          null);
    }
  }

  /** Checks what the emulation driver would wait 300 s for, or end the process over. */
  private static void requireEmulation(XrtOptions options) {
    XrtOptions.Emulation emulation = options.emulation();
    if (emulation == null) {
      return;
    }
    if (!Files.isExecutable(emulation.program())) {
      throw unavailable(emulation.program() + " is not executable; give the device program", null);
    }
    Path cards = emulation.cards().resolve("emconfig.json");
    if (!Files.isRegularFile(cards)) {
      throw unavailable(cards + " is not there; write it (emconfigutil does)", null);
    }
    if (!Files.isDirectory(emulation.runs()) || !Files.isWritable(emulation.runs())) {
      throw unavailable(emulation.runs() + " is not a writable folder; make it", null);
    }
    if (!emulation.user().matches("[a-zA-Z0-9_-]{1,32}")) {
      throw unavailable("\"" + emulation.user() + "\" is no user name; use letters", null);
    }
  }

  /** XRT wants its libraries in a folder named lib; gives it one where a distribution has none. */
  private static Path rootOf(Path folder, Path scratch) throws IOException {
    if (String.valueOf(folder.getFileName()).equals("lib") && folder.getParent() != null) {
      return folder.getParent();
    }
    Files.createSymbolicLink(scratch.resolve("lib"), folder);
    return scratch;
  }

  private static XrtLibrary load(
      XrtOptions options, Path root, Path scratch, XrtLocation location) {
    environment(options, root).forEach(Libc::setenv);
    Path lib = root.resolve("lib");
    String version = location.version().orElse("unknown");
    try {
      SymbolLookup library =
          SymbolLookup.libraryLookup(lib.resolve("libxrt_coreutil.so.2"), Arena.global());
      requireSymbols(library, version);
      xrt_h.use(library);
      Path log = scratch.resolve("xrt.log");
      configure(options, log);
      SymbolLookup[] driver = new SymbolLookup[1];
      Libc.keepingSignalHandlers(
          () ->
              driver[0] =
                  SymbolLookup.libraryLookup(
                      lib.resolve(options.mode().driverFile()), Arena.global()));
      SymbolLookup both = name -> library.find(name).or(() -> driver[0].find(name));
      xrt_h.use(both);
      return new XrtLibrary(options.mode(), root, version, log, xrt_h.xclProbe());
    } catch (IllegalArgumentException e) {
      throw unavailable(
          "the libraries in "
              + lib
              + " cannot be loaded ("
              + e.getMessage()
              + "); install what they depend on: ldd "
              + lib.resolve("libxrt_coreutil.so.2"),
          e);
    }
  }

  private static Map<String, @Nullable String> environment(XrtOptions options, Path root) {
    Map<String, @Nullable String> variables = new TreeMap<>();
    variables.put("XILINX_XRT", root.toString());
    variables.put("XCL_EMULATION_MODE", options.mode().variable());
    XrtOptions.Emulation emulation = options.emulation();
    if (emulation != null) {
      variables.put("XILINX_VITIS", emulation.vitis().toAbsolutePath().toString());
      variables.put("EMCONFIG_PATH", emulation.cards().toAbsolutePath().toString());
      variables.put("SDACCEL_EM_RUN_DIR", emulation.runs().toAbsolutePath().toString());
      variables.put("USER", emulation.user());
    }
    return variables;
  }

  private static void requireSymbols(SymbolLookup library, String version) {
    List<String> missing = new ArrayList<>();
    for (String function : xrt_h.FUNCTIONS) {
      if (library.find(function).isEmpty()) {
        missing.add(function);
      }
    }
    if (!missing.isEmpty()) {
      throw unavailable("XRT " + version + " lacks " + missing + "; install 2.13 or newer", null);
    }
  }

  /** Redirects the log before anything is logged; XRT aborts if it cannot print a message. */
  private static void configure(XrtOptions options, Path log) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          xrt_h.xrtIniStringSet(
              arena.allocateFrom("Runtime.runtime_log"), arena.allocateFrom(log.toString()));
      for (Map.Entry<String, Integer> setting : options.settings().entrySet()) {
        result |= xrt_h.xrtIniUintSet(arena.allocateFrom(setting.getKey()), setting.getValue());
      }
      if (result != 0) {
        throw unavailable(
            "XRT refused its settings " + options.settings() + "; correct them", null);
      }
    }
  }

  /** Returns which driver is in use. */
  public XrtMode mode() {
    return mode;
  }

  /** Returns the folder that XRT sees as its own. */
  public Path root() {
    return root;
  }

  /** Returns the version of the library as in its file name, e.g. {@code "2.13.0"}. */
  public String version() {
    return version;
  }

  /** Returns how many devices the driver counts. */
  public int deviceCount() {
    return deviceCount;
  }

  /**
   * Ends the process at once, without shutdown hooks and without the destructors of native code.
   *
   * <p>After a device was lost inside a native call, the ordinary ways to end a process wait for
   * that call for ever.
   */
  public static void exitNow(int status) {
    Libc.exit(status);
  }

  /** Remembers that a unit hangs somewhere in this process. */
  void unitHung() {
    unitHung = true;
  }

  /**
   * Tells whether loading or closing would end the process: the emulation's way with hung units.
   */
  boolean isBroken() {
    return unitHung && mode == XrtMode.SOFTWARE_EMULATION;
  }

  /** Refuses a load that would end the process. */
  void requireLoadable(String device) {
    if (isBroken()) {
      throw new DeviceException(
          DeviceException.Kind.LOAD_FAILED,
          device + ": the software emulation cannot load after a unit hung; start a new process",
          null);
    }
  }

  /** Returns what XRT logged since the last call, cut to its end. */
  synchronized Optional<String> newLog() {
    try {
      long size = Files.exists(log) ? Files.size(log) : 0;
      if (size <= logRead) {
        return Optional.empty();
      }
      long from = Math.max(logRead, size - MAX_LOG_BYTES);
      logRead = size;
      try (var channel = Files.newByteChannel(log)) {
        channel.position(from);
        var bytes = java.nio.ByteBuffer.allocate((int) (size - from));
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
        return Optional.of(
            new String(bytes.array(), 0, bytes.position(), java.nio.charset.StandardCharsets.UTF_8)
                .strip());
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Creates an exception with what XRT logged about it. */
  DeviceException failure(DeviceException.Kind kind, String what, String nextStep) {
    String said = newLog().map(text -> " (XRT: " + text.replaceAll("\\s+", " ") + ")").orElse("");
    return new DeviceException(kind, what + said + "; " + nextStep, null);
  }

  static boolean isNull(MemorySegment handle) {
    return handle.address() == 0;
  }

  private static DeviceException unavailable(String message, @Nullable Throwable cause) {
    return new DeviceException(DeviceException.Kind.UNAVAILABLE, message, cause);
  }

  private static void deleteAtExit(Path scratch) {
    scratch.toFile().deleteOnExit();
    scratch.resolve("xrt.log").toFile().deleteOnExit();
    scratch.resolve("lib").toFile().deleteOnExit();
  }
}
