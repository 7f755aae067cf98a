package dev.muster.examples.qos;

import dev.muster.core.qos.RolloutQos;
import dev.muster.hal.sim.workload.QosScenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the paper's experiments and the comparison with the form that does better. */
public final class QosReproduction {
  private static final int[] HOMOGENEOUS = {27, 22, 18, 13, 3};
  private static final String[] HOMOGENEOUS_WAIT = {"-", "396", "270", "132", "43"};
  private static final String[] MIXED = {"27", "(22)", "17", "10", "2"};
  private static final String[] MIXED_TOTAL = {"~950", "-", "~320", "~160", "90"};

  private final StringBuilder text = new StringBuilder();
  private final ObjectNode json = JsonMapper.shared().createObjectNode();

  private QosReproduction() {}

  /** Runs everything; deterministic for a seed range. */
  public static QosReproduction run(long firstSeed, int seeds) {
    QosReproduction r = new QosReproduction();
    r.homogeneous();
    r.mixed(firstSeed, seeds);
    r.better(firstSeed, seeds, Duration.ZERO, "better", "reconfiguration takes no time");
    r.better(
        firstSeed,
        seeds,
        Duration.ofSeconds(2),
        "betterWithReconfiguration",
        "reconfiguration takes 2 s, both reuse loaded designs");
    r.ablation(firstSeed, seeds);
    return r;
  }

  /** Returns the tables as text that fits 80 columns. */
  public String text() {
    return text.toString();
  }

  /** Returns the figures as JSON. */
  public String json() {
    return json.toPrettyString() + '\n';
  }

  private void homogeneous() {
    line("QoS over regions. Times in seconds; modelled unless marked published.");
    line("");
    line("1 Homogeneous. The arrivals were not published: this workload was FITTED to");
    line("  the published violations and waits; agreement shows consistency, no more.");
    line(
        "  %-9s %10s %9s %10s %9s %7s %7s %7s",
        "", "violations", "published", "mean wait", "published", "longest", "e2e", "excess");
    List<QosRun> runs =
        Managers.run(
            FittedWorkload.generate(), FittedWorkload.designs(), FittedWorkload.fixedDesign());
    ArrayNode rows = json.putArray("homogeneousFitted");
    for (int i = 0; i < runs.size(); i++) {
      QosRun run = runs.get(i);
      line(
          "  %-9s %10d %9d %10.0f %9s %7.0f %7.0f %7.1f",
          Managers.NAMES.get(i),
          run.violations(),
          HOMOGENEOUS[i],
          run.averageWait() / 1e3,
          HOMOGENEOUS_WAIT[i],
          run.longestWait() / 1e3,
          run.averageTotal() / 1e3,
          run.averageExcess() / 1e3);
      put(rows.addObject(), Managers.NAMES.get(i), List.of(run))
          .put("publishedViolations", HOMOGENEOUS[i]);
    }
  }

