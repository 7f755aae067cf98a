package dev.muster.core.predict;

import java.util.Arrays;

/**
 * Sorts the values of each feature into at most 255 bins, and missing ones into one more.
 *
 * <p>A feature's cuts are values of its own, spread evenly over its rows; the bin of a value is the
 * number of cuts that are not above it. So {@code value < cuts[k]} is the same as {@code bin <= k}.
 */
final class Bins {
  static final int MISSING = 255;
  static final int ROOM = 256;

  /** Holds each feature's cuts in ascending order. */
  final float[][] cuts;

  /** Holds the bins, row after row. */
  final byte[] bins;

  Bins(TrainingSet set) {
    int features = set.features();
    cuts = new float[features][];
    bins = new byte[Math.multiplyExact(set.size(), features)];
    for (int f = 0; f < features; f++) {
      cuts[f] = cuts(set, f);
      for (int i = 0; i < set.size(); i++) {
        bins[i * features + f] = (byte) bin(cuts[f], set.row(i)[f]);
      }
    }
  }

  private static int bin(float[] cuts, float value) {
    if (Float.isNaN(value)) {
      return MISSING;
    }
    // Adding 0 turns -0 into 0, which binarySearch would tell apart but a comparison does not.
    int at = Arrays.binarySearch(cuts, value + 0.0f);
    return at >= 0 ? at + 1 : -at - 1;
  }

  private static float[] cuts(TrainingSet set, int feature) {
    float[] values = new float[set.size()];
    int known = 0;
    for (int i = 0; i < values.length; i++) {
      float value = set.row(i)[feature];
      if (!Float.isNaN(value)) {
        values[known++] = value + 0.0f;
      }
    }
    Arrays.sort(values, 0, known);
    float[] result = new float[MISSING - 1];
    int count = distinct(values, known, result);
    if (count < 0) {
      count = 0;
      for (int k = 1; k < MISSING; k++) {
        float cut = values[(int) ((long) k * known / MISSING)];
        if (cut > values[0] && (count == 0 || cut > result[count - 1])) {
          result[count++] = cut;
        }
      }
    }
    return Arrays.copyOf(result, count);
  }

  /** Cuts at every value but the least; returns -1 if there are too many. */
  private static int distinct(float[] sorted, int known, float[] result) {
    int count = 0;
    for (int i = 1; i < known; i++) {
      if (sorted[i] > sorted[i - 1]) {
        if (count == result.length) {
          return -1;
        }
        result[count++] = sorted[i];
      }
    }
    return count;
  }
}
