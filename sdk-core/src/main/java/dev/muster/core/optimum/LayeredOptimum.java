package dev.muster.core.optimum;

import dev.muster.api.InvalidInputException;
import dev.muster.api.Objective;
import java.util.Arrays;

/**
 * Finds the best schedule for known load by one small dynamic programme per accelerator.
 *
 * <p>The problem is the mixed-integer programme of Spork's Table 3. In an interval, serving the
 * load x with Y accelerators costs a convex function of Y, and changing Y costs in proportion to
 * the change. Such a problem splits exactly into layers: layer k decides, on its own, when the
 * (k+1)-th accelerator is allocated, against the load {@code clamp(x - k, 0, 1)}. A layer is a
 * shortest path over two states, on and off, O(T); the whole is O(T max x), without a solver.
 *
 * <p>What is exact: without a least allocation time and without allocation costs of base workers
 * the result is the optimum. A least time is kept by each layer, which is sufficient for the
 * paper's constraint on the sum of layers but can cost more than necessary; allocation costs of
 * base workers are charged to the schedule found, not optimised. In both cases {@link
 * Result#lowerBound()} still holds for the full problem, since it comes from the layers without
 * either; {@link Result#gap()} is what remains unproved.
 */
public final class LayeredOptimum {
  /** Bounds the load, in accelerators. */
  public static final double MAX_LOAD = 1e6;

  private static final double NONE = 1e-12;

  /** Says which types may serve the load. */
  public enum Platform {
    /** Base workers only. */
    BASE_ONLY,
    /** Accelerators only. */
    ACCELERATOR_ONLY,
    /** Both. */
    HYBRID
  }

  /**
   * Holds a schedule and what it uses.
   *
   * @param energyJoules energy
   * @param costDollars cost
   * @param baseShare share of the work that base workers do, 0 to 1
   * @param allocations accelerators allocated, counted each time
   * @param objective weighed value of the schedule
   * @param lowerBound value that no schedule can go below
   * @param accelerators accelerators allocated in each interval
   */
  @SuppressWarnings("ArrayRecordComponent") // a view for plots and checks, never compared
  public record Result(
      double energyJoules,
      double costDollars,
      double baseShare,
      long allocations,
      double objective,
      double lowerBound,
      int[] accelerators) {
    /** Returns how far the schedule may be from the optimum: objective / lower bound - 1. */
    public double gap() {
      return lowerBound == 0 ? 0 : objective / lowerBound - 1;
    }
  }

  private final RateModel model;
  private final Objective objective;
  private final Platform platform;
  private final double[] load;

  private LayeredOptimum(RateModel model, Objective objective, Platform platform, double[] load) {
    this.model = model;
    this.objective = objective;
    this.platform = platform;
    this.load = load;
  }

  /**
   * Solves the problem.
   *
   * @param model the constants
   * @param objective what to minimise
   * @param platform which types may be used
   * @param load work of each interval, in accelerator-intervals
   * @throws InvalidInputException if a load is negative, not finite or above {@link #MAX_LOAD}
   */
  public static Result solve(
      RateModel model, Objective objective, Platform platform, double[] load) {
    for (int t = 0; t < load.length; t++) {
      if (!(load[t] >= 0 && load[t] <= MAX_LOAD)) {
        throw InvalidInputException.of(
            "load of interval " + t,
            load[t],
            "must be between 0 and " + MAX_LOAD,
            "give work in accelerator-intervals");
      }
    }
    return new LayeredOptimum(model, objective, platform, load.clone()).solve();
  }

  private Result solve() {
    int[] accelerators = new int[load.length];
    double[] served = new double[load.length];
    double lowerBound = 0;
    double joules = 0;
    double dollars = 0;
    long allocations = 0;
    int layers =
        platform == Platform.BASE_ONLY
            ? 0
            : (int) Math.ceil(Arrays.stream(load).max().orElse(0) - NONE);
    for (int k = 0; k < layers; k++) {
      Layer relaxed = new Layer(k, 1);
      lowerBound += relaxed.solve();
      Layer layer = relaxed;
      if (model.minOnIntervals() > 1) {
        layer = new Layer(k, model.minOnIntervals());
        layer.solve();
      }
      boolean[] on = layer.schedule();
      for (int t = 0; t < load.length; t++) {
        double u = part(t, k);
        if (on[t]) {
          accelerators[t]++;
          served[t] += u;
          joules += energyOn(u);
          dollars += model.accelerator().dollars();
          if (t == 0 || !on[t - 1]) {
            allocations++;
            joules += model.accelerator().allocateJoules();
            dollars += model.accelerator().allocateDollars();
          }
        } else if (t > 0 && on[t - 1]) {
          joules += model.accelerator().releaseJoules();
          dollars += model.accelerator().releaseDollars();
        }
      }
    }
    double total = 0;
    double rest = 0;
    double workersBefore = 0;
    RateModel.Worker base = model.base();
    for (int t = 0; t < load.length; t++) {
      double left = Math.max(0, load[t] - served[t]);
      double workers = left < 1e-9 ? 0 : left * model.speedup();
      total += load[t];
      rest += left;
      joules += base.busyJoules() * workers;
      dollars += base.dollars() * workers;
      double change = workers - workersBefore;
      joules += change > 0 ? change * base.allocateJoules() : -change * base.releaseJoules();
      dollars += change > 0 ? change * base.allocateDollars() : -change * base.releaseDollars();
      workersBefore = workers;
      if (platform == Platform.BASE_ONLY) {
        lowerBound += model.weigh(objective, base.busyJoules() * workers, base.dollars() * workers);
      }
    }
    return new Result(
        joules,
        dollars,
        total == 0 ? 0 : rest / total,
        allocations,
        model.weigh(objective, joules, dollars),
        lowerBound,
        accelerators);
  }

