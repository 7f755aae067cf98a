package dev.muster.examples.apps;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Adds two vectors of ints that lie one behind the other. */
final class VectorAdd implements App {
  private static final int LENGTH = 200_000;

  @Override
  public String name() {
    return "vector-add";
  }

  @Override
  public byte[] input(SplittableRandom random) {
    ByteBuffer both = ByteBuffer.allocate(2 * LENGTH * Integer.BYTES);
    while (both.hasRemaining()) {
      both.putInt(random.nextInt());
    }
    return both.array();
  }

  @Override
  public byte[] run(byte[] input) {
    ByteBuffer both = ByteBuffer.wrap(input);
    ByteBuffer sum = ByteBuffer.allocate(LENGTH * Integer.BYTES);
    for (int i = 0; i < LENGTH * Integer.BYTES; i += Integer.BYTES) {
      sum.putInt(i, both.getInt(i) + both.getInt(i + LENGTH * Integer.BYTES));
    }
    return sum.array();
  }

  @Override
  public boolean isRight(byte[] input, byte[] output) {
    ByteBuffer both = ByteBuffer.wrap(input);
    ByteBuffer sum = ByteBuffer.wrap(output);
    for (int i = 0; i < LENGTH; i++) {
      int rest = sum.getInt(i * Integer.BYTES) - both.getInt((i + LENGTH) * Integer.BYTES);
      if (rest != both.getInt(i * Integer.BYTES)) {
        return false;
      }
    }
    return output.length == LENGTH * Integer.BYTES;
  }
}
