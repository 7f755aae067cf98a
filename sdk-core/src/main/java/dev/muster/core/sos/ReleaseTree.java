package dev.muster.core.sos;

import java.util.Arrays;

/**
 * Finds the machine that releases first; ties go to the lowest index. A winner tree: O(log M) a
 * change, O(1) a look-up.
 */
final class ReleaseTree {
  private final int leaves;
  private final long[] ticks;

  /** Winners by node: node n plays its children 2n and 2n + 1; the leaves are machines. */
  private final int[] winners;

  ReleaseTree(int machines) {
    int power = 1;
    while (power < machines) {
      power *= 2;
    }
    leaves = power;
    ticks = new long[leaves];
    Arrays.fill(ticks, VirtualSchedule.NEVER);
    winners = new int[2 * leaves];
    for (int i = 0; i < leaves; i++) {
      winners[leaves + i] = i;
    }
    for (int node = leaves - 1; node > 0; node--) {
      winners[node] = winners[2 * node];
    }
  }

  /** Returns the machine that releases first. */
  int first() {
    return winners[1];
  }

  /** Returns when it does, or {@link VirtualSchedule#NEVER}. */
  long firstTick() {
    return ticks[winners[1]];
  }

  /** Sets when a machine releases its head. */
  void set(int machine, long tick) {
    if (ticks[machine] == tick) {
      return;
    }
    ticks[machine] = tick;
    for (int node = (leaves + machine) / 2; node > 0; node /= 2) {
      int left = winners[2 * node];
      int right = winners[2 * node + 1];
      winners[node] = ticks[right] < ticks[left] ? right : left;
    }
  }
}
