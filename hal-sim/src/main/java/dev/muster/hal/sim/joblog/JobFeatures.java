package dev.muster.hal.sim.joblog;

import dev.muster.api.InvalidInputException;
import java.util.List;

/**
 * Turns submitted jobs into the rows that a predictor reads.
 *
 * <p>Only {@link SubmittedJob}s come in, so no outcome can leak into a row. Unknown values become
 * NaN, which trees handle by their default branch.
 */
public final class JobFeatures {
  private final List<Feature> features;

  private JobFeatures(List<Feature> features) {
    this.features = features;
  }

  /** Names one column of a row. */
  public enum Feature {
    /** Takes the processors or nodes requested. */
    PROCESSORS,
    /** Takes the wall time asked for, in hours. */
    REQUESTED_HOURS,
    /** Takes the memory requested, in the log's unit. */
    MEMORY,
    /** Takes the user's number. */
    USER,
    /** Takes the group's or project's number. */
    GROUP,
    /** Takes the program's number. */
    EXECUTABLE,
    /** Takes the queue's number. */
    QUEUE,
    /** Takes the partition's or node type's number. */
    NODE_TYPE,
    /** Takes the hour of the day on the log's clock, from 0 up to 24. */
    SUBMIT_HOUR,
    /** Takes the day modulo 7 on the log's clock. */
    SUBMIT_DAY;

    float of(SubmittedJob job) {
      return switch (this) {
        case PROCESSORS -> known(job.processors());
        case REQUESTED_HOURS ->
            job.requestedSeconds() < 0 ? Float.NaN : (float) (job.requestedSeconds() / 3600.0);
        case MEMORY -> known(job.memory());
        case USER -> known(job.user());
        case GROUP -> known(job.group());
        case EXECUTABLE -> known(job.executable());
        case QUEUE -> known(job.queue());
        case NODE_TYPE -> known(job.partition());
        case SUBMIT_HOUR -> (float) (Math.floorMod(job.submitSeconds(), 86_400) / 3600.0);
        case SUBMIT_DAY -> Math.floorMod(Math.floorDiv(job.submitSeconds(), 86_400), 7);
      };
    }

    private static float known(long value) {
      return value < 0 ? Float.NaN : value;
    }
  }

  /**
   * Creates rows of six columns that batch systems record at submission: processors, wall time
   * asked for, user, queue, node type and hour. BoostedSOSA uses six as well; of those only the
   * node type is named in the source at hand.
   */
  public static JobFeatures six() {
    return of(
        List.of(
            Feature.PROCESSORS,
            Feature.REQUESTED_HOURS,
            Feature.USER,
            Feature.QUEUE,
            Feature.NODE_TYPE,
            Feature.SUBMIT_HOUR));
  }

  /** Creates rows of all columns. */
  public static JobFeatures all() {
    return of(List.of(Feature.values()));
  }

  /** Creates rows of some columns, in this order. */
  public static JobFeatures of(List<Feature> features) {
    if (features.isEmpty()) {
      throw InvalidInputException.of("features", features, "must not be empty", "name at least 1");
    }
    return new JobFeatures(List.copyOf(features));
  }

  /** Returns the columns. */
  public List<Feature> columns() {
    return features;
  }

  /** Returns a job's row. */
  public float[] row(SubmittedJob job) {
    float[] row = new float[features.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = features.get(i).of(job);
    }
    return row;
  }
}
