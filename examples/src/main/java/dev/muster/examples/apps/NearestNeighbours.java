package dev.muster.examples.apps;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Finds the points nearest to a query among points in a plane of whole numbers. */
final class NearestNeighbours implements App {
  private static final int POINTS = 60_000;
  private static final int NEIGHBOURS = 8;
  private static final int POINT_BYTES = 2 * Integer.BYTES;

  @Override
  public String name() {
    return "nearest-neighbours";
  }

  /** Makes the query, then the points. */
  @Override
  public byte[] input(SplittableRandom random) {
    ByteBuffer points = ByteBuffer.allocate((POINTS + 1) * POINT_BYTES);
    while (points.hasRemaining()) {
      points.putInt(random.nextInt(1 << 20));
    }
    return points.array();
  }

  /** Returns the indices of the neighbours, nearest first, ties by index. */
  @Override
  public byte[] run(byte[] input) {
    long[] best = new long[NEIGHBOURS];
    int[] index = new int[NEIGHBOURS];
    Arrays.fill(best, Long.MAX_VALUE);
    ByteBuffer points = ByteBuffer.wrap(input);
    for (int i = 0; i < POINTS; i++) {
      long distance = distance(points, i);
      if (distance < best[NEIGHBOURS - 1]) {
        int at = NEIGHBOURS - 1;
        for (; at > 0 && best[at - 1] > distance; at--) {
          best[at] = best[at - 1];
          index[at] = index[at - 1];
        }
        best[at] = distance;
        index[at] = i;
      }
    }
    ByteBuffer result = ByteBuffer.allocate(NEIGHBOURS * Integer.BYTES);
    for (int i : index) {
      result.putInt(i);
    }
    return result.array();
  }

  @Override
  public boolean isRight(byte[] input, byte[] output) {
    ByteBuffer points = ByteBuffer.wrap(input);
    long[] all = new long[POINTS];
    Arrays.setAll(all, i -> distance(points, i));
    Arrays.sort(all);
    ByteBuffer found = ByteBuffer.wrap(output);
    for (int i = 0; i < NEIGHBOURS; i++) {
      if (distance(points, found.getInt(i * Integer.BYTES)) != all[i]) {
        return false;
      }
    }
    return true;
  }

  private static long distance(ByteBuffer points, int index) {
    int at = (index + 1) * POINT_BYTES;
    long x = (long) points.getInt(at) - points.getInt(0);
    long y = (long) points.getInt(at + Integer.BYTES) - points.getInt(Integer.BYTES);
    return x * x + y * y;
  }
}
