package dev.muster.core.predict;

import dev.muster.api.Application;
import dev.muster.api.InvalidInputException;
import dev.muster.api.RuntimePredictor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Predicts tasks of a scheduler by an {@link AdditiveModel}, and trains it further as they
 * complete.
 *
 * <p>Completed tasks fill a bucket. When it is full it is handed over for training; the model is
 * swapped by one volatile write when that ends, so predictions never wait. If training is still
 * busy when the next bucket is full, the bucket keeps the newest tasks and drops the oldest. Give
 * {@link Training#atOnce} in simulations, which then repeat, or {@code
 * dev.muster.core.live.BackgroundTraining} to keep a live scheduler's thread free.
 */
public final class LearnedPredictor implements RuntimePredictor {
  private static final double NANOS_A_DAY = 86_400e9;

  private final Features features;
  private final AdditiveOptions options;
  private final Training training;
  private final float[][] rows;
  private final float[] days;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile AdditiveModel model;
  private long observed;
  private long bucketStart;

  /** Turns what is known at submission into a row of features. */
  @FunctionalInterface
  public interface Features {
    /** Returns the row: as many features as the model has. */
    float[] row(Application application, @Nullable Object payload);
  }

  private LearnedPredictor(
      AdditiveModel model,
      Features features,
      AdditiveOptions options,
      int bucket,
      Training training) {
    this.model = model;
    this.features = features;
    this.options = options;
    this.training = training;
    rows = new float[bucket][];
    days = new float[bucket];
  }

  /**
   * Creates a predictor.
   *
   * @param model what to start from; its days are of service time on the reference worker
   * @param features makes the rows
   * @param options how to train further
   * @param bucket how many completed tasks train together, at least {@link
   *     AdditiveOptions#MIN_BUCKET}; 45,000 in BoostedSOSA
   * @param training runs the training
   */
  public static LearnedPredictor of(
      AdditiveModel model,
      Features features,
      AdditiveOptions options,
      int bucket,
      Training training) {
    if (bucket < AdditiveOptions.MIN_BUCKET || bucket > 10_000_000) {
      throw InvalidInputException.of(
          "bucket",
          bucket,
          "must be from " + AdditiveOptions.MIN_BUCKET + " to 10,000,000 tasks",
          "choose a size in that range");
    }
    return new LearnedPredictor(model, features, options, bucket, training);
  }

  /** Returns the model in use, for saving; from any thread. */
  public AdditiveModel model() {
    return model;
  }

  @Override
  public Prediction predict(Application application, @Nullable Object payload) {
    AdditiveModel current = model;
    float mean = current.predict(features.row(application, payload));
    return new Days(current, mean);
  }

  @Override
  public void observe(Application application, @Nullable Object payload, long sizeNanos) {
    if (sizeNanos <= 0) {
      return;
    }
    int at = (int) (observed++ % rows.length);
    rows[at] = features.row(application, payload);
    days[at] = (float) (sizeNanos / NANOS_A_DAY);
    if (observed - bucketStart >= rows.length && busy.compareAndSet(false, true)) {
      TrainingSet bucket = bucket();
      bucketStart = observed;
      if (!training.start(() -> train(bucket))) {
        busy.set(false);
      }
    }
  }

  /** Copies the bucket, the oldest task first. */
  private TrainingSet bucket() {
    float[][] copiedRows = new float[rows.length][];
    float[] copiedDays = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      int at = (int) ((observed + i) % rows.length);
      copiedRows[i] = rows[at];
      copiedDays[i] = days[at];
    }
    return TrainingSet.of(copiedRows, copiedDays);
  }

  private void train(TrainingSet bucket) {
    try {
      model = AdditiveTrainer.update(model, bucket, options);
    } finally {
      busy.set(false);
    }
  }

  private record Days(AdditiveModel model, float mean) implements Prediction {
    @Override
    public long meanNanos() {
      return Math.round(mean * NANOS_A_DAY);
    }

    @Override
    public long quantileNanos(double probability) {
      return Math.round(model.quantile(mean, probability) * NANOS_A_DAY);
    }
  }
}
