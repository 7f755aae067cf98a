package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.core.dpfair.AnytimePlacer;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.LargePlacer;
import dev.muster.core.dpfair.PaperFilter;
import dev.muster.core.dpfair.PaperPlacer;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlacementResult;
import dev.muster.core.dpfair.Placer;
import dev.muster.core.dpfair.SearchBudget;
import dev.muster.core.dpfair.SliceSearch;
import dev.muster.examples.dpfair.PlacementJson;
import dev.muster.examples.dpfair.PlacementReport;
import dev.muster.examples.dpfair.PlanRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Places periodic tasks on cards. Exit code 1 if there is no plan. */
@Command(
    name = "place",
    mixinStandardHelpOptions = true,
    description = "Places periodic tasks on cards at the least power, slice after slice.")
public final class PlaceCommand implements Callable<Integer> {
  /** Names the searches. */
  enum Mode {
    /** As published. */
    FAITHFUL,
    /** Optimal, up to 16 tasks. */
    EXACT,
    /** Thousands of tasks, with a certified gap. */
    LARGE,
    /** Large, then exact until the budget ends. */
    ANYTIME
  }

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "The problem, as JSON.")
  private @Nullable Path file;

  @Option(
      names = "--mode",
      defaultValue = "anytime",
      description = "faithful, exact, large or anytime (default: ${DEFAULT-VALUE}).")
  private Mode mode = Mode.ANYTIME;

  @Option(names = "--mirror", description = "Run every second slice backwards.")
  private boolean mirror;

  @Option(names = "--search-slice", description = "Try other slice lengths too.")
  private boolean searchSlice;

  @Option(
      names = "--budget-ms",
      defaultValue = "1000",
      description = "Time for --mode anytime, per slice tried (default: ${DEFAULT-VALUE}).")
  private long budgetMillis = 1000;

  @Option(names = "--json", description = "Also writes the plan as JSON.")
  private @Nullable Path json;

  @Option(names = "--run", description = "Also runs the plan on simulated cards for N slices.")
  private int runSlices;

  @Option(names = "--print-example", description = "Prints a problem with comments and stops.")
  private boolean printExample;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (printExample) {
      out.print(PlacementJson.example());
      out.flush();
      return 0;
    }
    try {
      PlacementResult result = placer().place(problem());
      out.print(PlacementReport.text(result));
      PlacementPlan plan = result.planOrNull();
      if (runSlices > 0 && plan != null) {
        out.print(PlanRun.text(plan, runSlices));
      }
      out.flush();
      if (json != null && plan != null) {
        Output.write(json, PlacementReport.json(result, plan));
      }
      return plan == null ? 1 : 0;
    } catch (InvalidInputException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private PlacementProblem problem() {
    Path from = file;
    if (from == null) {
      throw new ParameterException(
          spec.commandLine(), "Missing FILE; --print-example shows what it holds");
    }
    if (json != null) {
      Output.requireWritable(json);
    }
    PlacementProblem problem = PlacementJson.readProblem(from);
    return mirror ? problem.withMirrored(true) : problem;
  }

  private Placer placer() {
    if (budgetMillis < 1 || budgetMillis > 86_400_000) {
      throw new ParameterException(
          spec.commandLine(), "--budget-ms: " + budgetMillis + " must be between 1 and 86400000");
    }
    Placer placer =
        switch (mode) {
          case FAITHFUL -> PaperPlacer.of(PaperFilter.PUBLISHED_COUNTS);
          case EXACT -> ExactPlacer.create();
          case LARGE -> LargePlacer.create();
          case ANYTIME ->
              AnytimePlacer.of(
                  SearchBudget.ofTime(Duration.ofMillis(budgetMillis), System::nanoTime));
        };
    return searchSlice ? SliceSearch.of(placer) : placer;
  }
}
