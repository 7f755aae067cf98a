package dev.muster.hal.cpu;

import dev.muster.api.InvalidInputException;
import dev.muster.api.TaskBody;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes workers that are processes: each a Java virtual machine on this JVM's class path.
 *
 * <p>The code is given as classes that implement {@link TaskBody} and have a constructor without
 * arguments; their names travel on the command line, never in data. Payloads and results are byte
 * arrays or {@code null}, at most {@link #MAX_BYTES} long. Cancelling a run ends its process, and
 * the worker counts as lost.
 */
public final class ProcessWorkers {
  /** Bounds a payload or result. */
  public static final int MAX_BYTES = 1 << 28;

  static final int READY = 0x4d757374;
  static final int NULL = -1;
  static final byte OK = 0;
  static final byte FAILED = 1;

  private final List<String> command;

  private ProcessWorkers(List<String> command) {
    this.command = command;
  }

  /** Starts to describe workers. */
  public static Builder builder() {
    return new Builder();
  }

  Backend backend() {
    return new ChildProcess(command);
  }

  /** Reads a byte array or null. */
  static byte @Nullable [] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length == NULL) {
      return null;
    }
    if (length < 0 || length > MAX_BYTES) {
      throw new IOException("a frame of " + length + " bytes exceeds " + MAX_BYTES);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the other side ended within a frame");
    }
    return bytes;
  }

  /** Writes a byte array or null. */
  static void writeBytes(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(NULL);
    } else {
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  /** Tells that code in a process failed; the process itself is well. */
  static final class RemoteException extends Exception {
    private static final long serialVersionUID = 1L;

    RemoteException(String message) {
      super(message);
    }
  }

  /** Collects the code and options. */
  public static final class Builder {
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> bindings = new ArrayList<>();

    private Builder() {}

    /** Adds options for the virtual machines, e.g. {@code -Xmx256m}. */
    public Builder jvmOptions(String... values) {
      jvmOptions.addAll(List.of(values));
      return this;
    }

    /** Binds the code of one variant. */
    public Builder bind(String application, String variant, Class<? extends TaskBody> code) {
      if (Arrays.stream(code.getDeclaredConstructors())
          .noneMatch(c -> c.getParameterCount() == 0)) {
        throw InvalidInputException.of(
            "process body", code.getName(), "must have a constructor without arguments", "add one");
      }
      bindings.add(application);
      bindings.add(variant);
      bindings.add(code.getName());
      return this;
    }

    /** Builds the description. */
    public ProcessWorkers build() {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(jvmOptions);
      command.add("-cp");
      command.add(classPath());
      command.add(ProcessMain.class.getName());
      command.addAll(bindings);
      return new ProcessWorkers(List.copyOf(command));
    }

    /** Returns where this JVM finds classes, modules included. */
    private static String classPath() {
      List<String> parts = new ArrayList<>();
      for (String property : List.of("java.class.path", "jdk.module.path")) {
        String value = System.getProperty(property, "");
        if (!value.isBlank()) {
          parts.add(value);
        }
      }
      return String.join(File.pathSeparator, parts);
    }
  }

  /** Talks to one process. */
  private static final class ChildProcess implements Backend {
    private final List<String> command;
    private @Nullable Process process;
    private @Nullable DataInputStream in;
    private @Nullable DataOutputStream out;
    private volatile boolean stopped;

    ChildProcess(List<String> command) {
      this.command = command;
    }

    @Override
    public boolean needsBody() {
      return false;
    }

    @Override
    public void start() throws IOException {
      Process child =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      synchronized (this) {
        process = child;
      }
      if (stopped) {
        child.destroyForcibly();
      }
      in = new DataInputStream(child.getInputStream());
      out = new DataOutputStream(new java.io.BufferedOutputStream(child.getOutputStream()));
      if (in.readInt() != READY) {
        child.destroyForcibly();
        throw new IOException("the process answered something else than that it is ready");
      }
    }

    @Override
    public @Nullable Object call(
        TaskBody body,
        String application,
        String variant,
        @Nullable Object payload,
        TaskBody.Control control)
        throws Exception {
      if (payload != null && !(payload instanceof byte[] bytes && bytes.length <= MAX_BYTES)) {
        throw InvalidInputException.of(
            "payload for a process worker",
            payload.getClass().getName(),
            "must be a byte array of at most " + MAX_BYTES + " bytes, or null",
            "encode it, or run the variant on a thread worker");
      }
      DataOutputStream to = Objects.requireNonNull(out);
      DataInputStream from = Objects.requireNonNull(in);
      try {
        to.writeUTF(application);
        to.writeUTF(variant);
        writeBytes(to, (byte[]) payload);
        to.flush();
        if (from.readByte() == OK) {
          return readBytes(from);
        }
        throw new RemoteException(from.readUTF());
      } catch (IOException e) {
        stop(); // the stream is out of step: nothing more can be said to this process
        throw e;
      }
    }

    @Override
    public void interrupt(Thread thread) {
      stop();
    }

    @Override
    public boolean isAlive() {
      Process child;
      synchronized (this) {
        child = process;
      }
      return !stopped && child != null && child.isAlive();
    }

    @Override
    public void stop() {
      stopped = true;
      Process child;
      synchronized (this) {
        child = process;
      }
      if (child != null) {
        child.destroyForcibly();
      }
    }
  }
}
