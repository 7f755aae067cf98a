package dev.muster.hal.sim.joblog;

import dev.muster.core.predict.AdditiveOptions;
import dev.muster.core.predict.AdditiveTrainer;
import dev.muster.core.predict.BoostingTrainer;
import dev.muster.core.predict.ChronologicalEvaluation;
import dev.muster.core.predict.ChronologicalEvaluation.Learner;
import dev.muster.core.predict.ChronologicalEvaluation.Result;
import dev.muster.core.predict.ForestTrainer;
import dev.muster.core.predict.HistoricalMean;
import dev.muster.core.predict.LinearRegression;
import dev.muster.core.predict.RowPredictor;
import dev.muster.core.predict.RuntimeTargets;
import dev.muster.core.predict.TrainingSet;
import dev.muster.core.predict.TreeOptions;
import dev.muster.hal.sim.joblog.JobFeatures.Feature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares ways to predict a log's run times: BoostedSOSA's tables, on any log.
 *
 * <p>Jobs that did not run are left out; targets are wall-clock days; time passes as in {@link
 * ChronologicalEvaluation}. Historical means and the regression learn again before each window from
 * all that is known, CORE and the forest learn once, RECENT-ONLY from the newest outcomes. What the
 * papers do not have are the gate and the trees whose leaves hold medians.
 */
public final class PredictionStudy {
  private final ChronologicalEvaluation evaluation;
  private final JobFeatures features;
  private final AdditiveOptions options;

  private PredictionStudy(
      ChronologicalEvaluation evaluation, JobFeatures features, AdditiveOptions options) {
    this.evaluation = evaluation;
    this.features = features;
    this.options = options;
  }

  /**
   * Creates a study.
   *
   * @param log the jobs
   * @param features the columns that predictors see
   * @param windows the windows of the log's second half
   * @param options the budgets
   */
  public static PredictionStudy of(
      List<JobRecord> log, JobFeatures features, int windows, AdditiveOptions options) {
    List<ChronologicalEvaluation.Job> jobs = new ArrayList<>();
    for (JobRecord job : log) {
      long seconds = job.outcome().runSeconds();
      if (RuntimeTargets.learnable(seconds)) {
        jobs.add(
            ChronologicalEvaluation.Job.of(
                features.row(job.submitted()),
                RuntimeTargets.daysOfSeconds(seconds),
                job.submitted().submitSeconds(),
                job.endSeconds()));
      }
    }
    return new PredictionStudy(ChronologicalEvaluation.of(jobs, windows), features, options);
  }

  /** Returns how many jobs are predicted. */
  public int predicted() {
    return evaluation.predicted();
  }

  /** Returns the contenders by name, in the order of the table. */
  public Map<String, Learner> learners() {
    Map<String, Learner> learners = new LinkedHashMap<>();
    int requested = features.columns().indexOf(Feature.REQUESTED_HOURS);
    if (requested >= 0) {
      learners.put("user estimate", (known, newest) -> userEstimate(requested, known));
    }
    int user = features.columns().indexOf(Feature.USER);
    learners.put("historical mean", (known, newest) -> HistoricalMean.train(known, user));
    learners.put("linear regression", (known, newest) -> LinearRegression.train(known));
    TreeOptions core = options.core();
    int all = core.trees() + options.addTrees();
    learners.put(
        "random forest",
        ChronologicalEvaluation.once(
            (known, newest) ->
                ForestTrainer.train(known, ForestTrainer.defaults().withTrees(core.trees()))));
    learners.put(
        "CORE",
        ChronologicalEvaluation.once((known, newest) -> BoostingTrainer.train(known, core)));
    learners.put(
        "CORE, all trees",
        ChronologicalEvaluation.once(
            (known, newest) -> BoostingTrainer.train(known, core.withTrees(all))));
    learners.put("RECENT-ONLY", (known, newest) -> AdditiveTrainer.recentOnly(newest, options));
    learners.put(
        "ADD as published",
        ChronologicalEvaluation.additive(options.withGate(AdditiveOptions.Gate.NONE)));
    AdditiveOptions gated = options.withGate(AdditiveOptions.Gate.HELD_BACK);
    learners.put("ADD gated", ChronologicalEvaluation.additive(gated));
    TreeOptions medians = core.withLoss(TreeOptions.Loss.ABSOLUTE);
    learners.put(
        "CORE, medians",
        ChronologicalEvaluation.once((known, newest) -> BoostingTrainer.train(known, medians)));
    learners.put("ADD gated, medians", ChronologicalEvaluation.additive(gated.withCore(medians)));
    return learners;
  }

  private static RowPredictor userEstimate(int requested, TrainingSet known) {
    HistoricalMean mean = HistoricalMean.train(known, -1);
    return row -> Float.isNaN(row[requested]) ? mean.predict(row) : row[requested] / 24;
  }

  /** Runs one contender. */
  public Result run(Learner learner) {
    return evaluation.run(learner);
  }

  /** Runs all contenders. */
  public Map<String, Result> runAll() {
    Map<String, Result> results = new LinkedHashMap<>();
    learners().forEach((name, learner) -> results.put(name, evaluation.run(learner)));
    return results;
  }
}
