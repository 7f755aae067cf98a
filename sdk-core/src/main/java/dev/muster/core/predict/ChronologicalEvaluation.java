package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares learners on a log in the order of time, as a running system would meet it.
 *
 * <p>The first half of the jobs, by submission, is history; the rest is cut into windows of equal
 * numbers of jobs. When a window begins, a learner is told outcomes that were known by then; it
 * then predicts the window's jobs without learning. So no job is predicted by anything that
 * happened after its window began, and nothing is ever chosen by the windows' errors. Errors of
 * negative predictions count from 0.
 *
 * <p>Of the jobs submitted lately, the short ones have ended and the long ones have not: who learns
 * from what has ended learns that recent jobs are short, and that those from before the last bucket
 * are long. So a learner is told of jobs that are settled: submitted longer ago than the time
 * within which 95 % of the history's known jobs had ended. That delays learning by as much, and is
 * what a live system would have to do as well.
 */
public final class ChronologicalEvaluation {
  private final List<Job> jobs;
  private final int windows;

  private ChronologicalEvaluation(List<Job> jobs, int windows) {
    this.jobs = jobs;
    this.windows = windows;
  }

  /** Holds a job of the log. */
  public static final class Job {
    private final float[] row;
    private final float target;
    private final long submitSeconds;
    private final long endSeconds;

    private Job(float[] row, float target, long submitSeconds, long endSeconds) {
      this.row = row;
      this.target = target;
      this.submitSeconds = submitSeconds;
      this.endSeconds = endSeconds;
    }

    /**
     * Creates a job.
     *
     * @param row what was known at submission; shared, not copied
     * @param target its run time in days
     * @param submitSeconds when it was submitted
     * @param endSeconds when its run time was known
     */
    public static Job of(float[] row, float target, long submitSeconds, long endSeconds) {
      return new Job(row, target, submitSeconds, endSeconds);
    }
  }

  /** Learns whenever outcomes become known. */
  @FunctionalInterface
  public interface Learner {
    /**
     * Returns the predictor for the next window.
     *
     * @param known all settled jobs that have ended, by submission
     * @param newest those of them that were submitted after the jobs of the last call
     */
    RowPredictor learn(TrainingSet known, TrainingSet newest);
  }

  /**
   * Holds errors of one learner, in the unit of the targets.
   *
   * @param mean the mean absolute error
   * @param p95 the absolute error that 95 % of the jobs do not exceed
   */
  public record Errors(double mean, double p95) {}

  /**
   * Holds what a learner reached.
   *
   * @param total over all windows
   * @param windows window by window
   */
  public record Result(Errors total, List<Errors> windows) {
    /** Copies the list. */
    public Result {
      windows = List.copyOf(windows);
    }
  }

  /**
   * Creates an evaluation.
   *
   * @param jobs the log's jobs, in any order
   * @param windows how many, at least 1; each must get at least one job
   */
  public static ChronologicalEvaluation of(List<Job> jobs, int windows) {
    if (windows < 1 || jobs.size() / 2 < windows) {
      throw InvalidInputException.of(
          "windows",
          windows,
          "must be from 1 to half the " + jobs.size() + " jobs",
          "choose fewer windows or a longer log");
    }
    List<Job> sorted = new ArrayList<>(jobs);
    sorted.sort(Comparator.comparingLong(job -> job.submitSeconds));
    return new ChronologicalEvaluation(List.copyOf(sorted), windows);
  }

  /** Returns the number of jobs that are predicted. */
  public int predicted() {
    return jobs.size() - jobs.size() / 2;
  }

  /** Leads a learner through the log. */
  public Result run(Learner learner) {
    int half = jobs.size() - predicted();
    long delay = settlingSeconds(half);
    List<Errors> perWindow = new ArrayList<>();
    double[] all = new double[predicted()];
    int settled = 0;
    @Nullable RowPredictor predictor = null;
    for (int w = 0; w < windows; w++) {
      int from = (int) ((long) predicted() * w / windows);
      int to = (int) ((long) predicted() * (w + 1) / windows);
      long now = jobs.get(half + from).submitSeconds;
      int before = settled;
      while (jobs.get(settled).submitSeconds < now - delay) {
        settled++;
      }
      List<Job> newest = ended(before, settled, now);
      if (predictor == null || !newest.isEmpty()) {
        predictor = learner.learn(set(ended(0, settled, now)), set(newest));
      }
      for (int i = from; i < to; i++) {
        Job job = jobs.get(half + i);
        all[i] = Math.abs(Math.max(0, predictor.predict(job.row)) - job.target);
      }
      perWindow.add(errors(Arrays.copyOfRange(all, from, to)));
    }
    return new Result(errors(all), perWindow);
  }

  /** Returns the time within which 95 % of the history's jobs ended that have ended by now. */
  private long settlingSeconds(int half) {
    long[] turnaround =
        ended(0, half, jobs.get(half).submitSeconds).stream()
            .mapToLong(job -> job.endSeconds - job.submitSeconds)
            .sorted()
            .toArray();
    return turnaround.length == 0 ? 0 : turnaround[(turnaround.length - 1) * 19 / 20];
  }

  private List<Job> ended(int from, int to, long now) {
    return jobs.subList(from, to).stream().filter(job -> job.endSeconds <= now).toList();
  }

  private static TrainingSet set(List<Job> of) {
    if (of.isEmpty()) {
      throw InvalidInputException.of(
          "log",
          "no job of its first half",
          "had ended for long enough when the second half began",
          "use a longer log");
    }
    float[][] rows = new float[of.size()][];
    float[] targets = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = of.get(i).row;
      targets[i] = of.get(i).target;
    }
    return TrainingSet.of(rows, targets);
  }

  private static Errors errors(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double sum = 0;
    for (double value : sorted) {
      sum += value;
    }
    int rank = (int) Math.ceil(0.95 * sorted.length);
    return new Errors(sum / sorted.length, sorted[Math.max(1, rank) - 1]);
  }

  /** Learns from the first outcomes only. */
  public static Learner once(Learner learner) {
    return new Learner() {
      private @Nullable RowPredictor learned;

      @Override
      public RowPredictor learn(TrainingSet known, TrainingSet newest) {
        if (learned == null) {
          learned = learner.learn(known, newest);
        }
        return learned;
      }
    };
  }

  /** Learns by CORE and ADD: CORE from the first outcomes, then a bucket for each window. */
  public static Learner additive(AdditiveOptions options) {
    return new Learner() {
      private @Nullable AdditiveModel model;

      @Override
      public RowPredictor learn(TrainingSet known, TrainingSet newest) {
        model =
            model == null
                ? AdditiveTrainer.core(known, options)
                : AdditiveTrainer.update(model, newest, options);
        return model;
      }
    };
  }
}
