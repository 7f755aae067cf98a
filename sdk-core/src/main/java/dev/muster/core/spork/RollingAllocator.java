package dev.muster.core.spork;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Objective;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Re-plans the number of accelerators several times per spin-up, from forecasts with an error band.
 *
 * <p>What differs from {@link SporkAllocator}, which decides once per spin-up time from a
 * histogram:
 *
 * <ul>
 *   <li>Period: a decision every fifth of the spin-up time, so a decision acts on load that is one
 *       period old instead of one spin-up.
 *   <li>Demand: the load of the last period is averaged over as many periods as a deadline lasts.
 *       Faster changes are absorbed by slack anyway; what is left is less noisy.
 *   <li>Forecast: three simple forecasters (the load stays; it goes on linearly; half-way between)
 *       run side by side, and the one with the least decayed loss, in the objective's own terms, is
 *       followed.
 *   <li>Choice: the relative errors of that forecaster's last forecasts, applied to the current
 *       one, are an empirical distribution of what will be needed. The number of workers with the
 *       least expected value under it is chosen, with spin-up amortised over the mean lifetime seen
 *       (a newsvendor choice; no histogram keys that must recur).
 *   <li>Reclamation: workers idle for one period instead of one spin-up, but never below the
 *       largest of the last three targets.
 * </ul>
 *
 * <p>O(w log w + w c) per decision for a window of w forecasts and c candidates, at most 65.
 */
public final class RollingAllocator implements AllocationPolicy {
  private static final int PERIODS_PER_SPIN_UP = 5;
  private static final int WINDOW = 60;
  private static final int SLOPE_PERIODS = 3;
  private static final int PROTECTED_TARGETS = 3;
  private static final int MAX_CANDIDATES = 64;
  private static final double DECAY = 0.97;

  /** Holds the weight of the extrapolated slope for each forecaster. */
  private static final double[] SLOPE_WEIGHTS = {0, 1, 0.5};

  private final Objective objective;
  private final long periodOverrideNanos;
  private @Nullable State state;

  private RollingAllocator(Objective objective, long periodOverrideNanos) {
    this.objective = objective;
    this.periodOverrideNanos = periodOverrideNanos;
  }

  /** Creates an allocator for an objective. */
  public static RollingAllocator of(Objective objective) {
    return new RollingAllocator(objective, 0);
  }

  /**
   * Returns an allocator that decides every so often.
   *
   * @param nanos the period, at least 1
   */
  public RollingAllocator every(long nanos) {
    if (nanos < 1) {
      throw InvalidInputException.of(
          "decision period (ns)", nanos, "must be >= 1", "use a fifth of the spin-up time");
    }
    return new RollingAllocator(objective, nanos);
  }

  @Override
  public void onStart(List<WorkerPool> pools) {
    state = new State(HybridPair.choose(pools, null, null));
  }

  @Override
  public long intervalNanos() {
    return state().periodNanos;
  }

  @Override
  public long idleTimeoutNanos(WorkerPool pool) {
    State s = state();
    return pool.index() == s.accelerator.index()
        ? Math.min(s.periodNanos, pool.type().idleTimeoutNanos())
        : pool.type().idleTimeoutNanos();
  }

  @Override
  public void allocate(Interval interval, int[] targets) {
    State s = state();
    if (interval.index() == 0) {
      return;
    }
    targets[s.accelerator.index()] = s.decide(interval);
  }

  @Override
  public void onWorkerGone(Worker worker, long nowNanos) {
    State s = state();
    if (worker.pool().index() == s.accelerator.index() && worker.readyNanos() <= nowNanos) {
      s.lifetimeNanos += nowNanos - worker.readyNanos();
      s.lifetimes++;
    }
  }

  private State state() {
    State s = state;
    if (s == null) {
      throw new IllegalStateException("the allocator was not started");
    }
    return s;
  }

  /** Holds the history of a run. */
  private final class State {
    final WorkerPool accelerator;
    final WorkerPool base;
    final long periodNanos;

    /** Holds the decisions that pass before one takes effect, the one being observed included. */
    final int lag;

    final double busy;
    final double idle;
    final double baseInstead;
    final double speedup;
    final double spinUpCost;
    final Forecaster[] forecasters = new Forecaster[SLOPE_WEIGHTS.length];
    final List<Double> load = new ArrayList<>();
    final List<Double> demand = new ArrayList<>();
    final int[] lastTargets = new int[PROTECTED_TARGETS - 1];
    long lifetimeNanos;
    long lifetimes;

