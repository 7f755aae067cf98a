package dev.muster.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EventRingTest {
  @Test
  void keepsTheOrderWhileItGrows() {
    EventRing ring = new EventRing();
    List<Long> taken = new ArrayList<>();
    EventRing.Receiver receiver = (kind, worker, runId, first, second) -> taken.add(runId);
    long next = 0;
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 7; i++) {
        ring.add((byte) 1, "w", next++, null, null);
      }
      ring.deliverTo(receiver);
      ring.deliverTo(receiver);
    }
    while (!ring.isEmpty()) {
      ring.deliverTo(receiver);
    }
    assertThat(taken).hasSize((int) next).isSorted().doesNotHaveDuplicates();
  }
}