  /** Returns the part of an interval's load that belongs to a layer. */
  private double part(int t, int k) {
    return Math.min(1, Math.max(0, load[t] - k));
  }

  private double energyOn(double u) {
    return model.accelerator().busyJoules() * u + model.accelerator().idleJoules() * (1 - u);
  }

  /** Decides when one accelerator is allocated. */
  private final class Layer {
    private final int k;
    private final int minOn;
    private final double allocate;
    private final double release;

    /** Holds the least value of reaching the end of interval t - 1 on, or off. */
    private final double[] on;

    private final double[] off;

    /** Holds the value of being on in all intervals before t. */
    private final double[] onSum;

    private final boolean[] justAllocated;
    private final boolean[] justReleased;

    Layer(int k, int minOn) {
      this.k = k;
      this.minOn = minOn;
      int n = load.length;
      on = new double[n + 1];
      off = new double[n + 1];
      onSum = new double[n + 1];
      justAllocated = new boolean[n + 1];
      justReleased = new boolean[n + 1];
      RateModel.Worker type = model.accelerator();
      allocate = model.weigh(objective, type.allocateJoules(), type.allocateDollars());
      release = model.weigh(objective, type.releaseJoules(), type.releaseDollars());
    }

    /** Computes the least values forward in time and returns that of the whole run. */
    double solve() {
      on[0] = Double.POSITIVE_INFINITY;
      for (int t = 1; t <= load.length; t++) {
        double u = part(t - 1, k);
        onSum[t] = onSum[t - 1] + costOn(u);
        double stay = on[t - 1] + costOn(u);
        int since = t - minOn;
        double fresh =
            since < 0 ? Double.POSITIVE_INFINITY : off[since] + allocate + onSum[t] - onSum[since];
        justAllocated[t] = fresh < stay;
        on[t] = Math.min(fresh, stay);
        double released = on[t - 1] + release;
        justReleased[t] = released < off[t - 1];
        off[t] = Math.min(released, off[t - 1]) + costOff(u);
      }
      return Math.min(Math.min(off[load.length], on[load.length]), bestLateStart());
    }

    /** Reads the decisions backward in time. */
    boolean[] schedule() {
      boolean[] result = new boolean[load.length];
      int t = load.length;
      double late = bestLateStart();
      boolean isOn = on[t] < off[t];
      if (late < Math.min(on[t], off[t])) {
        int start = lateStart(late);
        Arrays.fill(result, start, t, true);
        t = start;
        isOn = false;
      }
      while (t > 0) {
        if (!isOn) {
          isOn = justReleased[t];
          t--;
        } else if (justAllocated[t]) {
          Arrays.fill(result, t - minOn, t, true);
          t -= minOn;
          isOn = false;
        } else {
          result[t - 1] = true;
          t--;
        }
      }
      return result;
    }

    /** Returns the least value of an allocation that the end of the run cuts short. */
    private double bestLateStart() {
      double best = Double.POSITIVE_INFINITY;
      for (int start = Math.max(0, load.length - minOn + 1); start < load.length; start++) {
        best = Math.min(best, lateValue(start));
      }
      return best;
    }

    private int lateStart(double value) {
      int start = Math.max(0, load.length - minOn + 1);
      while (lateValue(start) > value) {
        start++;
      }
      return start;
    }

    private double lateValue(int start) {
      return off[start] + allocate + onSum[load.length] - onSum[start];
    }

    private double costOn(double u) {
      return model.weigh(objective, energyOn(u), model.accelerator().dollars());
    }

    private double costOff(double u) {
      if (u <= NONE) {
        return 0;
      }
      if (platform == Platform.ACCELERATOR_ONLY) {
        return Double.POSITIVE_INFINITY;
      }
      double workers = u * model.speedup();
      return model.weigh(
          objective, model.base().busyJoules() * workers, model.base().dollars() * workers);
    }
  }
}
