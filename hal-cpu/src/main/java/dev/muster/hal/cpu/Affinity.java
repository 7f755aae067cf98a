package dev.muster.hal.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pins threads to cores with {@code taskset}, as far as the operating system plays along. */
final class Affinity {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path THREAD_SELF = Path.of("/proc/thread-self");
  private static final String FIELD = "Cpus_allowed_list:";
  private static final int MAX_CORE = 1 << 14;

  private final BitSet allowed;
  private final BitSet taken = new BitSet();
  private final ThreadLocal<Integer> mine = new ThreadLocal<>();
  private volatile @Nullable String problem;

  private Affinity(BitSet allowed, @Nullable String problem) {
    this.allowed = allowed;
    this.problem = problem;
  }

  /** Finds the cores this process may use. */
  static Affinity ofThisProcess() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(FIELD)) {
          return new Affinity(parse(line.substring(FIELD.length()).strip()), null);
        }
      }
      return new Affinity(new BitSet(), STATUS + " has no field " + FIELD);
    } catch (IOException | NumberFormatException e) {
      return new Affinity(new BitSet(), "pinning needs Linux: " + e);
    }
  }

  /** Parses a list such as {@code 0-3,8}. */
  static BitSet parse(String list) {
    BitSet cores = new BitSet();
    for (String part : list.split(",", -1)) {
      int dash = part.indexOf('-');
      int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
      if (from < 0 || to < from || to > MAX_CORE) {
        throw new NumberFormatException("core list " + list);
      }
      cores.set(from, to + 1);
    }
    return cores;
  }

  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Pins the calling thread to a core that no other one is pinned to, if there is one. */
  void pin() {
    if (problem != null) {
      return;
    }
    int core = take();
    if (core < 0) {
      return;
    }
    mine.set(core);
    try {
      String thread = String.valueOf(Files.readSymbolicLink(THREAD_SELF).getFileName());
      Process taskset =
          new ProcessBuilder("taskset", "-cp", String.valueOf(core), thread)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!taskset.waitFor(2, TimeUnit.SECONDS)) {
        taskset.destroyForcibly();
        problem = "taskset did not answer";
      } else if (taskset.exitValue() != 0) {
        problem = "taskset ended with " + taskset.exitValue() + " for core " + core;
      }
    } catch (IOException e) {
      problem = "pinning needs the taskset of util-linux: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives back the core of the calling thread. */
  void unpin() {
    Integer core = mine.get();
    if (core != null) {
      mine.remove();
      synchronized (taken) {
        taken.clear(core);
      }
    }
  }

  private int take() {
    synchronized (taken) {
      for (int core = allowed.nextSetBit(0); core >= 0; core = allowed.nextSetBit(core + 1)) {
        if (!taken.get(core)) {
          taken.set(core);
          return core;
        }
      }
      return -1;
    }
  }
}
