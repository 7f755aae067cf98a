package dev.muster.core.live;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks of ended tasks on a thread of their own, so that a slow or blocking one cannot
 * hold up scheduling. Tasks wait in a linked stack through themselves: handing one over allocates
 * nothing and needs no bound, for there are no more of them than open tasks were.
 */
final class Notifier implements Runnable {
  private final AtomicReference<@Nullable LiveTask> pushed = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean parked;
  private volatile boolean stopping;

  Notifier(String name) {
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  void start() {
    thread.start();
  }

  void push(LiveTask task) {
    LiveTask head;
    do {
      head = pushed.get();
      task.nextNotified = head;
    } while (!pushed.compareAndSet(head, task));
    if (parked) {
      LockSupport.unpark(thread);
    }
  }

  /** Lets the thread end once every callback has run. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread has ended; at once if called from a callback. */
  void awaitEnd(long millis) throws InterruptedException {
    if (!thread.equals(Thread.currentThread())) {
      thread.join(millis);
    }
  }

  @Override
  public void run() {
    while (true) {
      boolean last = stopping; // before the look at the stack, so that nothing is missed
      LiveTask batch = pushed.getAndSet(null);
      if (batch != null) {
        runInOrder(batch);
      } else if (last) {
        return;
      } else {
        parked = true;
        if (pushed.get() == null && !stopping) {
          LockSupport.park(this);
        }
        parked = false;
        Thread.interrupted(); // a callback's leftover must not turn parking into spinning
      }
    }
  }

  private static void runInOrder(LiveTask newest) {
    LiveTask ordered = null;
    for (LiveTask task = newest; task != null; ) {
      LiveTask next = task.nextNotified;
      task.nextNotified = ordered;
      ordered = task;
      task = next;
    }
    for (LiveTask task = ordered; task != null; ) {
      LiveTask next = task.nextNotified;
      task.nextNotified = null;
      task.runCallbacks();
      task = next;
    }
  }
}
