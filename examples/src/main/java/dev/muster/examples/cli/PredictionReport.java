package dev.muster.examples.cli;

import dev.muster.core.predict.ChronologicalEvaluation.Errors;
import dev.muster.core.predict.ChronologicalEvaluation.Result;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes errors of predictors as tables of at most 80 columns, and as JSON. */
final class PredictionReport {
  private static final int MAX_WINDOWS = 5;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final ObjectNode root = MAPPER.createObjectNode().put("schemaVersion", 1);
  private final ArrayNode logs = root.putArray("logs");

  /** Prints a log's table and keeps its figures. */
  void add(String name, int jobs, int predicted, Map<String, Result> results, PrintWriter out) {
    out.printf(Locale.ROOT, "%s: %d jobs, %d predicted%n", name, jobs, predicted);
    out.printf(Locale.ROOT, "%-18s %7s %7s %7s  MAE by window%n", "", "MAE h", "p95 h", "to CORE");
    @Nullable Result core = results.get("CORE");
    ObjectNode log = logs.addObject();
    log.put("log", name).put("jobs", jobs).put("predicted", predicted);
    ArrayNode rows = log.putArray("methods");
    results.forEach(
        (method, result) -> {
          out.println(line(method, result, core));
          ObjectNode row = rows.addObject().put("method", method);
          put(row, result.total());
          ArrayNode windows = row.putArray("windows");
          for (Errors errors : result.windows()) {
            put(windows.addObject(), errors);
          }
        });
    out.println();
  }

  private static String line(String method, Result result, @Nullable Result core) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%-18s %7.3f %7.2f",
            method,
            24 * result.total().mean(),
            24 * result.total().p95()));
    line.append(
        core == null
            ? " ".repeat(8)
            : String.format(
                Locale.ROOT, " %+6.1f%%", 100 * (result.total().mean() / core.total().mean() - 1)));
    line.append(' ');
    int shown = Math.min(MAX_WINDOWS, result.windows().size());
    for (int w = 0; w < shown; w++) {
      line.append(String.format(Locale.ROOT, " %6.2f", 24 * result.windows().get(w).mean()));
    }
    return line.append(shown < result.windows().size() ? " .." : "").toString();
  }

  private static void put(ObjectNode node, Errors errors) {
    node.put("maeHours", 24 * errors.mean()).put("p95Hours", 24 * errors.p95());
  }

  /** Explains the tables. */
  void legend(PrintWriter out) {
    out.println("MAE h    mean absolute error in hours of wall-clock time        (measured)");
    out.println("p95 h    absolute error that 95 in 100 jobs do not exceed       (measured)");
    out.println("to CORE  mean absolute error against trees that never learn again");
    out.println("Nothing is told before it was known, and nothing is chosen by these errors.");
  }

  ObjectNode json() {
    return root;
  }
}
