package dev.muster.hal.cpu;

import dev.muster.api.TaskBody;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves one process worker: reads runs from standard input until it ends, and writes answers to
 * standard output. What bodies print goes to standard error.
 */
final class ProcessMain {
  private static final int MAX_MESSAGE_CHARS = 4_000;

  private ProcessMain() {}

  /**
   * Starts to serve.
   *
   * @param args triples of application, variant and class name
   */
  public static void main(String[] args) throws Exception {
    DataInputStream in = new DataInputStream(System.in);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
    System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
    Map<String, Map<String, TaskBody>> bodies = new HashMap<>();
    for (int i = 0; i + 2 < args.length; i += 3) {
      var constructor = Class.forName(args[i + 2]).getDeclaredConstructor();
      constructor.setAccessible(true);
      bodies
          .computeIfAbsent(args[i], name -> new HashMap<>())
          .put(args[i + 1], (TaskBody) constructor.newInstance());
    }
    out.writeInt(ProcessWorkers.READY);
    out.flush();
    while (serveOne(in, out, bodies)) {
      out.flush();
    }
  }

  private static boolean serveOne(
      DataInputStream in, DataOutputStream out, Map<String, Map<String, TaskBody>> bodies)
      throws IOException {
    String application;
    try {
      application = in.readUTF();
    } catch (EOFException e) {
      return false;
    }
    String variant = in.readUTF();
    byte[] payload = ProcessWorkers.readBytes(in);
    try {
      byte[] result = (byte[]) body(bodies, application, variant).run(payload, () -> false);
      out.writeByte(ProcessWorkers.OK);
      ProcessWorkers.writeBytes(out, result);
    } catch (Exception | LinkageError | StackOverflowError e) {
      out.writeByte(ProcessWorkers.FAILED);
      String message = e.toString();
      out.writeUTF(message.substring(0, Math.min(message.length(), MAX_MESSAGE_CHARS)));
    }
    return true;
  }

  private static TaskBody body(
      Map<String, Map<String, TaskBody>> bodies, String application, String variant) {
    Map<String, TaskBody> ofApplication = bodies.get(application);
    @Nullable TaskBody body = ofApplication == null ? null : ofApplication.get(variant);
    if (body == null) {
      throw new IllegalStateException(
          "no class is bound to " + application + "/" + variant + " for process workers");
    }
    return body;
  }
}
