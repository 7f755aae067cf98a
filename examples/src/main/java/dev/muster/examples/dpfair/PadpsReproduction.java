package dev.muster.examples.dpfair;

import static dev.muster.examples.dpfair.PlacementReport.line;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.PaperExamples;
import dev.muster.core.dpfair.PaperFilter;
import dev.muster.core.dpfair.PaperPlacer;
import dev.muster.core.dpfair.PlacementMetrics;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlanGantt;
import dev.muster.core.dpfair.PublishedCounts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Sets modelled figures beside those of the PADPS-FR paper: Examples 1 to 3, Figures 5 to 8. */
public final class PadpsReproduction {
  private static final int[] CARDS = {3, 4, 5, 6};
  private static final long[] RECONFIGURE_MILLIS = {2, 4, 6, 8, 10, 12};

  private PadpsReproduction() {}

  /** Computes everything and returns it as text of at most 80 columns. */
  public static String text() {
    StringBuilder text = new StringBuilder();
    example(text, "Example 1", PaperExamples.example1());
    published(text, "combinations", "1024", "product of the variants");
    published(text, "fit / not", "620 / 404", "filter with n+1 reconfigurations");
    published(text, "selected", "5th, 31.5 mW", "the same filter, stable sort, Algorithm 2");
    published(text, "rejected", "156 of 620", "counting artefact, see below");
    published(text, "accepted", "464, also 496", "counting artefacts, see below");
    artefacts(text);
    example(text, "Example 2 (fill of T3: 12 ms)", PaperExamples.example2());
    published(text, "selected", "not Example 1's", "the same; the paper names no other");
    example(text, "Example 3", PaperExamples.example3());
    published(text, "fit / not", "6 / 18", "filter with n+1 reconfigurations");
    published(text, "accepted", "6", "every reading");
    published(text, "selected", "540 440 119 ms", "every reading");
    text.append('\n');
    figures(text);
    better(text);
    return text.toString();
  }

  private static void example(StringBuilder text, String title, PlacementProblem problem) {
    line(
        text,
        "%n%s: %d tasks on %d cards, modelled",
        title,
        problem.tasks().size(),
        problem.tiles());
    line(
        text,
        "  %-26s %5s %6s %6s %9s %9s",
        "filter",
        "fit",
        "not",
        "accept",
        "selected",
        "power mW");
    for (PaperFilter filter : PaperFilter.values()) {
      PaperPlacer.Report report = PaperPlacer.of(filter).report(problem);
      line(
          text,
          "  %-26s %5d %6d %6d %9s %9s",
          filter == PaperFilter.EQUATION_7 ? "equation 7 as printed" : "n+1 reconfigurations",
          report.fit(),
          report.notFit(),
          report.accepted(),
          report.selected().map(s -> "rank " + s.rank()).orElse("none"),
          report
              .selected()
              .map(s -> String.format(Locale.ROOT, "%.3f", s.plan().powerMicrowatts() / 1e3))
              .orElse("-"));
    }
    PaperPlacer.of(PaperFilter.PUBLISHED_COUNTS)
        .report(problem)
        .selected()
        .ifPresent(
            s -> {
              line(
                  text,
                  "  shares %s ms",
                  s.sharesMicros().stream()
                      .map(m -> Long.toString(m / 1000))
                      .collect(Collectors.joining(" ")));
              PlanGantt.of(s.plan(), 0, 60)
                  .lines()
                  .forEach(row -> text.append("  ").append(row).append('\n'));
              line(text, "  %-13s %-15s %s", "published", "", "reproduced by");
            });
  }

  private static void published(StringBuilder text, String what, String value, String reading) {
    line(text, "  %-13s %-15s %s", what, value, reading);
  }

  private static void artefacts(StringBuilder text) {
    PlacementProblem problem = PaperExamples.example1();
    for (PublishedCounts.Printed printed : PublishedCounts.Printed.values()) {
      PublishedCounts counts = PublishedCounts.of(problem, printed);
      line(
          text,
          "  artefact: %d accepted, of which %d never decided; %d rejected (emulated)",
          counts.accepted(),
          counts.undecided(),
          counts.rejected());
    }
  }

