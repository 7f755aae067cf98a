package dev.muster.examples.apps;

import com.github.luben.zstd.Zstd;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Compresses text with Zstandard. */
final class Zstandard implements App {
  private static final int BYTES = 128 * 1024;
  private static final int LEVEL = 3;

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public byte[] input(SplittableRandom random) {
    return Text.of(random, BYTES);
  }

  @Override
  public byte[] run(byte[] input) {
    return Zstd.compress(input, LEVEL);
  }

  @Override
  public boolean isRight(byte[] input, byte[] output) {
    byte[] back = new byte[BYTES];
    return Zstd.decompress(back, output) == BYTES && Arrays.equals(input, back);
  }
}