    State(HybridPair pair) {
      accelerator = pair.accelerator();
      base = pair.base();
      long spinUp = accelerator.type().spinUpNanos();
      periodNanos =
          periodOverrideNanos > 0 ? periodOverrideNanos : Math.max(1, spinUp / PERIODS_PER_SPIN_UP);
      lag = Math.toIntExact(Math.ceilDiv(spinUp, periodNanos)) + 1;
      BreakEven rates = BreakEven.of(accelerator.type(), base.type(), objective, periodNanos);
      double unit = rates.busyAccelerator().doubleValue();
      busy = 1;
      idle = rates.idleAccelerator().doubleValue() / unit;
      baseInstead = rates.baseInsteadOf(1).doubleValue() / unit;
      speedup =
          (double) accelerator.type().speedupNumerator()
              / accelerator.type().speedupDenominator()
              * base.type().speedupDenominator()
              / base.type().speedupNumerator();
      spinUpCost = (double) spinUp / periodNanos;
      for (int i = 0; i < forecasters.length; i++) {
        forecasters[i] = new Forecaster();
      }
    }

    int decide(Interval interval) {
      double work = interval.assignedNanos(accelerator) + interval.assignedNanos(base) / speedup;
      append(load, work / periodNanos);
      append(demand, meanOfLast(interval.meanSlackNanos() / periodNanos + 1));
      double now = demand.getLast();
      int back = Math.min(SLOPE_PERIODS, demand.size() - 1);
      double slope = back == 0 ? 0 : (now - demand.get(demand.size() - 1 - back)) / back;
      Forecaster best = forecasters[0];
      for (int i = 0; i < forecasters.length; i++) {
        Forecaster forecaster = forecasters[i];
        forecaster.observe(now);
        forecaster.forecast(Math.max(0, now + SLOPE_WEIGHTS[i] * lag * slope));
        if (forecaster.loss < best.loss) {
          best = forecaster;
        }
      }
      return protect(best.choose(accelerator.allocated()));
    }

    /** Returns the largest of the last targets, this one included. */
    private int protect(int target) {
      int largest = target;
      for (int earlier : lastTargets) {
        largest = Math.max(largest, earlier);
      }
      System.arraycopy(lastTargets, 0, lastTargets, 1, lastTargets.length - 1);
      lastTargets[0] = target;
      return largest;
    }

    private double meanOfLast(long periods) {
      int count = (int) Math.min(periods, load.size());
      double sum = 0;
      for (int i = load.size() - count; i < load.size(); i++) {
        sum += load.get(i);
      }
      return sum / count;
    }

    private void append(List<Double> history, double value) {
      history.add(value);
      if (history.size() > 2 * WINDOW) {
        history.subList(0, WINDOW).clear();
      }
    }

    /** Returns the value, per period, of having so many workers when others are needed. */
    private double value(double workers, double needed) {
      return workers >= needed
          ? needed * busy + (workers - needed) * idle
          : workers * busy + (needed - workers) * baseInstead;
    }

    /** Follows one way to forecast, and how wrong it was. */
    private final class Forecaster {
      /** Holds the forecasts whose time has not come; the oldest first. */
      private final List<Double> pending = new ArrayList<>();

      private final List<Double> relativeErrors = new ArrayList<>();
      double loss;

      void forecast(double value) {
        pending.add(value);
      }

      /** Compares what is with what was forecast for now. */
      void observe(double now) {
        if (pending.size() < lag) {
          return;
        }
        double forecast = pending.remove(0);
        int chosen = choose(forecast, Integer.MAX_VALUE);
        loss = DECAY * loss + value(chosen, now) - now * busy;
        append(relativeErrors, (now - forecast) / Math.max(1, forecast));
      }

      int choose(int current) {
        return choose(pending.getLast(), current);
      }

      private int choose(double forecast, int current) {
        int count = Math.min(WINDOW, relativeErrors.size());
        if (count == 0) {
          return (int) Math.ceil(forecast);
        }
        double[] outcomes = new double[count];
        for (int i = 0; i < count; i++) {
          double error = relativeErrors.get(relativeErrors.size() - count + i);
          outcomes[i] = Math.max(0, forecast + error * Math.max(1, forecast));
        }
        Arrays.sort(outcomes);
        int least = (int) Math.floor(outcomes[0]);
        int most = (int) Math.ceil(outcomes[count - 1]);
        int step = Math.max(1, (most - least) / MAX_CANDIDATES);
        double spinUp = spinUpCost / Math.max(1, meanLifetimePeriods());
        int best = least;
        double bestValue = Double.POSITIVE_INFINITY;
        for (int workers = least; workers <= most; workers += step) {
          double value = Math.max(0, (double) workers - current) * spinUp;
          for (double outcome : outcomes) {
            value += value(workers, outcome) / count;
          }
          if (value < bestValue) {
            best = workers;
            bestValue = value;
          }
        }
        return best;
      }

      private double meanLifetimePeriods() {
        return lifetimes == 0 ? spinUpCost : (double) lifetimeNanos / lifetimes / periodNanos;
      }
    }
  }
}
