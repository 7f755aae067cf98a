package dev.muster.hal.cpu;

import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.TaskBody;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tries the interleavings of cancelling a run against beginning it. */
public final class CancelStress {
  private static final CpuHal HAL = CpuHal.create(TaskBody.Registry.builder().build());
  private static final WorkerType TYPE = WorkerType.builder("cpu").build();

  private CancelStress() {}

  /** Holds a worker that was given runs 1 and 2, without its thread. */
  static class Given implements Hal.Events {
    final AtomicInteger answers = new AtomicInteger();
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger secondCancelled = new AtomicInteger();
    final CpuWorker worker = new CpuWorker(HAL, new Stub(), Backend.thread(), this, 0, 2);

    Given() {
      worker.give((payload, control) -> begun.addAndGet(1), "app", "v", null, 1);
      worker.give(
          (payload, control) -> {
            secondCancelled.addAndGet(control.isCancelled() ? 1 : 0);
            return begun.addAndGet(10);
          },
          "app",
          "v",
          null,
          2);
    }

    /** Does what the worker's thread does, until it finds no run. */
    final void work() {
      while (true) {
        int slot = worker.nextSlot();
        long id = worker.runAt(slot);
        if (id == 0) {
          return;
        }
        if (worker.take(slot, id)) {
          worker.runOne(slot, id);
        }
      }
    }

    @Override
    public void ready(Worker w) {}

    @Override
    public void loaded(Worker w) {}

    @Override
    public void loadFailed(Worker w, Throwable cause) {}

    @Override
    public void completed(Worker w, long runId, Object result, EnergyReading energy) {
      answers.addAndGet(runId == 1 ? 1 : 10);
    }

    @Override
    public void failed(Worker w, long runId, Throwable cause) {
      answers.addAndGet(runId == 1 ? 1 : 10);
    }

    @Override
    public void lost(Worker w, Throwable cause) {}

    @Override
    public void released(Worker w) {}
  }

  /** Holds that a run is either withdrawn or begun, and that the run behind it begins once. */
  @JCStressTest
  @Outcome(id = "1, 10", expect = Expect.ACCEPTABLE, desc = "withdrawn; the other one ran")
  @Outcome(id = "0, 11", expect = Expect.ACCEPTABLE, desc = "too late; both ran")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a run is lost, doubled, or withdrawn and run")
  @State
  public static class WithdrawAgainstStart extends Given {
    @Actor
    public void scheduler(II_Result r) {
      r.r1 = worker.withdraw(1) ? 1 : 0;
    }

    @Actor
    public void thread() {
      work();
    }

    @Arbiter
    public void rest(II_Result r) {
      work();
      r.r2 = begun.get();
    }
  }

  /** Holds the same for the run at the end. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "withdrawn; the other one ran")
  @Outcome(id = "0, 11", expect = Expect.ACCEPTABLE, desc = "too late; both ran")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a run is lost, doubled, or withdrawn and run")
  @State
  public static class WithdrawLastAgainstStart extends Given {
    @Actor
    public void scheduler(II_Result r) {
      r.r1 = worker.withdraw(2) ? 1 : 0;
    }

    @Actor
    public void thread() {
      work();
    }

    @Arbiter
    public void rest(II_Result r) {
      work();
      r.r2 = begun.get();
    }
  }

  /** Holds that a cancellation, however late, never hits the next run, and each is answered. */
  @JCStressTest
  @Outcome(id = "11, 10, 0", expect = Expect.ACCEPTABLE, desc = "cancelled before it began")
  @Outcome(id = "11, 11, 0", expect = Expect.ACCEPTABLE, desc = "cancelled while running, or after")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the wrong run is hit, or an answer is missing")
  @State
  public static class CancelAgainstNextStart extends Given {
    @Actor
    public void scheduler() {
      worker.cancel(1);
    }

    @Actor
    public void thread() {
      work();
    }

    @Arbiter
    public void rest(III_Result r) {
      work();
      r.r1 = answers.get();
      r.r2 = begun.get();
      r.r3 = secondCancelled.get();
    }
  }

  private record Stub() implements Worker {
    @Override
    public long id() {
      return 0;
    }

    @Override
    public int slot() {
      return 0;
    }

    @Override
    public WorkerType type() {
      return TYPE;
    }

    @Override
    public WorkerPool pool() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Worker.State state() {
      return Worker.State.IDLE;
    }

    @Override
    public long createdNanos() {
      return 0;
    }

    @Override
    public long readyNanos() {
      return 0;
    }

    @Override
    public int allocationRank() {
      return 0;
    }

    @Override
    public long availableAtNanos() {
      return 0;
    }

    @Override
    public int load() {
      return 0;
    }

    @Override
    public String image() {
      return null;
    }
  }
}