  private static void figures(StringBuilder text) {
    line(text, "Fig. 5: task sets of Example 1 rejected, %% of 1024 (modelled)");
    table(text, p -> 100 * rejected(p));
    line(text, "  Trends as published. Near 0 %% at six cards takes a task that runs beside");
    line(text, "  itself; without that no fewer than these are rejected, at 6 ms:");
    line(
        text,
        "  cards    3 %.1f   4 %.1f   5 %.1f   6 %.1f",
        sound(3),
        sound(4),
        sound(5),
        sound(6));
    line(text, "%nFig. 6: workload threshold, %% (modelled)");
    table(text, p -> 100 * PlacementMetrics.workloadThreshold(p, PaperFilter.PUBLISHED_COUNTS));
    line(text, "%nFig. 7: average weight threshold (modelled)");
    table(text, p -> PlacementMetrics.averageWeightThreshold(p, PaperFilter.PUBLISHED_COUNTS));
    line(text, "%nFig. 8: rejected %% on four cards, against schedulers that also save the state");
    line(text, "  of a task they interrupt (modelled; the paper gives no figures for this one).");
    line(text, "  Reading: saving takes as long as loading, so they pay t_cfg twice.");
    line(text, "  t_cfg ms      2      4      6");
    StringBuilder mine = new StringBuilder("  placer  ");
    StringBuilder others = new StringBuilder("  others  ");
    for (long millis : new long[] {2, 4, 6}) {
      mine.append(
          String.format(
              Locale.ROOT, "%7.1f", 100 * rejected(PaperExamples.example1(4, millis * 1000))));
      others.append(
          String.format(
              Locale.ROOT, "%7.1f", 100 * rejected(PaperExamples.example1(4, millis * 2000))));
    }
    text.append(mine).append('\n').append(others).append('\n');
  }

  private static double rejected(PlacementProblem problem) {
    return PlacementMetrics.rejectionRatio(
        PaperPlacer.of(PaperFilter.PUBLISHED_COUNTS).report(problem));
  }

  /** Returns how many task sets fit no order of the tasks, in percent. */
  private static double sound(int cards) {
    PlacementProblem problem =
        PaperExamples.example1(cards, 6_000).withAccounting(Accounting.INCLUDED);
    List<int[]> rows = PaperPlacer.combinations(problem);
    long feasible = rows.stream().filter(r -> ExactPlacer.isFeasible(problem, r)).count();
    return 100.0 * (rows.size() - feasible) / rows.size();
  }

  private static void table(StringBuilder text, ToDoubleFunction<PlacementProblem> value) {
    StringBuilder head = new StringBuilder("  t_cfg ms");
    for (long millis : RECONFIGURE_MILLIS) {
      head.append(String.format(Locale.ROOT, "%8d", millis));
    }
    text.append(head).append('\n');
    for (int cards : CARDS) {
      StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "  %d cards ", cards));
      for (long millis : RECONFIGURE_MILLIS) {
        double v = value.applyAsDouble(PaperExamples.example1(cards, millis * 1000));
        row.append(String.format(Locale.ROOT, v > 2 ? "%8.1f" : "%8.3f", v));
      }
      text.append(row).append('\n');
    }
  }

  private static void better(StringBuilder text) {
    line(text, "%nBetter plans for Example 1 (modelled; exact search, no task beside itself)");
    line(text, "  %-34s %9s %9s", "rule", "4 cards", "3 cards");
    for (Accounting accounting : Accounting.values()) {
      for (boolean mirrored : new boolean[] {false, true}) {
        line(
            text,
            "  %-34s %9s %9s",
            accounting + (mirrored ? ", mirrored" : ""),
            power(4, accounting, mirrored),
            power(3, accounting, mirrored));
      }
    }
    line(text, "  Only STRICT meets the deadlines of the tasks with a period of 90 ms.");
  }

  private static String power(int cards, Accounting accounting, boolean mirrored) {
    Optional<PlacementPlan> plan =
        ExactPlacer.create()
            .place(
                PaperExamples.example1(cards, 6_000)
                    .withAccounting(accounting)
                    .withMirrored(mirrored))
            .plan();
    return plan.map(p -> String.format(Locale.ROOT, "%.1f mW", p.powerMicrowatts() / 1e3))
        .orElse("none");
  }
}
