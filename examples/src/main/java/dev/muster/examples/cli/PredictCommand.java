package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.core.predict.AdditiveModel;
import dev.muster.core.predict.AdditiveOptions;
import dev.muster.core.predict.AdditiveTrainer;
import dev.muster.core.predict.RuntimeTargets;
import dev.muster.core.predict.TrainingSet;
import dev.muster.core.predict.TreeOptions;
import dev.muster.hal.sim.joblog.DriftingLog;
import dev.muster.hal.sim.joblog.JobFeatures;
import dev.muster.hal.sim.joblog.JobRecord;
import dev.muster.hal.sim.joblog.PredictionStudy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trains and compares predictors of run times. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    description = "Predicts run times of jobs from logs of earlier ones.",
    subcommands = {PredictCommand.Train.class, PredictCommand.Eval.class})
public final class PredictCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Refuses a call that names no subcommand. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing train or eval");
  }

  /** Holds what both steps share, and turns bad input into exit code 2. */
  abstract static class Step implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Mixin JobLogOptions logs = new JobLogOptions();

    @Option(
        names = "--trees",
        defaultValue = "64",
        description = "Trees of CORE, and as many of ADD (default: ${DEFAULT-VALUE}).")
    int trees;

    @Option(
        names = "--depth",
        defaultValue = "6",
        description = "Depth of the trees (default: ${DEFAULT-VALUE}).")
    int depth;

    @Option(
        names = "--six",
        description = "Six features only, as many as BoostedSOSA has, not all ten.")
    boolean six;

    abstract void execute(PrintWriter out) throws IOException;

    final JobFeatures features() {
      return six ? JobFeatures.six() : JobFeatures.all();
    }

    final AdditiveOptions options() {
      TreeOptions defaults = TreeOptions.ofDefaults();
      TreeOptions core =
          new TreeOptions(
              trees,
              depth,
              defaults.learningRate(),
              defaults.lambda(),
              defaults.minRows(),
              defaults.loss(),
              defaults.seed());
      return AdditiveOptions.ofDefaults()
          .withCore(core)
          .withAddTrees(trees, Math.max(1, trees / 4));
    }

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      try {
        execute(out);
      } catch (InvalidInputException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
      out.flush();
      return 0;
    }
  }

  /** Trains a model on a whole log. */
  @Command(
      name = "train",
      mixinStandardHelpOptions = true,
      description = {
        "Trains boosted trees on a log and writes them as an XGBoost JSON model.",
        "The error is that of a model without the newest fifth, on that fifth."
      })
  static final class Train extends Step {
    @Option(names = "--log", required = true, description = "The job log: SWF or CSV, or gzip.")
    private Path log = Path.of("log.swf");

    @Option(names = "--out", required = true, description = "The model to write.")
    private Path out = Path.of("model.json");

    @Option(names = "--medians", description = "Leaves hold medians, not means.")
    private boolean medians;

    @Override
    void execute(PrintWriter text) throws IOException {
      Output.requireWritable(out);
      List<JobRecord> jobs = logs.read(log);
      TrainingSet set = learnable(jobs);
      AdditiveOptions options = options();
      if (medians) {
        options = options.withCore(options.core().withLoss(TreeOptions.Loss.ABSOLUTE));
      }
      long start = System.nanoTime();
      AdditiveModel model = AdditiveTrainer.core(set, options);
      double seconds = (System.nanoTime() - start) / 1e9;
      try (OutputStream file = Files.newOutputStream(out)) {
        model.save(file);
      }
      text.printf(
          Locale.ROOT,
          "jobs      %d in the log, %d ran and were learned%n",
          jobs.size(),
          set.size());
      text.println("features  " + names(0, 6));
      if (!six) {
        text.println("          " + names(6, 10));
      }
      text.printf(
          Locale.ROOT,
          "model     %d trees of depth %d, blocks of 15 minutes up to %d%n",
          model.trees().trees(),
          model.trees().depth(),
          model.targets().largestBlock());
      newestFifth(text, set, options);
      text.printf(Locale.ROOT, "training  %.2f s, with its held-back run (measured)%n", seconds);
      text.println("written   " + out);
    }

    private String names(int from, int to) {
      List<JobFeatures.Feature> columns = features().columns();
      StringBuilder names = new StringBuilder();
      for (int i = from; i < Math.min(to, columns.size()); i++) {
        names.append(i > from ? ", " : "");
        names.append(columns.get(i).name().toLowerCase(Locale.ROOT));
      }
      return names.toString();
    }

    private void newestFifth(PrintWriter text, TrainingSet set, AdditiveOptions options) {
      int split = set.size() - set.size() / 5;
      if (set.size() < AdditiveOptions.MIN_BUCKET) {
        return;
      }
      AdditiveModel older = AdditiveTrainer.core(set.slice(0, split), options);
      TrainingSet newest = set.slice(split, set.size());
      int covered = 0;
      for (int i = 0; i < newest.size(); i++) {
        float mean = older.predict(newest.row(i));
        covered += newest.target(i) <= older.quantile(mean, 0.9) ? 1 : 0;
      }
      text.printf(
          Locale.ROOT,
          "error     %.2f h mean absolute; %.0f %% within the 90 %% quantile (measured)%n",
          24 * newest.meanAbsoluteError(older),
          100.0 * covered / newest.size());
    }

    private TrainingSet learnable(List<JobRecord> jobs) {
      List<JobRecord> ran =
          jobs.stream()
              .filter(job -> RuntimeTargets.learnable(job.outcome().runSeconds()))
              .toList();
      float[][] rows = new float[ran.size()][];
      float[] days = new float[rows.length];
      JobFeatures columns = features();
      for (int i = 0; i < rows.length; i++) {
        rows[i] = columns.row(ran.get(i).submitted());
        days[i] = RuntimeTargets.daysOfSeconds(ran.get(i).outcome().runSeconds());
      }
      return TrainingSet.of(rows, days);
    }
  }

  /** Compares predictors on logs, in the order of time. */
  @Command(
      name = "eval",
      mixinStandardHelpOptions = true,
      description = {
        "Compares predictors on logs in the order of time: the first half is history,",
        "the rest windows that are predicted before they are learned."
      })
  static final class Eval extends Step {
    @Parameters(arity = "0..*", paramLabel = "LOG", description = "Job logs: SWF or CSV, or gzip.")
    private List<Path> files = List.of();

    @Option(
        names = "--drift",
        split = ",",
        paramLabel = "SIGMA",
        description = "Also generates logs that drift by these amounts, 0 to 3.")
    private List<Double> drifts = List.of();

    @Option(
        names = "--jobs",
        defaultValue = "60000",
        description = "Jobs of a generated log (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
        names = "--seed",
        defaultValue = "1",
        description = "Seed of generated logs (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
        names = "--windows",
        defaultValue = "5",
        description = "Windows of the second half (default: ${DEFAULT-VALUE}).")
    private int windows;

    @Option(names = "--json", description = "Also writes the figures as JSON.")
    private @Nullable Path json;

    @Override
    void execute(PrintWriter out) {
      if (json != null) {
        Output.requireWritable(json);
      }
      Map<String, List<JobRecord>> all = new LinkedHashMap<>();
      List<DriftingLog> generators = new ArrayList<>();
      for (double sigma : drifts) {
        generators.add(DriftingLog.builder().jobs(jobs).sigma(sigma).seed(seed).build());
      }
      for (Path file : files) {
        all.put(file.toString(), logs.read(file));
      }
      for (int i = 0; i < generators.size(); i++) {
        all.put("generated, drift " + drifts.get(i), generators.get(i).generate());
      }
      if (all.isEmpty()) {
        throw InvalidInputException.of(
            "logs", "none", "must be at least one", "name a LOG, or --drift 0.25");
      }
      PredictionReport report = new PredictionReport();
      all.forEach(
          (name, log) -> {
            PredictionStudy study = PredictionStudy.of(log, features(), windows, options());
            report.add(name, log.size(), study.predicted(), study.runAll(), out);
            out.flush();
          });
      report.legend(out);
      if (json != null) {
        Output.write(json, report.json());
      }
    }
  }
}
