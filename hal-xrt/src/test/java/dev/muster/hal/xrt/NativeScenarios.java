package dev.muster.hal.xrt;

import dev.muster.api.Application;
import dev.muster.api.DeviceException;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outcome;
import dev.muster.api.Scheduler;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.baseline.Baselines;
import dev.muster.core.live.LiveScheduler;
import dev.muster.hal.xrt.binding.xrt_h;
import dev.muster.hal.xrt.emulator.Kernels;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Runs one scenario against the real library; its last line is PASSED or it did not pass. */
public final class NativeScenarios {
  private static final int COUNT = 1024;

  private NativeScenarios() {}

  /** Runs the scenario named by the first argument in the folder named by the second. */
  public static void main(String[] args) {
    Path folder = Path.of(args[1]);
    try {
      switch (args[0]) {
        case "noop-lifecycle" -> noopLifecycle(folder);
        case "noop-errors" -> noopErrors(folder);
        case "noop-leaks" -> noopLeaks(folder);
        case "noop-slow" -> noopSlow(folder);
        case "raw-abort" -> rawAbort();
        case "raw-empty-image" -> rawEmptyImage();
        case "no-library" -> XrtLibrary.open(XrtOptions.ofNoop().withRoot(folder));
        case "no-native-access" -> XrtLibrary.open(XrtOptions.ofNoop());
        case "no-card" -> noCard(folder);
        case "emulated" -> emulated(Emulation.at(folder));
        case "refused" -> refused(Emulation.at(folder));
        case "slow" -> slow(Emulation.at(folder));
        case "hung" -> hung(Emulation.at(folder));
        case "killed" -> killed(Emulation.at(folder));
        case "stress" -> stress(Emulation.at(folder));
        case "contract-noop" -> XrtContract.onNoop(folder).run(args[2]);
        case "contract-emulated" -> XrtContract.onEmulatedCards(folder).run(args[2]);
        case "faults" -> faults(Emulation.at(folder), Long.parseLong(args[2]));
        default -> throw new IllegalArgumentException(args[0]);
      }
      System.out.println("PASSED");
    } catch (Throwable t) {
      t.printStackTrace(System.out);
    }
    System.out.flush();
    XrtLibrary.exitNow(0); // a lost card keeps the ordinary exit waiting
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private static String message(Throwable t) {
    return String.valueOf(t.getMessage());
  }

  private interface Attempt {
    void run() throws Exception;
  }

  private static void refusedInput(Attempt attempt, String why) throws Exception {
    try {
      attempt.run();
    } catch (InvalidInputException e) {
      check(message(e).contains(why), message(e));
      return;
    }
    throw new AssertionError("not refused: " + why);
  }

  private static void fails(DeviceException.Kind kind, Attempt attempt) throws Exception {
    try {
      attempt.run();
    } catch (DeviceException e) {
      check(e.kind() == kind, message(e));
      return;
    }
    throw new AssertionError("no failure " + kind);
  }

  // ---------------------------------------------------------------- noop

  private static Path image(Path folder, XclbinWriter writer) throws IOException {
    return Files.write(Files.createTempFile(folder, "image", ".xclbin"), writer.toBytes());
  }

  private static XrtKernel vadd(XrtDevice device, Path image) {
    device.load(image);
    return device.kernel("vadd", "vadd_1");
  }

  private static void arguments(XrtDevice device, XrtKernel kernel) {
    for (int i = 0; i < 3; i++) {
      kernel.run().argument(i, device.buffer(kernel.group(i), 4 * COUNT));
    }
    kernel.run().argument(3, COUNT);
  }

  private static void noopLifecycle(Path folder) throws Exception {
    Path first = image(folder, TestImages.first(XclbinFile.Mode.CARD));
    Path second = image(folder, TestImages.second(XclbinFile.Mode.CARD));
    XrtLibrary library = XrtLibrary.open(XrtOptions.ofNoop());
    check(library == XrtLibrary.open(XrtOptions.ofNoop()), "one library per process");
    check(library.version().startsWith("2."), library.version());
    check(library.deviceCount() == 1, "one device");
    XrtDevice device = XrtDevice.openEmulated(library, 0);
    check(device.id().equals("xrt:noop-0"), device.id());
    XrtKernel kernel = vadd(device, first);
    arguments(device, kernel);
    kernel.run().start();
    check(kernel.run().await(1_000_000_000L) == XrtRun.State.READY, "completed");
    check(!device.load(first), "the same image is not loaded again");
    check(device.load(second), "another one is");
    check(kernel.run().state() == XrtRun.State.CLOSED, "kernels are closed before a load");
    XrtKernel scale = device.kernel("scale", "scale_1");
    scale.run().argument(2, 1.5);
    device.close();
    device.close();
    check(device.state() == XrtDevice.State.CLOSED, "closed");
    fails(DeviceException.Kind.CLOSED, () -> device.load(first));
    fails(
        DeviceException.Kind.UNAVAILABLE,
        () -> XrtLibrary.open(XrtOptions.ofNoop().withSetting("Runtime.verbosity", 7)));
  }

  private static void noopErrors(Path folder) throws Exception {
    XrtLibrary library = XrtLibrary.open(XrtOptions.ofNoop());
    XrtDevice device = XrtDevice.openEmulated(library, 0);
    Path empty = Files.createFile(folder.resolve("empty.xclbin"));
    refusedInput(() -> device.load(empty), "length");
    refusedInput(() -> device.kernel("vadd", "vadd_1"), "needs an image");
    XrtKernel kernel = vadd(device, image(folder, TestImages.first(XclbinFile.Mode.CARD)));
    refusedInput(() -> device.kernel("nosuch", "x"), "nosuch");
    refusedInput(() -> device.kernel("vadd", "vadd_9"), "vadd_9");
    refusedInput(() -> kernel.group(3), "must be a buffer");
    refusedInput(() -> device.buffer(0, 0), "must be between 1");
    XrtBuffer buffer = device.buffer(kernel.group(0), 4096);
    refusedInput(() -> buffer.toDevice(4097), "4096");
    refusedInput(() -> buffer.fromDevice(-1), "4096");
    refusedInput(() -> kernel.run().argument(0, 1), "must be BUFFER");
    refusedInput(() -> kernel.run().argument(3, 1L), "must be SCALAR of 4 bytes");
    refusedInput(() -> kernel.run().argument(3, 1.0), "float or double");
    refusedInput(() -> kernel.run().argument(9, 1), "must be one of");
    arguments(device, kernel);
    kernel.run().start();
    fails(DeviceException.Kind.BUSY, () -> kernel.run().start());
    kernel.run().await(1_000_000_000L);
    buffer.release();
    fails(DeviceException.Kind.CLOSED, buffer::memory);
    fails(DeviceException.Kind.CLOSED, buffer::release);
    boolean[] confined = new boolean[1];
    Thread other =
        new Thread(
            () -> {
              try {
                device.load(empty);
              } catch (WrongThreadException e) {
                confined[0] = true;
              }
            });
    other.start();
    other.join();
    check(confined[0], "other threads are refused");
    device.close();
  }

  private static void noopLeaks(Path folder) throws Exception {
    Path image = image(folder, TestImages.first(XclbinFile.Mode.CARD));
    XrtHal hal = XrtHal.builder(XrtOptions.ofNoop()).lanesPerCard(3).build();
    HalDriver driver = new HalDriver(hal);
    Variant variant = HalDriver.variant(image.toString());
    List<Worker> workers = List.of(driver.provision(), driver.provision(), driver.provision());
    run(driver, workers, variant, 3000);
    long[] before = resources();
    run(driver, workers, variant, 10_000);
    long[] after = resources();
    System.out.println(
        "fds, threads, resident KB: " + Arrays.toString(before) + Arrays.toString(after));
    check(after[0] <= before[0], "file descriptors grow");
    check(after[1] <= before[1], "threads grow");
    check(after[2] <= before[2] + 8192, "resident memory grows");
    for (Worker worker : workers) {
      hal.release(worker);
      driver.expect("released");
    }
    fails(DeviceException.Kind.CLOSED, () -> hal.release(workers.getFirst()));
    check(hal.close(Duration.ofSeconds(10)).isEmpty(), "closed");
    check(hal.close(Duration.ofSeconds(1)).isEmpty(), "closed again");
  }

  private static void run(HalDriver driver, List<Worker> workers, Variant variant, int runs)
      throws InterruptedException {
    KernelCall call = vadd(new int[COUNT], new int[COUNT]);
    for (int i = 0; i < runs / workers.size() + 1; i++) {
      for (Worker worker : workers) {
        driver.run(worker, variant, call);
      }
      for (int j = 0; j < workers.size(); j++) {
        driver.expect("completed");
      }
    }
  }

  /** Counts file descriptors, threads and resident kilobytes of this process, after collection. */
  private static long[] resources() throws IOException {
    System.gc();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      long resident =
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("VmRSS"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum();
      return new long[] {files.count(), Thread.activeCount(), resident};
    }
  }

  /** A deadline passes although the driver's own waiting would ignore it. */
  private static void noopSlow(Path folder) throws Exception {
    XrtLibrary library =
        XrtLibrary.open(
            XrtOptions.ofNoop().withSetting("Runtime.noop_completion_delay_us", 2_000_000));
    XrtDevice device = XrtDevice.openEmulated(library, 0);
    XrtKernel kernel = vadd(device, image(folder, TestImages.first(XclbinFile.Mode.CARD)));
    arguments(device, kernel);
    kernel.run().start();
    fails(DeviceException.Kind.TIMED_OUT, () -> kernel.run().await(50_000_000));
    check(device.state() == XrtDevice.State.FAILED, "failed");
    fails(DeviceException.Kind.LOST, () -> device.buffer(0, 1));
    device.close(); // calls nothing
  }

  private static void noCard(Path folder) throws Exception {
    XrtHal hal = XrtHal.builder(XrtOptions.ofHardware()).sysfs(folder).build();
    try {
      new HalDriver(hal);
    } catch (DeviceException e) {
      check(e.kind() == DeviceException.Kind.UNAVAILABLE, message(e));
      check(message(e).contains("no card"), message(e));
      // And the library itself survives being asked for a card that is not there.
      fails(
          DeviceException.Kind.UNAVAILABLE,
          () -> XrtDevice.open(XrtLibrary.open(XrtOptions.ofHardware()), "0000:ff:00.1"));
      return;
    }
    throw new AssertionError("a card was found");
  }

  // ---------------------------------------------------------------- without the preflight

  /** Does what the preflight prevents: XRT without a root wants to print a message. */
  @SuppressWarnings("restricted")
  private static SymbolLookup raw() {
    Path lib = XrtLocation.find(XrtMode.NOOP).require();
    SymbolLookup lookup =
        SymbolLookup.libraryLookup(lib.resolve("libxrt_coreutil.so.2"), Arena.global());
    xrt_h.use(lookup);
    return lookup;
  }

  private static void rawAbort() {
    raw();
    xrt_h.xrtDeviceOpen(0);
  }

  private static void rawEmptyImage() {
    raw();
    xrt_h.xrtXclbinAllocRawData(Arena.global().allocate(1), 0);
  }

  // ---------------------------------------------------------------- emulated cards

  static KernelCall vadd(int[] a, int[] b) {
    return KernelCall.of(
        "vadd",
        KernelCall.in(bytes(a)),
        KernelCall.in(bytes(b)),
        KernelCall.out(4 * a.length),
        KernelCall.scalar(a.length));
  }

  private static byte[] bytes(int[] values) {
    byte[] bytes = new byte[4 * values.length];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(values);
    return bytes;
  }

  private static int[] ints(ByteBuffer data) {
    int[] values = new int[data.remaining() / 4];
    data.asIntBuffer().get(values);
    return values;
  }

  private static void checkVadd(HalDriver driver, Worker worker, Variant variant, Random random)
      throws InterruptedException {
    int[] a = random.ints(COUNT).toArray();
    int[] b = random.ints(COUNT).toArray();
    int[] sum = ints(driver.completed(worker, variant, vadd(a, b)).output(2));
    for (int i = 0; i < COUNT; i++) {
      check(sum[i] == a[i] + b[i], "sum " + i);
    }
  }

  private static XrtHal.Builder hal(Emulation emulation) {
    return XrtHal.builder(emulation.options());
  }

  private static void emulated(Emulation emulation) throws Exception {
    XrtHal hal = hal(emulation).build();
    HalDriver driver = new HalDriver(hal);
    Random random = new Random(1);
    check(hal.cardIds().size() == 3, "three cards: " + hal.cardIds());
    Variant first = HalDriver.variant(emulation.first().toString());
    Variant second = HalDriver.variant(emulation.second().toString());
    Set<String> used = new HashSet<>();
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Worker worker = driver.provision();
      workers.add(worker);
      used.add(hal.deviceId(worker));
      hal.load(worker, first);
      driver.expect("loaded");
      checkVadd(driver, worker, first, random);
    }
    check(used.size() == 3, "each worker has a card: " + used);
    Worker worker = workers.getFirst();
    check(hal.expectedLoad(hal.deviceId(worker)).toMillis() < 8000, "the load time was learned");
    checkKmeans(driver, worker, first, random);
    checkSecondImage(driver, worker, second, random);
    checkVadd(driver, worker, first, random); // and back, without being told to load
    driver.run(worker, first, KernelCall.of("vadd", KernelCall.scalar(1)));
    check(driver.expect("failed").cause() instanceof InvalidInputException, "wrong arguments");
    driver.run(worker, first, KernelCall.of("nosuch"));
    check(driver.expect("failed").cause() instanceof InvalidInputException, "no such kernel");
    checkVadd(driver, worker, first, random);
    check(hal.close(Duration.ofSeconds(20)).isEmpty(), "closed");
  }

