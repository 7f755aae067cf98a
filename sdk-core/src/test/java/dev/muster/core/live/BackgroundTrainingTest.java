package dev.muster.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class BackgroundTrainingTest {
  @Test
  void runsOnItsOwnThreadAndSurvivesFailures() throws InterruptedException {
    AtomicReference<Thread> ran = new AtomicReference<>();
    CountDownLatch done = new CountDownLatch(1);
    try (BackgroundTraining training = BackgroundTraining.start()) {
      assertThat(
              training.start(
                  () -> {
                    throw new IllegalStateException("no model");
                  }))
          .isTrue();
      assertThat(
              training.start(
                  () -> {
                    ran.set(Thread.currentThread());
                    done.countDown();
                  }))
          .isTrue();
      done.await();
      assertThat(ran.get()).isNotSameAs(Thread.currentThread());
      assertThat(training.failure()).hasMessage("no model");
    }
  }

  @Test
  void refusesMoreThanItHoldsAndAnythingAfterClosing() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    BackgroundTraining training = BackgroundTraining.start();
    assertThat(
            training.start(
                () -> {
                  begun.countDown();
                  try {
                    free.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }))
        .isTrue();
    begun.await();
    for (int i = 0; i < BackgroundTraining.MAX_WAITING; i++) {
      assertThat(training.start(() -> {})).isTrue();
    }
    assertThat(training.start(() -> {})).isFalse();
    free.countDown();
    training.close();
    assertThat(training.start(() -> {})).isFalse();
  }
}
