package dev.muster.examples.apps;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Clusters whole numbers around k means by Lloyd's algorithm, a fixed number of rounds. */
final class KMeans implements App {
  private static final int VALUES = 20_000;
  private static final int MEANS = 8;
  private static final int ROUNDS = 12;

  @Override
  public String name() {
    return "k-means";
  }

  @Override
  public byte[] input(SplittableRandom random) {
    ByteBuffer values = ByteBuffer.allocate(VALUES * Integer.BYTES);
    while (values.hasRemaining()) {
      values.putInt(random.nextInt(MEANS) * 1_000 + random.nextInt(300));
    }
    return values.array();
  }

  /** Returns the means of the last round, then for each value the mean it belongs to. */
  @Override
  public byte[] run(byte[] input) {
    ByteBuffer values = ByteBuffer.wrap(input);
    int[] means = new int[MEANS];
    for (int m = 0; m < MEANS; m++) {
      means[m] = values.getInt(m * (VALUES / MEANS) * Integer.BYTES);
    }
    byte[] member = new byte[VALUES];
    for (int round = 0; ; round++) {
      long[] sum = new long[MEANS];
      int[] count = new int[MEANS];
      for (int i = 0; i < VALUES; i++) {
        int value = values.getInt(i * Integer.BYTES);
        int nearest = nearest(means, value);
        member[i] = (byte) nearest;
        sum[nearest] += value;
        count[nearest]++;
      }
      if (round == ROUNDS) {
        return result(means, member);
      }
      for (int m = 0; m < MEANS; m++) {
        means[m] = count[m] == 0 ? means[m] : (int) (sum[m] / count[m]);
      }
    }
  }

  private static byte[] result(int[] means, byte[] member) {
    ByteBuffer result = ByteBuffer.allocate(MEANS * Integer.BYTES + VALUES);
    for (int mean : means) {
      result.putInt(mean);
    }
    return result.put(member).array();
  }

  private static int nearest(int[] means, int value) {
    int nearest = 0;
    for (int m = 1; m < MEANS; m++) {
      if (Math.abs(means[m] - value) < Math.abs(means[nearest] - value)) {
        nearest = m;
      }
    }
    return nearest;
  }

  /** Checks that no value is nearer to another mean than to its own. */
  @Override
  public boolean isRight(byte[] input, byte[] output) {
    ByteBuffer values = ByteBuffer.wrap(input);
    ByteBuffer result = ByteBuffer.wrap(output);
    for (int i = 0; i < VALUES; i++) {
      int value = values.getInt(i * Integer.BYTES);
      int mine = result.getInt(output[MEANS * Integer.BYTES + i] * Integer.BYTES);
      for (int m = 0; m < MEANS; m++) {
        if (Math.abs(result.getInt(m * Integer.BYTES) - value) < Math.abs(mine - value)) {
          return false;
        }
      }
    }
    return output.length == MEANS * Integer.BYTES + VALUES;
  }
}