  private static void checkKmeans(HalDriver driver, Worker worker, Variant variant, Random random)
      throws InterruptedException {
    int[] points = random.ints(2 * COUNT, -1000, 1000).toArray();
    int[] centres = random.ints(16, -1000, 1000).toArray();
    KernelCall call =
        KernelCall.of(
            "kmeans",
            KernelCall.in(bytes(points)),
            KernelCall.in(bytes(centres)),
            KernelCall.out(4 * COUNT),
            KernelCall.scalar(COUNT),
            KernelCall.scalar(8));
    int[] labels = ints(driver.completed(worker, variant, call).output(2));
    check(Arrays.equals(labels, Kernels.nearest(points, centres)), "k-means labels");
  }

  private static void checkSecondImage(
      HalDriver driver, Worker worker, Variant variant, Random random) throws InterruptedException {
    byte[] data = new byte[20_000];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i % 100 < 80 ? i % 7 : random.nextInt());
    }
    KernelCall pack =
        KernelCall.of(
            "lz4",
            KernelCall.in(data),
            KernelCall.out(2 * data.length + 16),
            KernelCall.out(4),
            KernelCall.scalar(data.length));
    KernelResult packed = driver.completed(worker, variant, pack);
    byte[] bytes = new byte[packed.output(2).getInt()];
    packed.output(1).get(bytes);
    check(bytes.length < data.length, "compressed to " + bytes.length);
    check(Arrays.equals(Kernels.expand(bytes, data.length), data), "expands to the input");
    byte[] reals = new byte[80];
    for (int i = 0; i < 10; i++) {
      ByteBuffer.wrap(reals).order(ByteOrder.LITTLE_ENDIAN).putDouble(8 * i, i);
    }
    KernelCall scale =
        KernelCall.of(
            "scale",
            KernelCall.in(reals),
            KernelCall.out(80),
            KernelCall.scalar(2.5),
            KernelCall.scalar(10));
    ByteBuffer scaled = driver.completed(worker, variant, scale).output(1);
    check(scaled.getDouble(72) == 22.5, "a double is passed as one: " + scaled.getDouble(72));
  }

  private static void refused(Emulation emulation) throws Exception {
    XrtHal hal = hal(emulation).build();
    HalDriver driver = new HalDriver(hal);
    Worker worker = driver.provision();
    Variant first = HalDriver.variant(emulation.first().toString());
    emulation.fault("refuse-load", "");
    hal.load(worker, first);
    DeviceException cause = (DeviceException) driver.expect("loadFailed").cause();
    check(cause.kind() == DeviceException.Kind.LOAD_FAILED, message(cause));
    emulation.repair("refuse-load");
    System.out.println(cause.getMessage());
    hal.close(Duration.ofSeconds(5));
  }

  private static void slow(Emulation emulation) throws Exception {
    XrtHal hal = hal(emulation).cards(Set.of("xrt:sw_emu-0")).lanesPerCard(2).build();
    HalDriver driver = new HalDriver(hal);
    Worker a = driver.provision();
    Worker b = driver.provision();
    Variant first = HalDriver.variant(emulation.first().toString());
    hal.load(a, first);
    driver.expect("loaded");
    emulation.fault("slow-vadd_1", "400");
    long slow = driver.run(a, first, vadd(new int[] {1}, new int[] {2}));
    long quick = driver.run(b, first, vadd(new int[] {3}, new int[] {4}));
    HalDriver.Event one = driver.expect("completed");
    HalDriver.Event two = driver.expect("completed");
    check(one.runId() == quick && two.runId() == slow, "the quick unit is not held up");
    check(one.result().output(2).getInt() == 7, "sum");
    // A load waits for what runs; a run that is cancelled ends once, in time or by completing.
    Variant second = HalDriver.variant(emulation.second().toString());
    long last = driver.run(a, first, vadd(new int[] {5}, new int[] {6}));
    hal.load(b, second);
    hal.cancel(a, last);
    hal.cancel(a, last);
    HalDriver.Event end = driver.next();
    check(end.runId() == last, "the cancelled run ends before the load: " + end);
    driver.expect("loaded");
    check(hal.close(Duration.ofSeconds(20)).isEmpty(), "closed");
  }

  private static void hung(Emulation emulation) throws Exception {
    XrtHal hal = hal(emulation).lanesPerCard(2).runLimit(Duration.ofMillis(1500)).build();
    HalDriver driver = new HalDriver(hal);
    Variant first = HalDriver.variant(emulation.first().toString());
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      workers.add(driver.provision());
    }
    Worker worker = workers.getFirst();
    String card = hal.deviceId(worker);
    check(card.equals(hal.deviceId(workers.get(3))), "the fourth shares the first one's card");
    checkVadd(driver, worker, first, new Random(2));
    checkVadd(driver, workers.get(1), first, new Random(2));
    emulation.fault("hang-vadd_1", "");
    long run = driver.run(worker, first, vadd(new int[COUNT], new int[COUNT]));
    HalDriver.Event failed = driver.expect("failed");
    check(failed.runId() == run, "the hung run fails");
    DeviceException cause = (DeviceException) failed.cause();
    check(cause.kind() == DeviceException.Kind.TIMED_OUT, message(cause));
    check(message(cause).contains("xbutil reset"), message(cause));
    check(driver.expect("lost").worker().id() == 0, "its worker is lost");
    check(driver.expect("lost").worker().id() == 3, "and the other one of its card");
    emulation.repair("hang-vadd_1");
    driver.run(worker, first, vadd(new int[1], new int[1]));
    check(driver.isSilent(300), "silence after a loss");
    checkVadd(driver, workers.get(1), first, new Random(3));
    hal.load(workers.get(2), first);
    check(message(driver.expect("loadFailed").cause()).contains("new process"), "not loadable");
    check(hal.close(Duration.ofSeconds(5)).contains(card), "the lost card is left");
  }

  private static void killed(Emulation emulation) throws Exception {
    XrtHal hal = hal(emulation).callLimit(Duration.ofSeconds(5)).build();
    HalDriver driver = new HalDriver(hal);
    Variant first = HalDriver.variant(emulation.first().toString());
    Worker a = driver.provision();
    checkVadd(driver, a, first, new Random(4));
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Worker b = driver.provision();
    driver.run(a, first, vadd(new int[COUNT], new int[COUNT]));
    HalDriver.Event lost = driver.expect("lost");
    check(lost.worker().id() == a.id(), "its worker is lost");
    System.out.println(lost.cause().getMessage());
    checkVadd(driver, b, first, new Random(5));
    check(
        hal.close(Duration.ofSeconds(20)).equals(List.of(hal.deviceId(a))), "the lost one is left");
  }

  private static final Application APP = Application.of("vadd", Variant.of("placeholder", "card"));

  private static LiveScheduler scheduler(Emulation emulation, XrtHal hal, int workers) {
    WorkerType type =
        WorkerType.builder("card")
            .spinUp(Duration.ofSeconds(1))
            .idleTimeout(Duration.ofMinutes(10))
            .load(Duration.ofMillis(500))
            .power(50, 10)
            .maxWorkers(workers)
            .build();
    Variant variant = Variant.builder("xclbin", "card").image(emulation.first().toString()).build();
    return LiveScheduler.builder(Baselines.fixed("cards", "card", workers), hal)
        .workerType(type)
        .application(Application.of(APP.name(), variant))
        .start();
  }

  private static Scheduler.Handle submit(Scheduler scheduler, Object payload) {
    return scheduler.submit(APP.name(), Duration.ofMillis(2), Duration.ofMinutes(2), payload);
  }

  /** Four threads of a host, a thousand tasks each, over three cards with two lanes. */
  private static void stress(Emulation emulation) throws Exception {
    XrtHal hal = hal(emulation).lanesPerCard(2).build();
    AtomicInteger wrong = new AtomicInteger();
    try (LiveScheduler scheduler = scheduler(emulation, hal, 6)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int seed = t;
        threads.add(Thread.startVirtualThread(() -> submitMany(scheduler, seed, wrong)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      check(wrong.get() == 0, wrong + " wrong results");
      check(scheduler.stats().completed() == 4000, scheduler.stats().toString());
    }
  }

  private static void submitMany(Scheduler scheduler, int seed, AtomicInteger wrong) {
    Random random = new Random(seed);
    try {
      for (int i = 0; i < 250; i++) {
        List<Scheduler.Handle> handles = new ArrayList<>();
        List<int[]> expected = new ArrayList<>();
        for (int j = 0; j < 4; j++) {
          int[] a = random.ints(64).toArray();
          int[] b = random.ints(64).toArray();
          int[] sum = new int[64];
          Arrays.setAll(sum, k -> a[k] + b[k]);
          expected.add(sum);
          handles.add(submit(scheduler, vadd(a, b)));
        }
        for (int j = 0; j < 4; j++) {
          Outcome outcome = handles.get(j).await();
          boolean right =
              outcome instanceof Outcome.Completed done
                  && done.result() instanceof KernelResult result
                  && Arrays.equals(ints(result.output(2)), expected.get(j));
          if (!right && wrong.incrementAndGet() == 1) {
            System.out.println(outcome);
          }
        }
      }
    } catch (InterruptedException e) {
      wrong.incrementAndGet();
    }
  }

  /** What goes wrong while a script's tasks run. */
  private enum Fault {
    SLOW,
    HANG,
    KILL,
    REFUSE_LOAD,
    NONE
  }

  private static final int SCRIPTS_PER_PROCESS = 10;

  /**
   * Runs random fault scripts in one process: units that are slow or hang, device processes that
   * are killed, images that are refused, bad payloads and cancels. A card that hangs or dies is
   * lost to the process, so that the last scripts may find none left: their tasks must end all the
   * same.
   */
  private static void faults(Emulation emulation, long seed) throws Exception {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    XrtHal hal =
        hal(emulation)
            .lanesPerCard(2)
            .runLimit(Duration.ofMillis(500))
            .callLimit(Duration.ofSeconds(2))
            .build();
    LiveScheduler scheduler = scheduler(emulation, hal, 6);
    List<Scheduler.Handle> handles = new ArrayList<>();
    Map<Fault, Integer> struck = new TreeMap<>();
    for (int script = 0; script < SCRIPTS_PER_PROCESS; script++) {
      Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
      struck.merge(fault, 1, Integer::sum);
      String file = strike(emulation, fault, random);
      int tasks = 1 + random.nextInt(6);
      for (int i = 0; i < tasks; i++) {
        Scheduler.Handle handle = submit(scheduler, vadd(new int[8], new int[8]));
        handles.add(handle);
        if (random.nextInt(4) == 0) {
          handle.cancel();
        }
        if (fault == Fault.KILL && i == tasks / 2) {
          killOne(random);
        }
      }
      if (random.nextInt(3) == 0) {
        handles.add(submit(scheduler, "no call"));
      }
      handles.getLast().await(Duration.ofSeconds(2));
      if (!file.isEmpty()) {
        emulation.repair(file);
      }
    }
    scheduler.close(Duration.ofSeconds(3));
    for (Scheduler.Handle handle : handles) {
      check(handle.isDone(), "a task was lost");
    }
    Scheduler.Stats stats = scheduler.stats();
    System.out.println(struck + " " + stats);
    check(stats.accepted() == handles.size(), "all were accepted");
    check(
        stats.completed() + stats.rejected() + stats.failed() + stats.cancelled()
            == stats.accepted(),
        "every task has one outcome");
    check(stats.open() == 0 && scheduler.failure().isEmpty(), "the scheduler is whole");
  }

  /** Switches a fault on and returns the name to switch it off with, or nothing. */
  private static String strike(Emulation emulation, Fault fault, Random random) throws IOException {
    String unit = "vadd_" + (1 + random.nextInt(2));
    String name =
        switch (fault) {
          case SLOW -> "slow-" + unit;
          case HANG -> "hang-" + unit;
          case REFUSE_LOAD -> "refuse-load";
          default -> "";
        };
    if (!name.isEmpty()) {
      emulation.fault(name, fault == Fault.SLOW ? String.valueOf(random.nextInt(60)) : "");
    }
    return name;
  }

  private static void killOne(Random random) {
    List<ProcessHandle> devices = ProcessHandle.current().descendants().toList();
    if (!devices.isEmpty()) {
      devices.get(random.nextInt(devices.size())).destroyForcibly();
    }
  }
}
