package dev.muster.hal.xrt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the scenarios against the real library, each in a JVM that is killed at its deadline. */
final class NativeTest {
  private static final int SECONDS = 60;

  private static Path folder(String scenario) throws Exception {
    Path target = Files.createDirectories(Path.of("target", "native").toAbsolutePath());
    return Files.createTempDirectory(target, scenario + "-");
  }

  private static void passes(Path folder, String scenario, String... more) throws Exception {
    String[] arguments = new String[2 + more.length];
    arguments[0] = scenario;
    arguments[1] = folder.toString();
    System.arraycopy(more, 0, arguments, 2, more.length);
    ChildJvm.Result result = ChildJvm.run(folder, scenario, SECONDS, Map.of(), arguments);
    assertThat(result.output()).as(scenario + " " + result.status()).endsWith("PASSED\n");
    assertThat(result.timedOut()).as(result.output()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"noop-lifecycle", "noop-errors", "noop-leaks", "noop-slow"})
  void withoutComputing(String scenario) throws Exception {
    NativeTests.requireLibrary(XrtMode.NOOP);
    passes(folder(scenario), scenario);
  }

  @Test
  void withoutACard() throws Exception {
    NativeTests.requireLibrary(XrtMode.HARDWARE);
    passes(folder("no-card"), "no-card");
  }

  @ParameterizedTest
  @ValueSource(strings = {"emulated", "refused", "slow", "hung", "killed", "stress"})
  void onEmulatedCards(String scenario) throws Exception {
    NativeTests.requireLibrary(XrtMode.SOFTWARE_EMULATION);
    Path folder = folder(scenario);
    Emulation.prepare(folder);
    passes(folder, scenario);
  }

  @ParameterizedTest
  @MethodSource("dev.muster.hal.xrt.XrtContract#rules")
  void keepsTheContractWithoutComputing(String rule) throws Exception {
    NativeTests.requireLibrary(XrtMode.NOOP);
    passes(folder("contract-noop"), "contract-noop", rule);
  }

  @ParameterizedTest
  @MethodSource("dev.muster.hal.xrt.XrtContract#rulesForEmulatedCards")
  void keepsTheContractOnThreeEmulatedCards(String rule) throws Exception {
    NativeTests.requireLibrary(XrtMode.SOFTWARE_EMULATION);
    Path folder = folder("contract");
    Emulation.prepare(folder);
    passes(folder, "contract-emulated", rule);
  }

  /**
   * Runs ten scripts a process; {@code -Dmuster.xrt.fault.scripts=200} runs as many as were
   * measured once.
   */
  @ParameterizedTest
  @MethodSource("faultSeeds")
  void faultScriptsLoseNoTask(long seed) throws Exception {
    NativeTests.requireLibrary(XrtMode.SOFTWARE_EMULATION);
    Path folder = folder("faults");
    Emulation.prepare(folder);
    passes(folder, "faults", Long.toString(seed));
  }

  static LongStream faultSeeds() {
    return LongStream.rangeClosed(
        1, Math.ceilDiv(Long.getLong("muster.xrt.fault.scripts", 40), 10));
  }

  /** What the preflight prevents really ends a JVM. */
  @ParameterizedTest
  @CsvSource({"raw-abort, terminate called", "raw-empty-image, SIGSEGV"})
  void crashesWithoutThePreflight(String scenario, String how) throws Exception {
    NativeTests.requireLibrary(XrtMode.NOOP);
    Path folder = folder(scenario);
    ChildJvm.Result result =
        ChildJvm.run(folder, scenario, SECONDS, Map.of(), scenario, folder.toString());
    assertThat(result.status()).as(result.output()).isNotZero();
    assertThat(result.output()).contains(how);
  }

  @Test
  void aMissingLibrarySaysWhereItWasLookedFor() throws Exception {
    Path folder = folder("no-library");
    ChildJvm.Result result =
        ChildJvm.run(folder, "no-library", SECONDS, Map.of(), "no-library", folder.toString());
    assertThat(result.status()).isZero();
    assertThat(result.output())
        .contains("DeviceException: XRT is not installed; looked at " + folder)
        .contains("apt install libxrt1");
  }

  @Test
  void aMissingFlagIsNamed() throws Exception {
    NativeTests.requireLibrary(XrtMode.NOOP);
    Path folder = folder("no-native-access");
    ChildJvm.Result result =
        ChildJvm.run(
            folder,
            "no-native-access",
            SECONDS,
            Map.of(),
            List.of("--enable-native-access=java.base"),
            NativeScenarios.class,
            "no-native-access",
            folder.toString());
    assertThat(result.output()).contains("start Java with --enable-native-access=ALL-UNNAMED");
  }
}
