package dev.muster.examples.apps;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jpountz.lz4.LZ4Factory;

/** Compresses text with LZ4. */
final class Lz4 implements App {
  private static final int BYTES = 256 * 1024;

  /** Uses the Java implementation: its output is the same on every machine. */
  private static final LZ4Factory LZ4 = LZ4Factory.safeInstance();

  @Override
  public String name() {
    return "lz4";
  }

  @Override
  public byte[] input(SplittableRandom random) {
    return Text.of(random, BYTES);
  }

  @Override
  public byte[] run(byte[] input) {
    return LZ4.fastCompressor().compress(input);
  }

  @Override
  public boolean isRight(byte[] input, byte[] output) {
    return Arrays.equals(input, LZ4.safeDecompressor().decompress(output, BYTES));
  }
}
