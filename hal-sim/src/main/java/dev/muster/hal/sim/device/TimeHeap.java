package dev.muster.hal.sim.device;

import java.util.Arrays;

/** Orders cards by the time of their next change, the lowest card first on a tie. */
final class TimeHeap {
  private long[] times = new long[0];
  private int[] order = new int[0];
  private int[] place = new int[0];

  /** Makes room for more cards, each without a time. */
  void grow(int cards) {
    int old = times.length;
    times = Arrays.copyOf(times, cards);
    order = Arrays.copyOf(order, cards);
    place = Arrays.copyOf(place, cards);
    for (int i = old; i < cards; i++) {
      times[i] = Long.MAX_VALUE;
      order[i] = i;
      place[i] = i;
    }
  }

  /** Returns the earliest time, or {@link Long#MAX_VALUE}. O(1). */
  long minTime() {
    return order.length == 0 ? Long.MAX_VALUE : times[order[0]];
  }

  /** Returns the card with the earliest time. O(1). */
  int minCard() {
    return order[0];
  }

  /** Sets a card's time. O(log n). */
  void set(int card, long time) {
    if (times[card] == time) {
      return;
    }
    times[card] = time;
    int at = place[card];
    while (at > 0 && before(card, order[(at - 1) / 2])) {
      at = put(at, order[(at - 1) / 2], (at - 1) / 2);
    }
    int child = smallerChild(at);
    while (child >= 0 && before(order[child], card)) {
      at = put(at, order[child], child);
      child = smallerChild(at);
    }
    order[at] = card;
    place[card] = at;
  }

  private int put(int at, int card, int next) {
    order[at] = card;
    place[card] = at;
    return next;
  }

  private int smallerChild(int at) {
    int left = 2 * at + 1;
    if (left >= order.length) {
      return -1;
    }
    return left + 1 < order.length && before(order[left + 1], order[left]) ? left + 1 : left;
  }

  private boolean before(int a, int b) {
    return times[a] < times[b] || (times[a] == times[b] && a < b);
  }
}
