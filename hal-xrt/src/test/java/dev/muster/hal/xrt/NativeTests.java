package dev.muster.hal.xrt;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Decides whether a native test that cannot run is skipped or fails. */
public final class NativeTests {
  /** Set by .ci/run, which installs what the tests need. */
  private static final String REQUIRED = "muster.xrt.required";

  private NativeTests() {}

  /** Skips the test with a reason, or fails it where nothing may be skipped. */
  public static void require(boolean condition, String reason) {
    if (!condition && Boolean.getBoolean(REQUIRED)) {
      fail(reason + " (" + REQUIRED + " forbids to skip)");
    }
    assumeTrue(condition, reason);
  }

  static void requireLibrary(XrtMode mode) {
    XrtLocation location = XrtLocation.find(mode);
    require(
        location.libraryFolder().isPresent(),
        "no libxrt: " + location.looked() + "; apt install libxrt1");
  }
}
