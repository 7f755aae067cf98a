package dev.muster.hal.xrt;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs a scenario in a JVM and process group of its own, because the native library signals its
 * whole group when it crashes; kills that group at the deadline.
 */
final class ChildJvm {
  private ChildJvm() {}

  /**
   * Holds how a child ended.
   *
   * @param status exit status; 128 + signal if killed
   * @param timedOut whether it was killed at the deadline
   * @param output what it printed, device processes included
   */
  record Result(int status, boolean timedOut, String output) {}

  static Result run(
      Path folder, String name, int seconds, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return run(folder, name, seconds, environment, List.of(), NativeScenarios.class, arguments);
  }

  static Result run(
      Path folder,
      String name,
      int seconds,
      Map<String, String> environment,
      List<String> options,
      Class<?> main,
      String... arguments)
      throws IOException, InterruptedException {
    Path log = folder.resolve(name + ".log");
    List<String> command = new ArrayList<>();
    command.add("setsid");
    command.add(java());
    command.addAll(List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:-CreateCoredumpOnCrash");
    command.add("-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"));
    if (options.isEmpty()) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().remove("XILINX_XRT");
    builder.environment().remove("XCL_EMULATION_MODE");
    // Chains the handlers that the emulation driver installs, instead of losing the JVM's.
    builder
        .environment()
        .put(
            "LD_PRELOAD", Path.of(System.getProperty("java.home"), "lib", "libjsig.so").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    // Its process id is its group's; what is left of the group goes too.
    new ProcessBuilder("kill", "-KILL", "--", "-" + process.pid())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    return new Result(process.waitFor(), !ended, Files.readString(log));
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Puts modules and classes on one class path, since the child is no module. */
  static String classPath() {
    Set<String> entries = new LinkedHashSet<>();
    entries.add(Path.of("target", "test-classes").toAbsolutePath().toString());
    entries.add(Path.of("target", "classes").toAbsolutePath().toString());
    for (String property :
        List.of("jdk.module.path", "surefire.test.class.path", "java.class.path")) {
      for (String entry : System.getProperty(property, "").split(File.pathSeparator, -1)) {
        if (!entry.isEmpty() && !entry.contains("surefire")) {
          entries.add(entry);
        }
      }
    }
    return String.join(File.pathSeparator, entries);
  }
}