  private void mixed(long firstSeed, int seeds) {
    QosComparison setup = QosComparison.bundled(Duration.ZERO);
    List<List<QosRun>> columns = new ArrayList<>();
    Managers.NAMES.forEach(name -> columns.add(new ArrayList<>()));
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      List<QosRun> runs =
          Managers.run(
              QosScenario.C.generate(setup.nominalMillis(), seed),
              setup.library(),
              Managers.naive(setup.library()));
      for (int i = 0; i < runs.size(); i++) {
        columns.get(i).add(runs.get(i));
      }
    }
    line("");
    line("2 Heterogeneous. Means of %d random workloads (scenario C below), not fitted.", seeds);
    line("  The value in brackets is inferred from published ratios. M1's fixed designs");
    line("  are our choice: the MID pick with 30 %% more time, so its times are longer.");
    line(
        "  %-9s %10s %9s %9s %7s %7s %9s",
        "", "violations", "published", "mean wait", "excess", "e2e", "published");
    ArrayNode rows = json.putArray("heterogeneous");
    for (int i = 0; i < columns.size(); i++) {
      List<QosRun> runs = columns.get(i);
      line(
          "  %-9s %10.1f %9s %9.0f %7.1f %7.0f %9s",
          Managers.NAMES.get(i),
          runs.stream().mapToInt(QosRun::violations).average().orElse(0),
          MIXED[i],
          runs.stream().mapToDouble(QosRun::averageWait).average().orElse(0) / 1e3,
          runs.stream().mapToDouble(QosRun::averageExcess).average().orElse(0) / 1e3,
          runs.stream().mapToDouble(QosRun::averageTotal).average().orElse(0) / 1e3,
          MIXED_TOTAL[i]);
      put(rows.addObject(), Managers.NAMES.get(i), runs);
    }
  }

  private void better(
      long firstSeed, int seeds, Duration reconfiguration, String key, String what) {
    boolean reuses = !reconfiguration.isZero();
    line("");
    line(
        "%d Default policy on 8 mergeable slots against the paper's M4%s;",
        reuses ? 4 : 3, reuses ? " with reuse" : "");
    line("  %s.", what);
    line("  %d seeds from %d, 95 %% intervals paired by workload.", seeds, firstSeed);
    line(
        "  %-8s %9s %9s %9s %9s %9s %9s",
        "scenario", "late M4", "better", "change %", "+/- %", "wait M4", "better");
    ArrayNode rows = json.putArray(key);
    for (QosScenario scenario : QosScenario.values()) {
      QosComparison.Result r =
          QosComparison.bundled(reconfiguration).compare(scenario, firstSeed, seeds, reuses);
      line(
          "  %-8s %9.2f %9.2f %+9.1f %9.1f %9.1f %9.1f",
          scenario,
          r.baseViolations(),
          r.betterViolations(),
          r.changePercent(),
          r.intervalPercent(),
          r.baseWaitSeconds(),
          r.betterWaitSeconds());
      rows.addObject()
          .put("scenario", scenario.name())
          .put("baseViolations", r.baseViolations())
          .put("betterViolations", r.betterViolations())
          .put("changePercent", r.changePercent())
          .put("intervalPercent", r.intervalPercent())
          .put("baseWaitSeconds", r.baseWaitSeconds())
          .put("betterWaitSeconds", r.betterWaitSeconds());
    }
  }

  private void ablation(long firstSeed, int seeds) {
    line("");
    line("5 What each part brings: violations against M4 in %%, same workloads as 3.");
    line("  %-34s %7s %7s %7s %7s %7s", "", "A", "B", "C", "D", "E");
    ArrayNode rows = json.putArray("ablation");
    ablate("merging only", firstSeed, seeds, rows, b -> b.withoutRollout());
    ablate("and guarded rollout", firstSeed, seeds, rows, b -> b.maxRecalls(0));
    ablate("and taking late runs back (default)", firstSeed, seeds, rows, b -> b);
  }

  private void ablate(
      String name,
      long firstSeed,
      int seeds,
      ArrayNode rows,
      java.util.function.UnaryOperator<RolloutQos.Builder> change) {
    SortedMap<String, Double> changes = new TreeMap<>();
    for (QosScenario scenario : QosScenario.values()) {
      changes.put(
          scenario.name(),
          QosComparison.bundled(Duration.ZERO)
              .compare(
                  scenario,
                  firstSeed,
                  seeds,
                  false,
                  layout -> change.apply(RolloutQos.builder(layout)).build())
              .changePercent());
    }
    line(
        "  %-34s %+7.1f %+7.1f %+7.1f %+7.1f %+7.1f",
        name,
        changes.getOrDefault("A", 0.0),
        changes.getOrDefault("B", 0.0),
        changes.getOrDefault("C", 0.0),
        changes.getOrDefault("D", 0.0),
        changes.getOrDefault("E", 0.0));
    ObjectNode row = rows.addObject().put("policy", name);
    changes.forEach(row::put);
  }

  private static ObjectNode put(ObjectNode row, String name, List<QosRun> runs) {
    return row.put("configuration", name)
        .put("violations", runs.stream().mapToInt(QosRun::violations).average().orElse(0))
        .put("meanWaitMillis", runs.stream().mapToDouble(QosRun::averageWait).average().orElse(0))
        .put("meanTotalMillis", runs.stream().mapToDouble(QosRun::averageTotal).average().orElse(0))
        .put(
            "meanExcessMillis",
            runs.stream().mapToDouble(QosRun::averageExcess).average().orElse(0));
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation is not on the module path
  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
