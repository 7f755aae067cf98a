package dev.muster.core.live;

import dev.muster.core.predict.Training;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the training of predictors on a thread of its own, so that the scheduler's never waits.
 *
 * <p>One run at a time, in order; up to {@value #MAX_WAITING} wait, and more are refused, as they
 * are after closing. A run that fails is logged, and kept for {@link #failure}; the model in use
 * stays. The thread is a daemon.
 */
public final class BackgroundTraining implements Training, AutoCloseable {
  /** Bounds the runs that wait. */
  public static final int MAX_WAITING = 64;

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundTraining.class);

  private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread thread;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  private BackgroundTraining() {
    thread = Thread.ofPlatform().daemon().name("muster-training").unstarted(this::work);
  }

  /** Starts the thread. */
  public static BackgroundTraining start() {
    BackgroundTraining training = new BackgroundTraining();
    training.thread.start();
    return training;
  }

  @Override
  public boolean start(Runnable run) {
    return !closed && waiting.offer(run);
  }

  /** Returns the last failure of a run, or null if there was none. */
  public @Nullable Throwable failure() {
    return failure;
  }

  private void work() {
    try {
      while (!closed) {
        run(waiting.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Runnable next) {
    try {
      next.run();
    } catch (RuntimeException | Error e) {
      failure = e;
      LOG.warn("Training failed; the model in use stays", e);
    }
  }

  /** Asks the thread to end; a run that is busy ends first, in the background. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
