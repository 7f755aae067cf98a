package dev.muster.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class InboxTest {
  private static final byte KIND = 5;

  @Test
  void givesEntriesBackInOrder() {
    Inbox inbox = new Inbox(4);
    for (int round = 0; round < 10; round++) {
      assertThat(inbox.offer(KIND, "a", 1, "b", "c")).isEqualTo(Inbox.Offer.ACCEPTED);
      assertThat(inbox.offer(KIND, "d", 2, null, null)).isEqualTo(Inbox.Offer.ACCEPTED);
      assertThat(inbox.hasEntry()).isTrue();
      assertThat(inbox.poll()).isTrue();
      assertThat(List.of(inbox.kind, inbox.subject, inbox.number, inbox.first, inbox.second))
          .isEqualTo(List.of(KIND, "a", 1L, "b", "c"));
      assertThat(inbox.poll()).isTrue();
      assertThat(inbox.subject).isEqualTo("d");
      assertThat(inbox.poll()).isFalse();
      assertThat(inbox.hasEntry()).isFalse();
    }
    assertThat(inbox.acceptedCount()).isEqualTo(20);
  }

  @Test
  void isFullAtItsBound() {
    Inbox inbox = new Inbox(2);
    assertThat(inbox.offer(KIND, "a", 0, null, null)).isEqualTo(Inbox.Offer.ACCEPTED);
    assertThat(inbox.offer(KIND, "b", 0, null, null)).isEqualTo(Inbox.Offer.ACCEPTED);
    assertThat(inbox.offer(KIND, "c", 0, null, null)).isEqualTo(Inbox.Offer.FULL);
    assertThat(inbox.poll()).isTrue();
    assertThat(inbox.offer(KIND, "c", 0, null, null)).isEqualTo(Inbox.Offer.ACCEPTED);
  }

  @Test
  void takesNothingOnceSealedButGivesBackWhatItHolds() {
    Inbox inbox = new Inbox(2);
    assertThat(inbox.offer(KIND, "a", 0, null, null)).isEqualTo(Inbox.Offer.ACCEPTED);
    inbox.seal();
    inbox.seal();
    assertThat(inbox.offer(KIND, "b", 0, null, null)).isEqualTo(Inbox.Offer.SEALED);
    assertThat(inbox.put(KIND, "b", 0, null, null)).isFalse();
    assertThat(inbox.isExhausted()).isFalse();
    assertThat(inbox.poll()).isTrue();
    assertThat(inbox.isExhausted()).isTrue();
    assertThat(inbox.acceptedCount()).isEqualTo(1);
  }

  @Test
  void keepsTheOrderOfEachProducerAndLosesNothingWhenSealedAtAnyMoment() throws Exception {
    for (int round = 0; round < 200; round++) {
      Inbox inbox = new Inbox(8);
      int producers = 4;
      AtomicLong accepted = new AtomicLong();
      CountDownLatch go = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int p = 0; p < producers; p++) {
        Integer me = p;
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      awaitQuietly(go);
                      long i = 0;
                      while (inbox.put(KIND, me, i, null, null)) {
                        i++;
                      }
                      accepted.addAndGet(i);
                    }));
      }
      go.countDown();
      long[] next = new long[producers];
      long taken = 0;
      while (!inbox.isExhausted()) {
        if (inbox.poll()) {
          int producer = (Integer) java.util.Objects.requireNonNull(inbox.subject);
          assertThat(inbox.number).isEqualTo(next[producer]++);
          inbox.signalRoom();
          if (++taken == 100 + round) {
            inbox.seal();
          }
        } else {
          Thread.onSpinWait();
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(taken).isEqualTo(accepted.get()).isEqualTo(inbox.acceptedCount());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
