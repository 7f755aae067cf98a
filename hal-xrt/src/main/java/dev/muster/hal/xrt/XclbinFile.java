package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Describes a compiled image for a card: its kernels, compute units, memories and platform.
 *
 * <p>Read in Java alone and checked before any of it reaches the native library, which crashes on
 * some malformed files. Reads what a scheduler needs and leaves the bitstream on disk. Immutable.
 *
 * @param uuid identifies the image; never nil
 * @param platform vendor, board, name and version of the shell it was built for
 * @param mode how it runs
 * @param version version of the tool chain, e.g. {@code "2.13"}
 * @param sections what the file holds, in its order
 * @param kernels the kernels, names unique
 * @param memories the memory banks; a group id of a buffer indexes this list on cards
 * @param connections which bank each argument of each unit reaches
 */
public record XclbinFile(
    UUID uuid,
    String platform,
    Mode mode,
    String version,
    List<Section> sections,
    List<Kernel> kernels,
    List<Memory> memories,
    List<Connection> connections) {
  /** Bounds the size of a file, in bytes. */
  public static final long MAX_BYTES = 1L << 31;

  /** Creates a description with its own copies of the lists. */
  public XclbinFile {
    sections = List.copyOf(sections);
    kernels = List.copyOf(kernels);
    memories = List.copyOf(memories);
    connections = List.copyOf(connections);
  }

  /** Says how an image runs. */
  public enum Mode {
    /** On a card, replacing the whole user region or a partition of it. */
    CARD,
    /** In the RTL simulator. */
    HARDWARE_EMULATION,
    /** In a software device process. */
    SOFTWARE_EMULATION
  }

  /**
   * Locates one section of the file.
   *
   * @param kind number of its kind; 0 is the bitstream
   * @param name its name, possibly empty
   * @param offset where it starts, in bytes from the start of the file
   * @param bytes its length
   */
  public record Section(int kind, String name, long offset, long bytes) {}

  /**
   * Describes a kernel.
   *
   * @param name its name
   * @param arguments its arguments by increasing index; indices need not be dense
   * @param units its compute units, at least one
   */
  public record Kernel(String name, List<Argument> arguments, List<ComputeUnit> units) {
    /** Creates a kernel with its own copies of the lists. */
    public Kernel {
      arguments = List.copyOf(arguments);
      units = List.copyOf(units);
    }

    /** Returns the argument with an index, if the kernel has it. */
    public Optional<Argument> argument(int index) {
      return arguments.stream().filter(argument -> argument.index() == index).findFirst();
    }
  }

  /**
   * Describes an argument of a kernel.
   *
   * @param index its position in the C signature, from 0
   * @param name its name
   * @param kind how it is passed
   * @param bytes its size in the register file
   * @param offset its place in the register file
   * @param type its C type as text, e.g. {@code "int*"}
   */
  public record Argument(int index, String name, Kind kind, int bytes, int offset, String type) {
    /** Says how an argument is passed. */
    public enum Kind {
      /** By value in the register file. */
      SCALAR,
      /** As the address of a buffer in device memory. */
      BUFFER,
      /** In a way that no buffer or scalar can be given for, such as a stream. */
      OTHER
    }
  }

  /**
   * Names one hardware copy of a kernel.
   *
   * @param name unique within its kernel, e.g. {@code "vadd_1"}
   * @param baseAddress where its register file starts
   */
  public record ComputeUnit(String name, long baseAddress) {}

  /**
   * Describes a memory bank.
   *
   * @param tag its name, e.g. {@code "DDR[0]"}
   * @param used whether the image uses it
   * @param bytes its size
   * @param baseAddress where it starts
   */
  public record Memory(String tag, boolean used, long bytes, long baseAddress) {}

  /**
   * Connects an argument of a unit to a memory.
   *
   * @param argument index of the argument
   * @param unit index among all units, in the order of the layout section
   * @param memory index of the memory
   */
  public record Connection(int argument, int unit, int memory) {}

  /**
   * Reads a file.
   *
   * @throws InvalidInputException if it cannot be read, is larger than {@link #MAX_BYTES}, or is
   *     not a well-formed image
   */
  public static XclbinFile read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw InvalidInputException.of(
          "xclbin file", file, "must be a regular file", "check the path of the image");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new XclbinParser(file.toString(), ByteSource.of(channel)).parse();
    } catch (IOException e) {
      throw InvalidInputException.of(
          "xclbin file", file, "cannot be read (" + e.getMessage() + ")", "check its permissions");
    }
  }

  /**
   * Reads an image from memory.
   *
   * @param name stands for the file in messages
   * @throws InvalidInputException if it is not a well-formed image
   */
  public static XclbinFile parse(String name, byte[] image) {
    try {
      return new XclbinParser(name, ByteSource.of(image)).parse();
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail to be read", e);
    }
  }

  /** Returns the kernel with a name, if the image holds it. */
  public Optional<Kernel> kernel(String name) {
    return kernels.stream().filter(kernel -> kernel.name().equals(name)).findFirst();
  }

  /** Returns the number of compute units of all kernels. */
  public int unitCount() {
    return kernels.stream().mapToInt(kernel -> kernel.units().size()).sum();
  }
}
