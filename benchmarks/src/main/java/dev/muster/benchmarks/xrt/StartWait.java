package dev.muster.benchmarks.xrt;

import dev.muster.hal.xrt.XclbinFile;
import dev.muster.hal.xrt.XclbinWriter;
import dev.muster.hal.xrt.XrtDevice;
import dev.muster.hal.xrt.XrtKernel;
import dev.muster.hal.xrt.XrtLibrary;
import dev.muster.hal.xrt.XrtOptions;
import dev.muster.hal.xrt.XrtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;

/**
 * Compares starting a run and waiting for it through {@link XrtRun} with the same loop in C.
 *
 * <p>Both use XRT's noop driver on the same image, in turns on the same machine. Needs libxrt1,
 * libxrt-dev and gcc; run with {@code --enable-native-access=ALL-UNNAMED}.
 */
public final class StartWait {
  private static final int RUNS = 20_000;
  private static final int ROUNDS = 7;
  private static final long LIMIT_NANOS = 10_000_000_000L;

  private static final String C =
      """
      #include <stdio.h>
      #include <time.h>
      #include <unistd.h>
      #include <xrt.h>
      #include <xrt/xrt_device.h>
      #include <xrt/xrt_bo.h>
      #include <xrt/xrt_kernel.h>
      #define RUNS %d
      static double now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1e9 + t.tv_nsec;
      }
      int main(int count, char **arguments) {
        xrtDeviceHandle device = xrtDeviceOpen(0);
        xuid_t uuid;
        if (count < 2 || xrtDeviceLoadXclbinFile(device, arguments[1])) return 1;
        xrtDeviceGetXclbinUUID(device, uuid);
        xrtKernelHandle kernel = xrtPLKernelOpen(device, uuid, "vadd:{vadd_1}");
        xrtRunHandle run = xrtRunOpen(kernel);
        for (int i = 0; i < 3; i++)
          xrtRunSetArg(run, i, xrtBOAlloc(device, 4096, 0, xrtKernelArgGroupId(kernel, i)));
        xrtRunSetArg(run, 3, 1024);
        double start = 0;
        for (int i = 0; i < 2 * RUNS; i++) {
          if (i == RUNS) start = now();
          xrtRunStart(run);
          int state;
          do state = xrtRunState(run); while (state < 4 || state == 7);
        }
        printf("%%.1f\\n", (now() - start) / RUNS);
        fflush(stdout);
        _exit(0); // the library's destructors crash when handles are open
      }
      """
          .formatted(RUNS);

  private StartWait() {}

  /** Prints the cost of a run in both languages, their ratio, and the cost of the first run. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("muster-start-wait-");
    Path image =
        Files.write(
            folder.resolve("vadd.xclbin"),
            XclbinWriter.create(new UUID(1, 2), XclbinFile.Mode.CARD)
                .kernel("vadd", 1, "int*", "int*", "int*", "unsigned int")
                .toBytes());
    Path program = compile(folder);
    long begin = System.nanoTime();
    XrtLibrary library = XrtLibrary.open(XrtOptions.ofNoop());
    try (XrtDevice device = XrtDevice.openEmulated(library, 0)) {
      device.load(image);
      XrtKernel kernel = device.kernel("vadd", "vadd_1");
      for (int i = 0; i < 3; i++) {
        kernel.run().argument(i, device.buffer(kernel.group(i), 4096));
      }
      kernel.run().argument(3, 1024);
      nanosPerRun(kernel.run(), 1);
      System.out.printf("first run, with binding: %.0f ms%n", (System.nanoTime() - begin) / 1e6);
      double[] java = new double[ROUNDS];
      double[] c = new double[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        nanosPerRun(kernel.run(), RUNS);
        java[i] = nanosPerRun(kernel.run(), RUNS);
        c[i] = inC(program, image, library.root(), folder);
      }
      Arrays.sort(java);
      Arrays.sort(c);
      double javaMedian = java[ROUNDS / 2];
      double cMedian = c[ROUNDS / 2];
      System.out.printf(
          "start + wait, median of %d rounds of %d: Java %.0f ns, C %.0f ns, ratio %.2f%n",
          ROUNDS, RUNS, javaMedian, cMedian, javaMedian / cMedian);
    }
  }

  private static double nanosPerRun(XrtRun run, int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      run.start();
      run.await(LIMIT_NANOS);
    }
    return (System.nanoTime() - start) / (double) count;
  }

  private static Path compile(Path folder) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("loop.c"), C);
    Path program = folder.resolve("loop");
    int status =
        new ProcessBuilder(
                "gcc",
                "-O2",
                "-isystem",
                "/usr/include/xrt",
                source + "",
                "-o",
                program + "",
                "-lxrt_coreutil")
            .inheritIO()
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("gcc failed; apt install gcc libxrt-dev");
    }
    return program;
  }

  private static double inC(Path program, Path image, Path root, Path folder)
      throws IOException, InterruptedException {
    Path out = folder.resolve("c.out");
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), image.toString())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("XILINX_XRT", root.toString());
    builder.environment().put("XCL_EMULATION_MODE", "noop");
    if (builder.start().waitFor() != 0) {
      throw new IOException("the C loop failed");
    }
    return Double.parseDouble(Files.readString(out).strip().lines().toList().getLast());
  }
}
