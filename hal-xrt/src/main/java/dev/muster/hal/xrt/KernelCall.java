package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Says what a task runs on a card: a kernel and its arguments, by position. Attach it to the task
 * as its payload, or bind a function that makes it from the payload.
 *
 * @param kernel name of a kernel of the variant's image
 * @param arguments one for each argument of the kernel
 */
public record KernelCall(String kernel, List<Argument> arguments) {
  /** Creates a call with its own copy of the list. */
  public KernelCall {
    arguments = List.copyOf(arguments);
  }

  /** Creates a call. */
  public static KernelCall of(String kernel, Argument... arguments) {
    return new KernelCall(kernel, List.of(arguments));
  }

  /** Gives one argument; buffers are copied in the direction that they name and in no other. */
  public sealed interface Argument permits Buffer, Int32, Int64, Real {}

  /**
   * Gives a buffer.
   *
   * @param input what the card reads, read until the task has ended; empty for pure output
   * @param outputBytes how many bytes the card writes, from the start of the buffer; 0 for input
   */
  public record Buffer(MemorySegment input, int outputBytes) implements Argument {
    /**
     * Creates a buffer.
     *
     * @throws InvalidInputException if it is empty
     */
    public Buffer {
      if (outputBytes < 0 || input.byteSize() + outputBytes == 0) {
        throw InvalidInputException.of(
            "buffer argument (output bytes)",
            outputBytes,
            "must be >= 0, and > 0 without input",
            "give the size");
      }
    }

    long bytes() {
      return Math.max(input.byteSize(), outputBytes);
    }
  }

  /**
   * Gives a scalar of 4 bytes.
   *
   * @param value its value
   */
  public record Int32(int value) implements Argument {}

  /**
   * Gives a scalar of 8 bytes.
   *
   * @param value its value
   */
  public record Int64(long value) implements Argument {}

  /**
   * Gives a float or double.
   *
   * @param value its value
   */
  public record Real(double value) implements Argument {}

  /** Gives a buffer that the card reads. */
  public static Argument in(byte[] input) {
    return new Buffer(MemorySegment.ofArray(input), 0);
  }

  /** Gives a buffer that the card writes. */
  public static Argument out(int bytes) {
    return new Buffer(MemorySegment.NULL, bytes);
  }

  /** Gives a buffer that the card reads and writes. */
  public static Argument inOut(byte[] input) {
    return new Buffer(MemorySegment.ofArray(input), input.length);
  }

  /** Gives a scalar of 4 bytes. */
  public static Argument scalar(int value) {
    return new Int32(value);
  }

  /** Gives a scalar of 8 bytes. */
  public static Argument scalar(long value) {
    return new Int64(value);
  }

  /** Gives a float or double. */
  public static Argument scalar(double value) {
    return new Real(value);
  }

  /**
   * Checks the call against the signature of its kernel, before anything is sent to a card.
   *
   * @throws InvalidInputException naming the argument that does not fit
   */
  void requireFits(XclbinFile.Kernel signature) {
    if (arguments.size() != signature.arguments().size()) {
      throw InvalidInputException.of(
          "call of " + kernel + ": number of arguments",
          arguments.size(),
          "must be " + signature.arguments().size(),
          "give one for each argument of the kernel");
    }
    for (int i = 0; i < arguments.size(); i++) {
      XclbinFile.Argument wanted = signature.arguments().get(i);
      boolean real = wanted.type().equals("float") || wanted.type().equals("double");
      boolean scalar = wanted.kind() == XclbinFile.Argument.Kind.SCALAR;
      boolean fits =
          switch (arguments.get(i)) {
            case Buffer b -> wanted.kind() == XclbinFile.Argument.Kind.BUFFER;
            case Int32 v -> scalar && wanted.bytes() == 4 && !real;
            case Int64 v -> scalar && wanted.bytes() == 8 && !real;
            case Real v -> scalar && real;
          };
      if (!fits) {
        throw InvalidInputException.of(
            "call of " + kernel + ": argument " + i,
            arguments.get(i).getClass().getSimpleName(),
            "must fit " + wanted.kind() + " " + wanted.type() + " of " + wanted.bytes() + " bytes",
            "give what the kernel's signature says");
      }
    }
  }
}
