package dev.muster.examples.dpfair;

import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementMetrics;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlacementResult;
import dev.muster.core.dpfair.PlanGantt;
import dev.muster.core.dpfair.Segment;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Writes what a placer found, as text of at most 80 columns and as JSON. */
public final class PlacementReport {
  private static final int NAME_COLUMNS = 16;
  private static final int CHART_COLUMNS = 60;

  private PlacementReport() {}

  /** Returns the result as text. */
  public static String text(PlacementResult result) {
    StringBuilder text = new StringBuilder();
    PlacementPlan plan = result.planOrNull();
    if (plan == null) {
      return text.append(wrap("no plan (" + result.status() + "): " + result.reason()))
          .append('\n')
          .toString();
    }
    PlacementProblem problem = plan.problem();
    line(text, "plan        %s", verdict(result));
    line(text, "power       %.3f mW, sum of the variants (modelled)", plan.powerMicrowatts() / 1e3);
    line(text, "energy      %.6f mJ per slice (modelled)", plan.energyPicojoules() / 1e9);
    line(
        text,
        "slice       %.3f ms, accounting %s%s",
        problem.sliceMicros() / 1e3,
        problem.accounting(),
        problem.mirrored() ? ", mirrored" : "");
    line(
        text,
        "load        %.1f %% of %d tiles, average weight %.3f, %d images a slice",
        100 * PlacementMetrics.workload(plan),
        plan.tiles(),
        PlacementMetrics.averageWeight(plan),
        plan.reconfigurations());
    line(
        text,
        "searched    %d variant sets packed, %d steps",
        result.packings(),
        result.operations());
    text.append('\n');
    tasks(text, plan);
    text.append('\n');
    chart(text, plan);
    return text.toString();
  }

  private static String verdict(PlacementResult result) {
    return switch (result.status()) {
      case OPTIMAL -> "optimal: no plan costs less";
      case FEASIBLE ->
          result.lowerBound() > 0
              ? String.format(
                  Locale.ROOT, "feasible, at most %.2f %% above the optimum", 100 * result.gap())
              : "feasible, without a bound on what could be saved";
      case INFEASIBLE, UNKNOWN -> throw new IllegalStateException("no plan");
    };
  }

  private static void tasks(StringBuilder text, PlacementPlan plan) {
    line(
        text,
        "  %-16s %3s %9s %9s %11s  %s",
        "task",
        "CU",
        "power mW",
        "period ms",
        "run ms/slice",
        "on");
    List<String> names = plan.problem().tileNames();
    for (int k = 0; k < plan.problem().tasks().size(); k++) {
      PeriodicTask task = plan.problem().tasks().get(k);
      List<Segment> segments = plan.segmentsOf(k);
      String on = segments.stream().map(s -> names.get(s.tile())).collect(Collectors.joining("+"));
      line(
          text,
          "%c %-16s %3d %9.3f %9.3f %12.3f  %s",
          PlanGantt.letter(k),
          cut(task.id(), NAME_COLUMNS),
          plan.hardwareVariant(k).computeUnits(),
          plan.hardwareVariant(k).powerMicrowatts() / 1e3,
          task.periodMicros() / 1e3,
          segments.stream().mapToLong(Segment::runMicros).sum() / 1e3,
          cut(on, 20));
    }
  }

  private static void chart(StringBuilder text, PlacementPlan plan) {
    int widest = plan.problem().tileNames().stream().mapToInt(String::length).max().orElse(0);
    int columns = Math.max(10, Math.min(CHART_COLUMNS, 76 - widest));
    if (widest > 60) {
      return;
    }
    for (int slice = 0; slice < (plan.problem().mirrored() ? 2 : 1); slice++) {
      if (plan.problem().mirrored()) {
        line(text, slice == 0 ? "slices 0, 2, 4, ..." : "slices 1, 3, 5, ...");
      }
      text.append(PlanGantt.of(plan, slice, columns));
    }
    line(text, "# reconfigures   : fills   A runs task A   . idles");
  }

  /** Returns the plan and what is proved about it as JSON. */
  public static String json(PlacementResult result, PlacementPlan plan) {
    ObjectNode root = PlacementJson.tree(plan);
    root.put("status", result.status().name());
    root.put("cost", result.cost());
    root.put("lowerBound", result.lowerBound());
    root.put("packings", result.packings());
    root.put("operations", result.operations());
    return PlacementJson.print(root);
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation's library is not at hand here
  static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  static String cut(String text, int columns) {
    return text.length() <= columns ? text : text.substring(0, columns - 1) + "~";
  }

  private static String wrap(String text) {
    return text.replaceAll("(.{1,78})(\\s+|$)", "$1\n").strip();
  }
}
