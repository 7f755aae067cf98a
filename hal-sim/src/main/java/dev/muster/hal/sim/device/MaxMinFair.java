package dev.muster.hal.sim.device;

/** Shares a bandwidth max-min fairly: nobody gets more without someone poorer getting less. */
public final class MaxMinFair {
  private MaxMinFair() {}

  /**
   * Writes each demander's share.
   *
   * <p>Water filling: those that want at most an equal part get what they want, and the rest is
   * shared again. The shares sum to {@code min(capacity, sum of demands)}. O(n^2), no allocation.
   *
   * @param capacity what there is to share, at least 0
   * @param demands what each wants, at least 0
   * @param shares where the answers go, as long as the demands
   */
  public static void share(double capacity, double[] demands, double[] shares) {
    int left = demands.length;
    double rest = capacity;
    java.util.Arrays.fill(shares, -1);
    boolean moved = true;
    while (moved && left > 0) {
      moved = false;
      double equal = rest / left;
      for (int i = 0; i < demands.length; i++) {
        if (shares[i] < 0 && demands[i] <= equal) {
          shares[i] = demands[i];
          rest = Math.max(0, rest - demands[i]);
          left--;
          moved = true;
        }
      }
    }
    for (int i = 0; i < demands.length; i++) {
      if (shares[i] < 0) {
        shares[i] = rest / left;
      }
    }
  }
}
