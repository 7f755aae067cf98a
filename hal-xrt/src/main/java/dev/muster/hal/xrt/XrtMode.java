package dev.muster.hal.xrt;

import org.jspecify.annotations.Nullable;

/** Names the drivers that XRT offers; a process uses one of them for its whole life. */
public enum XrtMode {
  /** Real cards. */
  HARDWARE("xrt_core", null),
  /** No card: every call succeeds and nothing is computed; for tests of life cycles and costs. */
  NOOP("xrt_noop", "noop"),
  /** Cards that are processes of this machine. */
  SOFTWARE_EMULATION("xrt_swemu", "sw_emu");

  private final String driver;
  private final @Nullable String variable;

  XrtMode(String driver, @Nullable String variable) {
    this.driver = driver;
    this.variable = variable;
  }

  /** Returns the file name of the driver. */
  String driverFile() {
    return "lib" + driver + ".so.2";
  }

  /** Returns the value of XCL_EMULATION_MODE, or null to remove it. */
  @Nullable String variable() {
    return variable;
  }

  boolean isEmulation() {
    return this != HARDWARE;
  }
}
