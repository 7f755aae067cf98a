package dev.muster.examples.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the result of a study as a table of at most 80 columns, as prose, and as JSON. */
final class StudyReport {
  /** Names the version of the JSON; raised when a field changes its meaning. */
  static final int SCHEMA_VERSION = 1;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private StudyReport() {}

  static void writeTable(Study.Result result, PrintWriter out) {
    List<Study.TypeSum> types = result.rows().get(0).byType();
    StringBuilder head = new StringBuilder();
    head.append(
        String.format(Locale.ROOT, "%-15s %7s %6s %8s", "policy", "energy", "cost", "missed"));
    head.append(String.format(Locale.ROOT, " %6s", types.get(0).type() + " %"));
    for (Study.TypeSum type : shown(types)) {
      head.append(String.format(Locale.ROOT, " %8s", shorten(type.type(), 5) + " up"));
    }
    head.append(String.format(Locale.ROOT, " %14s", "decide p50/p99"));
    out.println(head);
    for (Study.Row row : result.rows()) {
      StringBuilder line = new StringBuilder();
      line.append(
          String.format(
              Locale.ROOT,
              "%-15s %7s %6s %8d",
              shorten(row.policy(), 15),
              formatted("%.1f%%", 100 * result.energyEfficiency(row)),
              formatted("%.3fx", result.relativeCost(row)),
              row.tally().missed()));
      line.append(
          String.format(
              Locale.ROOT,
              " %5.1f%%",
              100.0 * row.byType().get(0).completed() / Math.max(1, row.tally().completed())));
      for (Study.TypeSum type : shown(row.byType())) {
        line.append(String.format(Locale.ROOT, " %8d", type.provisioned()));
      }
      line.append(
          String.format(
              Locale.ROOT,
              " %14s",
              micros(row.latency().percentileNanos(50))
                  + "/"
                  + micros(row.latency().percentileNanos(99))
                  + " us"));
      out.println(line);
    }
    writeUnfinished(result, out);
    out.println();
    out.println("energy   ideal accelerator-only energy / energy used       (modelled)");
    out.println("cost     cost / ideal accelerator-only cost                (modelled)");
    out.println("missed   tasks that finished after their deadline          (modelled)");
    out.println(
        String.format(
            Locale.ROOT,
            "%-8s share of tasks run on that type                   (modelled)",
            types.get(0).type() + " %"));
    out.println("up       workers provisioned (spin-ups)                    (modelled)");
    out.println("decide   wall time of one scheduling decision              (measured)");
  }

  /**
   * Names the policies that did not finish every task: their energy and cost are not comparable.
   */
  private static void writeUnfinished(Study.Result result, PrintWriter out) {
    for (Study.Row row : result.rows()) {
      long left = row.tally().submitted() - row.tally().completed();
      if (left > 0) {
        out.println(
            String.format(
                Locale.ROOT,
                "%s did not run %.1f%% of the tasks; its figures are for the rest.",
                row.policy(),
                100.0 * left / row.tally().submitted()));
      }
    }
  }

  /** Formats a ratio; a dash if a fleet that used nothing leaves none. */
  private static String formatted(String format, double ratio) {
    return Double.isFinite(ratio) ? String.format(Locale.ROOT, format, ratio) : "-";
  }

  /** Compares the first policy with the homogeneous ones, in words. */
  static void writeReading(Study.Result result, PrintWriter out) {
    Study.Row first = result.rows().get(0);
    for (Study.Row other : result.rows()) {
      if (other.policy().startsWith("CPU-") || other.policy().startsWith("FPGA-")) {
        out.println(compare(first, other));
      }
    }
  }

  private static String compare(Study.Row row, Study.Row other) {
    double energy = other.energyPicojoules().doubleValue() / row.energyPicojoules().doubleValue();
    double cost = row.costUnits().doubleValue() / other.costUnits().doubleValue();
    return String.format(
        Locale.ROOT,
        "%s uses %s energy %s %s, at %.2f times its cost.",
        row.policy(),
        energy >= 1
            ? String.format(Locale.ROOT, "%.2f times less", energy)
            : String.format(Locale.ROOT, "%.2f times more", 1 / energy),
        "than",
        other.policy(),
        cost);
  }

  /** Returns the figures that do not vary from run to run. */
  static ObjectNode json(String command, long seed, Study.Result result) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("command", command);
    root.put("seed", seed);
    root.put("source", "modelled");
    root.put("tasks", result.tasks());
    root.put("idealEnergyPicojoules", result.idealPicojoules());
    root.put("idealCostMicrodollarNanosPerHour", result.idealCostUnits());
    ArrayNode policies = root.putArray("policies");
    for (Study.Row row : result.rows()) {
      ObjectNode node = policies.addObject();
      node.put("policy", row.policy());
      putRatio(node, "energyEfficiency", result.energyEfficiency(row));
      putRatio(node, "relativeCost", result.relativeCost(row));
      node.put("energyPicojoules", row.energyPicojoules());
      node.put("costMicrodollarNanosPerHour", row.costUnits());
      node.put("submitted", row.tally().submitted());
      node.put("completed", row.tally().completed());
      node.put("rejected", row.tally().rejected());
      node.put("failed", row.tally().failed());
      node.put("cancelled", row.tally().cancelled());
      node.put("deadlineMisses", row.tally().missed());
      ObjectNode types = node.putObject("workerTypes");
      for (Study.TypeSum type : row.byType()) {
        ObjectNode sums = types.putObject(type.type());
        sums.put("completed", type.completed());
        sums.put("spinUps", type.provisioned());
      }
    }
    return root;
  }

  /** Puts a number, or null where there is none: JSON has no infinity. */
  private static void putRatio(ObjectNode node, String name, double ratio) {
    if (Double.isFinite(ratio)) {
      node.put(name, ratio);
    } else {
      node.putNull(name);
    }
  }

  static String csv(Study.Result result) {
    StringBuilder text =
        new StringBuilder(
            "policy,energy_efficiency,relative_cost,deadline_misses,completed,submitted\n");
    for (Study.Row row : result.rows()) {
      text.append(row.policy())
          .append(',')
          .append(cell(result.energyEfficiency(row)))
          .append(',')
          .append(cell(result.relativeCost(row)))
          .append(',')
          .append(row.tally().missed())
          .append(',')
          .append(row.tally().completed())
          .append(',')
          .append(row.tally().submitted())
          .append('\n');
    }
    return text.toString();
  }

  private static String cell(double ratio) {
    return Double.isFinite(ratio) ? Double.toString(ratio) : "";
  }

  /** Returns the types that still fit the table. */
  private static List<Study.TypeSum> shown(List<Study.TypeSum> types) {
    return new ArrayList<>(types.subList(0, Math.min(2, types.size())));
  }

  /** Returns microseconds with three digits or so. */
  private static String micros(long nanos) {
    double value = nanos / 1e3;
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }

  private static String shorten(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length - 1) + "~";
  }
}
