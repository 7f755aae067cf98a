package dev.muster.hal.xrt.emulator;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Stands in for the device program that XRT's software emulation starts at each load.
 *
 * <p>Faults come from a folder, asked for at each event, so that a test can switch them on and off:
 * {@code refuse-load}, {@code hang-UNIT}, {@code slow-UNIT} (holding milliseconds).
 */
public final class EmulatedCard {
  private static final int CLOSE = 1;
  private static final int LOAD = 3;
  private static final int ALLOCATE = 4;
  private static final int WRITE_MEMORY = 6;
  private static final int READ_MEMORY = 7;
  private static final int WRITE_REGISTERS = 9;
  private static final int READ_REGISTERS = 11;
  private static final int UNIT_RANGE = 1 << 16;

  private final Path faults;
  private final Path buffers;
  private final DeviceMemory memory = new DeviceMemory();
  private final List<Unit> units = new ArrayList<>();
  private boolean stopping;

  private EmulatedCard(Path faults, Path buffers) {
    this.faults = faults;
    this.buffers = buffers;
  }

  /** Serves XRT until it says goodbye or goes away; the argument is the folder of faults. */
  public static void main(String[] args) throws Exception {
    String user = System.getenv("USER");
    String socket = System.getenv("EMULATION_SOCKETID");
    Path path = Path.of("/tmp", String.valueOf(user), String.valueOf(socket));
    Path buffers = Files.createTempDirectory("muster-emulated-");
    try (SocketChannel channel = connect(path)) {
      new EmulatedCard(Path.of(args[0]), buffers).serve(channel);
    } catch (EOFException e) {
      // The host ended without closing its cards.
    } finally {
      try (Stream<Path> files = Files.list(buffers)) {
        for (Path file : files.toList()) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(buffers);
    }
    System.exit(0);
  }

  /** The host listens only after it has started us, and says nothing when it does. */
  private static SocketChannel connect(Path path) throws Exception {
    for (int i = 0; ; i++) {
      try {
        return SocketChannel.open(UnixDomainSocketAddress.of(path));
      } catch (IOException e) {
        if (i == 3000) {
          throw e;
        }
        Thread.sleep(5);
      }
    }
  }

  private void serve(SocketChannel channel) throws Exception {
    while (!stopping) {
      ByteBuffer header = read(channel, 14);
      int size = Math.toIntExact(header.getLong(1));
      int function = header.getInt(10);
      Message request = Message.decode(read(channel, size).array());
      byte[] reply = answer(function, request).encoded();
      ByteBuffer out = ByteBuffer.allocate(9 + reply.length).order(ByteOrder.LITTLE_ENDIAN);
      out.put((byte) 9).putLong(reply.length).put(reply).flip();
      while (out.hasRemaining()) {
        channel.write(out);
      }
    }
  }

  private static ByteBuffer read(SocketChannel channel, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException();
      }
    }
    return buffer;
  }

  private Message.Reply answer(int function, Message request) throws Exception {
    Message.Reply reply = new Message.Reply();
    switch (function) {
      case LOAD -> {
        load(new String(request.bytes(1), StandardCharsets.UTF_8));
        reply.number(1, Files.exists(faults.resolve("refuse-load")) ? 0 : 1);
      }
      case ALLOCATE -> {
        reply.number(1, 1);
        if (request.number(3) != 0) { // the host maps a file of this name as its own copy
          Path file = buffers.resolve(Long.toHexString(request.number(1)));
          reply.bytes(2, file.toString().getBytes(StandardCharsets.UTF_8));
        }
      }
      case CLOSE -> {
        stopping = request.number(3) != 0;
        memory.clear();
        reply.number(1, 1);
      }
      case WRITE_MEMORY -> {
        memory.write(request.number(3), request.bytes(4));
        reply.number(1, request.number(5));
      }
      case READ_MEMORY -> {
        byte[] data = memory.read(request.number(4), (int) request.number(5));
        reply.number(1, request.number(5)).bytes(2, data);
      }
      case WRITE_REGISTERS -> {
        Unit unit = unit(request.number(2));
        if (unit != null) {
          unit.write((int) (request.number(2) - unit.base), request.bytes(4));
        }
        reply.number(1, 1);
      }
      case READ_REGISTERS -> {
        Unit unit = unit(request.number(2));
        int value = unit == null ? 0 : unit.read((int) (request.number(2) - unit.base));
        byte[] word = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
        reply.number(1, 1).bytes(2, word);
      }
      default -> reply.number(1, 1);
    }
    return reply;
  }

  private void load(String metadata) throws Exception {
    units.clear();
    if (metadata.isEmpty()) {
      return;
    }
    NodeList kernels =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(Path.of(metadata).toFile())
            .getElementsByTagName("kernel");
    for (int i = 0; i < kernels.getLength(); i++) {
      Element kernel = (Element) kernels.item(i);
      NodeList instances = kernel.getElementsByTagName("instance");
      for (int j = 0; j < instances.getLength(); j++) {
        Element instance = (Element) instances.item(j);
        Element place = (Element) instance.getElementsByTagName("addrRemap").item(0);
        units.add(
            new Unit(
                kernel.getAttribute("name"),
                instance.getAttribute("name"),
                Long.decode(place.getAttribute("base").toLowerCase(Locale.ROOT))));
      }
    }
  }

  private @Nullable Unit unit(long address) {
    for (Unit unit : units) {
      if (address >= unit.base && address < unit.base + UNIT_RANGE) {
        return unit;
      }
    }
    return null;
  }

  /** Emulates the register file of a compute unit and what starting it does. */
  private final class Unit {
    private static final int RUNNING = 1;
    private static final int DONE_AND_IDLE = 6;
    private final String kernel;
    private final String name;
    private final long base;
    private final ByteBuffer registers =
        ByteBuffer.allocate(UNIT_RANGE).order(ByteOrder.LITTLE_ENDIAN);
    private volatile int control = 4;

    Unit(String kernel, String name, long base) {
      this.kernel = kernel;
      this.name = name;
      this.base = base;
    }

    void write(int offset, byte[] data) {
      registers.put(offset, data);
      if (offset == 0 && (data[0] & 1) != 0 && control != RUNNING) {
        control = RUNNING;
        Thread.startVirtualThread(this::execute);
      }
    }

    int read(int offset) {
      return offset == 0 ? control : registers.getInt(offset);
    }

    private void execute() {
      try {
        if (Files.exists(faults.resolve("hang-" + name))) {
          return;
        }
        Path slow = faults.resolve("slow-" + name);
        if (Files.exists(slow)) {
          Thread.sleep(Long.parseLong(Files.readString(slow).strip()));
        }
        Kernels.run(kernel, registers, memory);
      } catch (IOException | InterruptedException | RuntimeException e) {
        System.err.println(name + ": " + e); // the host sees that a result is missing
      }
      control = DONE_AND_IDLE;
    }
  }
}
