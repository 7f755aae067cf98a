package dev.muster.hal.xrt;

import dev.muster.api.Application;
import dev.muster.api.Hal;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.testkit.DeviceContract;
import dev.muster.testkit.QueuedHal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Holds the layer to the HALs' contract, one rule a process. */
final class XrtContract implements DeviceContract {
  private static final String HANG = "hang-vadd_1";
  private static final Duration RUN_LIMIT = Duration.ofMillis(1500);
  private static final int WORKERS = 6;

  private final XrtOptions options;
  private final int lanes;
  private final Path first;
  private final Path second;
  private final @Nullable Emulation emulation;
  private @Nullable QueuedHal queued;

  private XrtContract(
      XrtOptions options, int lanes, Path first, Path second, @Nullable Emulation emulation) {
    this.options = options;
    this.lanes = lanes;
    this.first = first;
    this.second = second;
    this.emulation = emulation;
  }

  static XrtContract onNoop(Path folder) throws IOException {
    XclbinFile.Mode mode = XclbinFile.Mode.CARD;
    return new XrtContract(
        XrtOptions.ofNoop(),
        WORKERS,
        Files.write(folder.resolve("first.xclbin"), TestImages.first(mode).toBytes()),
        Files.write(folder.resolve("second.xclbin"), TestImages.second(mode).toBytes()),
        null);
  }

  static XrtContract onEmulatedCards(Path folder) {
    Emulation emulation = Emulation.at(folder);
    return new XrtContract(
        emulation.options(), WORKERS / 3, emulation.first(), emulation.second(), emulation);
  }

  /** Returns the names of the contract's tests. */
  static Stream<String> rules() {
    return Arrays.stream(DeviceContract.class.getMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(java.lang.reflect.Method::getName)
        .sorted();
  }

  /**
   * Returns the names of the tests that hold on emulated cards. DEV-9 opens a card while another
   * one works, which ends the process in an assertion of Debian's emulation driver; the scenario
   * "stress", whose cards are opened first, stands in for it.
   */
  static Stream<String> rulesForEmulatedCards() {
    return rules().filter(rule -> !rule.startsWith("dev9"));
  }

  /** Runs one test of the contract; one that does not apply says why and passes. */
  void run(String rule) throws Exception {
    try {
      DeviceContract.class.getMethod(rule).invoke(this);
    } catch (InvocationTargetException e) {
      if (!(e.getCause() instanceof TestAbortedException)) {
        throw e;
      }
      System.out.println(e.getCause().getMessage());
    }
  }

  @Override
  public Hal hal() {
    XrtHal hal =
        XrtHal.builder(options)
            .lanesPerCard(lanes)
            .runLimit(RUN_LIMIT)
            .callLimit(Duration.ofSeconds(5))
            .build();
    QueuedHal result = QueuedHal.of(hal, Duration.ofSeconds(30));
    queued = result;
    return result;
  }

  @Override
  public WorkerType type() {
    return WorkerType.builder("card").maxWorkers(WORKERS).build();
  }

  @Override
  public Application application() {
    return Application.of(
        "vadd",
        Variant.builder("first", "card").image(first.toString()).build(),
        Variant.builder("second", "card").image(second.toString()).build());
  }

  @Override
  public boolean pump(Hal hal, Engine engine) {
    return queued != null && queued.pump(engine);
  }

  @Override
  public Object payload() {
    repair();
    return NativeScenarios.vadd(new int[] {1, 2, 3}, new int[] {4, 5, 6});
  }

  /** A unit that hangs is the only way to overrun: it lasts until the next ordinary task. */
  @Override
  public @Nullable Object overrunningPayload() {
    if (emulation == null) {
      return null;
    }
    try {
      emulation.fault(HANG, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return NativeScenarios.vadd(new int[] {1}, new int[] {2});
  }

  private void repair() {
    if (emulation != null) {
      try {
        emulation.repair(HANG);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public boolean lose(Hal hal, Worker worker) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    return emulation != null;
  }
}
