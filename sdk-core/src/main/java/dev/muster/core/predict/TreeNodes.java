package dev.muster.core.predict;

import java.util.Arrays;

/** Collects the nodes of one tree; node 0 is the root, and a leaf has no children (-1). */
final class TreeNodes {
  int[] left = new int[16];
  int[] right = new int[16];
  int[] feature = new int[16];

  /** Holds the threshold of an inner node: smaller goes left; or the value of a leaf. */
  float[] value = new float[16];

  boolean[] defaultLeft = new boolean[16];
  int size;

  TreeNodes() {}

  /** Adds a leaf and returns its number. */
  int leaf(float leafValue) {
    if (size == left.length) {
      int room = 2 * size;
      left = Arrays.copyOf(left, room);
      right = Arrays.copyOf(right, room);
      feature = Arrays.copyOf(feature, room);
      value = Arrays.copyOf(value, room);
      defaultLeft = Arrays.copyOf(defaultLeft, room);
    }
    left[size] = -1;
    right[size] = -1;
    value[size] = leafValue;
    return size++;
  }

  /** Turns a leaf into an inner node. */
  void split(
      int node, int on, float threshold, boolean missingLeft, int leftChild, int rightChild) {
    feature[node] = on;
    value[node] = threshold;
    defaultLeft[node] = missingLeft;
    left[node] = leftChild;
    right[node] = rightChild;
  }

  boolean isLeaf(int node) {
    return left[node] < 0;
  }
}
