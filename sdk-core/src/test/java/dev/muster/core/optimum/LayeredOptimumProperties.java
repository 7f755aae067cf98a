package dev.muster.core.optimum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import dev.muster.api.Objective;
import dev.muster.core.optimum.LayeredOptimum.Platform;
import dev.muster.core.optimum.LayeredOptimum.Result;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Holds the layered optimum against a mixed-integer solver on small instances. */
class LayeredOptimumProperties {
  @SuppressWarnings("ArrayRecordComponent")
  record Instance(
      double[] load, int minOn, double speedup, Objective objective, Platform platform) {
    @Override
    public String toString() {
      return Arrays.toString(load) + " " + minOn + " " + speedup + " " + objective + " " + platform;
    }
  }

  @BeforeContainer
  static void loadSolver() {
    Loader.loadNativeLibraries();
  }

  @Property(tries = 250)
  void equalsTheSolverWhereTheModelIsTheSame(@ForAll("instances") Instance i) {
    RateModel model = model(i, 1, 0);
    Result result = LayeredOptimum.solve(model, i.objective(), i.platform(), i.load());
    double best = solve(model, i.objective(), i.platform(), i.load());
    assertThat(result.objective()).isCloseTo(best, within(1e-6 * Math.max(1, best)));
    assertThat(result.lowerBound()).isCloseTo(best, within(1e-6 * Math.max(1, best)));
  }

  @Property(tries = 250)
  void enclosesTheSolverUnderTheFullModel(@ForAll("instances") Instance i) {
    RateModel model = model(i, i.minOn(), 0.75);
    Result result = LayeredOptimum.solve(model, i.objective(), i.platform(), i.load());
    double best = solve(model, i.objective(), i.platform(), i.load());
    double tolerance = 1e-6 * Math.max(1, best);
    assertThat(result.lowerBound()).isLessThanOrEqualTo(best + tolerance);
    assertThat(result.objective()).isGreaterThanOrEqualTo(best - tolerance);
    assertThat(keepsTheLeastTime(result.accelerators(), i.minOn())).isTrue();
  }

  @Provide
  Arbitrary<Instance> instances() {
    Arbitrary<double[]> loads =
        Arbitraries.doubles()
            .between(0, 3)
            .ofScale(2)
            .edgeCases(edges -> edges.add(0.0, 1.0, 2.0, 3.0))
            .array(double[].class)
            .ofMinSize(1)
            .ofMaxSize(6);
    return Combinators.combine(
            loads,
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(1.0, 2.0, 4.0),
            Arbitraries.of(Objective.ENERGY, Objective.COST, Objective.BALANCED),
            Arbitraries.of(Platform.values()))
        .as(Instance::new);
  }

  private static RateModel model(Instance i, int minOn, double baseChangeJoules) {
    return new RateModel(
        1,
        minOn,
        i.speedup(),
        new RateModel.Worker(50, 20, 120, 5, 0.3, 0.6, 0.01),
        new RateModel.Worker(
            150, 30, baseChangeJoules, baseChangeJoules, 0.2, baseChangeJoules / 1e3, 0));
  }

  /**
   * Checks the paper's constraint: what was allocated in a window is still allocated at its end.
   */
  private static boolean keepsTheLeastTime(int[] y, int minOn) {
    for (int end = 0; end < y.length; end++) {
      int allocated = 0;
      for (int t = Math.max(0, end - minOn + 1); t <= end; t++) {
        allocated += Math.max(0, y[t] - (t == 0 ? 0 : y[t - 1]));
      }
      if (y[end] < allocated) {
        return false;
      }
    }
    return true;
  }

  /** Writes Table 3 as it stands and solves it. */
  private static double solve(
      RateModel model, Objective objective, Platform platform, double[] load) {
    MPSolver mip = MPSolver.createSolver("SCIP");
    mip.setSolverSpecificParametersAsString("limits/gap = 0");
    int n = load.length;
    double most = 3 * model.speedup();
    MPVariable[] y = new MPVariable[n];
    MPVariable[] up = new MPVariable[n];
    MPVariable[] base = new MPVariable[n];
    RateModel.Worker f = model.accelerator();
    RateModel.Worker c = model.base();
    for (int t = 0; t < n; t++) {
      y[t] = mip.makeIntVar(0, platform == Platform.BASE_ONLY ? 0 : 3, "y" + t);
      weigh(mip, y[t], model.weigh(objective, f.idleJoules(), f.dollars()));
      MPVariable busy = mip.makeNumVar(0, 3, "b" + t);
      weigh(mip, busy, model.weigh(objective, f.busyJoules() - f.idleJoules(), 0));
      base[t] = mip.makeNumVar(0, platform == Platform.ACCELERATOR_ONLY ? 0 : most, "c" + t);
      weigh(mip, base[t], model.weigh(objective, c.busyJoules(), c.dollars()));
      up[t] = change(mip, "f" + t, y[t], t == 0 ? null : y[t - 1], f, model, objective);
      change(mip, "g" + t, base[t], t == 0 ? null : base[t - 1], c, model, objective);
      MPConstraint capacity = mip.makeConstraint(0, MPSolver.infinity());
      capacity.setCoefficient(y[t], 1);
      capacity.setCoefficient(busy, -1);
      MPConstraint served = mip.makeConstraint(load[t], load[t]);
      served.setCoefficient(busy, 1);
      served.setCoefficient(base[t], 1 / model.speedup());
      MPConstraint least = mip.makeConstraint(0, MPSolver.infinity());
      least.setCoefficient(y[t], 1);
      for (int s = Math.max(0, t - model.minOnIntervals() + 1); s <= t; s++) {
        least.setCoefficient(up[s], -1);
      }
    }
    mip.objective().setMinimization();
    assertThat(mip.solve()).isEqualTo(MPSolver.ResultStatus.OPTIMAL);
    double value = mip.objective().value();
    mip.delete();
    return value;
  }

  private static void weigh(MPSolver mip, MPVariable variable, double weight) {
    mip.objective().setCoefficient(variable, weight);
  }

  /** Adds the increase and decrease of a number of workers and returns the increase. */
  private static MPVariable change(
      MPSolver mip,
      String name,
      MPVariable now,
      @Nullable MPVariable before,
      RateModel.Worker worker,
      RateModel model,
      Objective objective) {
    MPVariable up = mip.makeNumVar(0, MPSolver.infinity(), name + "up");
    MPVariable down = mip.makeNumVar(0, MPSolver.infinity(), name + "down");
    weigh(mip, up, model.weigh(objective, worker.allocateJoules(), worker.allocateDollars()));
    weigh(mip, down, model.weigh(objective, worker.releaseJoules(), worker.releaseDollars()));
    MPConstraint balance = mip.makeConstraint(0, 0);
    balance.setCoefficient(now, 1);
    balance.setCoefficient(up, -1);
    balance.setCoefficient(down, 1);
    if (before != null) {
      balance.setCoefficient(before, -1);
    }
    return up;
  }
}
