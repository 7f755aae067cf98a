package dev.muster.hal.xrt.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Binds what is needed of the C library: the environment, signal actions and leaving at once. */
@SuppressWarnings("restricted")
public final class Libc {
  /** Holds what glibc's struct sigaction needs on 64-bit Linux. */
  private static final int SIGACTION_BYTES = 152;

  /** SIGABRT, SIGFPE, SIGUSR1, SIGSEGV, SIGCHLD: those the emulation driver takes. */
  private static final int[] SIGNALS = {6, 8, 10, 11, 17};

  private static final class Setenv {
    static final MethodHandle HANDLE = link("setenv", ADDRESS, ADDRESS, JAVA_INT);
  }

  private static final class Unsetenv {
    static final MethodHandle HANDLE = link("unsetenv", ADDRESS);
  }

  private static final class Sigaction {
    static final MethodHandle HANDLE = link("sigaction", JAVA_INT, ADDRESS, ADDRESS);
  }

  private static final class Exit {
    static final MethodHandle HANDLE =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("_exit"),
                FunctionDescriptor.ofVoid(JAVA_INT));
  }

  private Libc() {}

  private static MethodHandle link(String name, java.lang.foreign.MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow(name),
            FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** Sets a variable of the process, which native code sees and Java does not; null removes it. */
  public static void setenv(String name, @Nullable String value) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          value == null
              ? (int) Unsetenv.HANDLE.invokeExact(arena.allocateFrom(name))
              : (int)
                  Setenv.HANDLE.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
      if (result != 0) {
        throw new IllegalStateException("setenv " + name + " failed");
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError("a native call never throws", t);
    }
  }

  /** Holds the JVM's handlers, saved before a driver could replace them. */
  private static final class Saved {
    static final MemorySegment[] ACTIONS = new MemorySegment[SIGNALS.length];

    static {
      for (int i = 0; i < SIGNALS.length; i++) {
        ACTIONS[i] = Arena.global().allocate(SIGACTION_BYTES, 8);
        sigaction(SIGNALS[i], MemorySegment.NULL, ACTIONS[i]);
      }
    }

    static void restore() {
      for (int i = 0; i < SIGNALS.length; i++) {
        sigaction(SIGNALS[i], ACTIONS[i], MemorySegment.NULL);
      }
    }
  }

  /**
   * Runs an action and gives the JVM back the signal handlers that the action took from it. The JVM
   * is without them meanwhile; preload its libjsig to close that gap too.
   */
  public static void keepingSignalHandlers(Runnable action) {
    Saved.restore(); // saves before the first action, and changes nothing
    try {
      action.run();
    } finally {
      Saved.restore();
    }
  }

  private static void sigaction(int signal, MemorySegment next, MemorySegment previous) {
    int result;
    try {
      result = (int) Sigaction.HANDLE.invokeExact(signal, next, previous);
    } catch (Throwable t) {
      throw new AssertionError("a native call never throws", t);
    }
    if (result != 0) {
      throw new IllegalStateException("sigaction failed for signal " + signal);
    }
  }

  /** Ends the process at once: no shutdown hook, no native destructor. */
  public static void exit(int status) {
    try {
      Exit.HANDLE.invokeExact(status);
    } catch (Throwable t) {
      throw new AssertionError("a native call never throws", t);
    }
  }
}
