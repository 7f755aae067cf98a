package dev.muster.hal.cpu;

import java.util.Collection;
import java.util.concurrent.locks.LockSupport;

/** Ends runs that pass their time limit; sleeps until the earliest limit. */
final class Watchdog implements Runnable {
  private final Collection<CpuWorker> workers;
  private final long graceNanos;
  private final long originNanos = System.nanoTime();
  private final Thread thread;
  private volatile long wakeAtNanos = Long.MAX_VALUE;
  private volatile boolean stopping;

  /**
   * Creates a watchdog.
   *
   * @param workers a live view of the workers whose threads run
   */
  Watchdog(Collection<CpuWorker> workers, long graceNanos) {
    this.workers = workers;
    this.graceNanos = graceNanos;
    thread = Thread.ofPlatform().daemon().name("muster-cpu-watchdog").unstarted(this);
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Limits the run that a worker starts now. */
  void limit(CpuWorker worker, long limitNanos) {
    long at = nowNanos() + limitNanos;
    worker.limitAtNanos = at; // before the look at when the next scan is
    if (at < wakeAtNanos) {
      LockSupport.unpark(thread);
    }
  }

  private long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public void run() {
    while (!stopping) {
      // Set first: a run that starts during the scan sees it and wakes us for another one.
      wakeAtNanos = Long.MAX_VALUE;
      long now = nowNanos();
      long next = Long.MAX_VALUE;
      for (CpuWorker worker : workers) {
        worker.timeOutIfDue(now);
        if (worker.isOverdue()) {
          long giveUpAt = worker.timedOutAtNanos() + graceNanos;
          if (giveUpAt <= now) {
            worker.abandon();
          } else {
            next = Math.min(next, giveUpAt);
          }
        } else {
          next = Math.min(next, worker.limitAtNanos);
        }
      }
      wakeAtNanos = next;
      if (next == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, Math.max(0, next - nowNanos()));
      }
      Thread.interrupted();
    }
  }
}
