package dev.muster.core.spork;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Objective;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides once per interval how many accelerators to have.
 *
 * <p>Spork, Algorithm 1: from the service time dispatched in the last interval it computes how many
 * accelerators were needed ({@link BreakEven#workersNeeded}), feeds that to the {@link
 * SporkPredictor}, and asks for the predicted number. It never releases a worker: those above the
 * target idle until they time out, those at or below it are kept.
 *
 * <p>The base type is the one with the least spin-up time; the accelerator is the one of the others
 * with the least busy energy per unit of work. Both can be named instead. O(bins) per interval.
 */
public final class SporkAllocator implements AllocationPolicy {
  private final Objective objective;
  private final @Nullable String acceleratorName;
  private final @Nullable String baseName;
  private final long intervalOverrideNanos;
  private final Consumer<Decision> listener;
  private @Nullable State state;

  private SporkAllocator(
      Objective objective,
      @Nullable String acceleratorName,
      @Nullable String baseName,
      long intervalOverrideNanos,
      Consumer<Decision> listener) {
    this.objective = objective;
    this.acceleratorName = acceleratorName;
    this.baseName = baseName;
    this.intervalOverrideNanos = intervalOverrideNanos;
    this.listener = listener;
  }

  /** Creates an allocator for an objective; the interval is the accelerator's spin-up time. */
  public static SporkAllocator of(Objective objective) {
    return new SporkAllocator(objective, null, null, 0, decision -> {});
  }

  /** Returns an allocator that uses the named worker types. */
  public SporkAllocator between(String accelerator, String base) {
    return new SporkAllocator(objective, accelerator, base, intervalOverrideNanos, listener);
  }

  /**
   * Returns an allocator that decides every so often.
   *
   * @param nanos T_s, at least 1
   */
  public SporkAllocator every(long nanos) {
    if (nanos < 1) {
      throw InvalidInputException.of(
          "decision interval (ns)", nanos, "must be >= 1", "use the accelerator's spin-up time");
    }
    return new SporkAllocator(objective, acceleratorName, baseName, nanos, listener);
  }

  /** Returns an allocator that tells a listener of each decision. */
  public SporkAllocator tracing(Consumer<Decision> value) {
    return new SporkAllocator(objective, acceleratorName, baseName, intervalOverrideNanos, value);
  }

  @Override
  public void onStart(List<WorkerPool> pools) {
    HybridPair pair = HybridPair.choose(pools, acceleratorName, baseName);
    state = new State(pair.accelerator(), pair.base());
  }

  @Override
  public long intervalNanos() {
    return state().intervalNanos;
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    State s = state();
    if (interval.index() == 0) {
      return;
    }
    int needed =
        s.rates.workersNeeded(
            interval.assignedNanos(s.accelerator), interval.assignedNanos(s.base));
    s.predictor.observe(needed);
    int current = s.accelerator.allocated();
    int predicted = s.predictor.predict(needed, current);
    targets[s.accelerator.index()] = predicted;
    listener.accept(new Decision(interval.nowNanos(), needed, predicted, current));
  }

  @Override
  public void onWorkerGone(Worker worker, long nowNanos) {
    State s = state();
    if (worker.pool().index() == s.accelerator.index() && worker.readyNanos() <= nowNanos) {
      s.predictor.recordLifetimes(worker.allocationRank(), nowNanos - worker.readyNanos(), 1);
    }
  }

  private State state() {
    State s = state;
    if (s == null) {
      throw new IllegalStateException("the allocator was not started");
    }
    return s;
  }

  /** Holds what depends on the fleet. */
  private final class State {
    final WorkerPool accelerator;
    final WorkerPool base;
    final long intervalNanos;
    final BreakEven rates;
    final SporkPredictor predictor;

    State(WorkerPool accelerator, WorkerPool base) {
      this.accelerator = accelerator;
      this.base = base;
      long spinUp = accelerator.type().spinUpNanos();
      intervalNanos = intervalOverrideNanos > 0 ? intervalOverrideNanos : Math.max(1, spinUp);
      rates = BreakEven.of(accelerator.type(), base.type(), objective, intervalNanos);
      predictor = new SporkPredictor(rates, intervalNanos, spinUp);
    }
  }

  /**
   * Reports one decision.
   *
   * @param timeNanos when it was taken
   * @param needed accelerators the last interval needed (n_{t-1})
   * @param predicted accelerators asked for
   * @param current accelerators allocated before the decision
   */
  public record Decision(long timeNanos, int needed, int predicted, int current) {}
}
