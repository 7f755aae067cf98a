package dev.muster.hal.xrt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/** Holds what a kernel wrote, by position of the argument; the result of a completed task. */
public final class KernelResult {
  private final Map<Integer, byte[]> outputs;

  KernelResult(Map<Integer, byte[]> outputs) {
    this.outputs = new TreeMap<>(outputs);
  }

  /**
   * Returns a read-only view of an output in little-endian order.
   *
   * @param argument position of a buffer that was declared as output
   */
  public ByteBuffer output(int argument) {
    byte[] bytes = outputs.get(argument);
    if (bytes == null) {
      throw new IndexOutOfBoundsException(
          "argument " + argument + " is no output; outputs are " + outputs.keySet());
    }
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }
}
