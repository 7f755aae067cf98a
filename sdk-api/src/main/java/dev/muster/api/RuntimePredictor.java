package dev.muster.api;

import org.jspecify.annotations.Nullable;

/**
 * Predicts how long tasks of unknown size take, and learns from those that ran.
 *
 * <p>Give one to a scheduler or simulation, and submit with {@link Task#UNKNOWN_SIZE}: the task's
 * {@link Task#sizeNanos()} becomes a quantile of the prediction, so that every policy can plan with
 * it, and a policy that wants more asks {@link SchedulingContext#prediction}. All calls come from
 * one thread. What a predictor sees is what was known at submission, so no outcome can leak into a
 * prediction.
 */
public interface RuntimePredictor {
  /**
   * Predicts the service time on the reference worker.
   *
   * @param application the task's application
   * @param payload what the task works on, if anything
   */
  Prediction predict(Application application, @Nullable Object payload);

  /**
   * Learns from a completed task, also from one whose size the host knew.
   *
   * @param application the task's application
   * @param payload what it worked on, if anything
   * @param sizeNanos the service time it would have taken on the reference worker
   */
  default void observe(Application application, @Nullable Object payload, long sizeNanos) {}

  /** Describes a distribution of service times on the reference worker, in nanoseconds. */
  interface Prediction {
    /** Returns the expected value, at least 0. */
    long meanNanos();

    /**
     * Returns the time that is not exceeded with a probability; never falls as it grows.
     *
     * @param probability above 0 and below 1
     */
    long quantileNanos(double probability);

    /** Returns the prediction of a size that is known. */
    static Prediction exact(long nanos) {
      return new Prediction() {
        @Override
        public long meanNanos() {
          return nanos;
        }

        @Override
        public long quantileNanos(double probability) {
          return nanos;
        }
      };
    }
  }
}
