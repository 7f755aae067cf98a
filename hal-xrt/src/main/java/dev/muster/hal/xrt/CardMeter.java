package dev.muster.hal.xrt;

import dev.muster.api.EnergyReading;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Integrates the power of a card over the times at which it is sampled. Safe for all threads. */
final class CardMeter {
  private final Supplier<OptionalDouble> powerWatts;
  private double joules;
  private double lastWatts = Double.NaN;
  private long lastNanos;
  private long samples;

  CardMeter(Supplier<OptionalDouble> powerWatts) {
    this.powerWatts = powerWatts;
  }

  /**
   * Marks the beginning of a stretch to measure.
   *
   * @param joules energy so far
   * @param samples number of samples so far
   * @param nanos when the last of them was taken
   */
  record Mark(double joules, long samples, long nanos) {}

  synchronized Mark mark() {
    return new Mark(joules, samples, lastNanos);
  }

  /** Takes a sample; called at 1 Hz, which is what the driver resolves. */
  synchronized void sample(long nowNanos) {
    OptionalDouble read = powerWatts.get();
    if (read.isEmpty()) {
      lastWatts = Double.NaN;
      return;
    }
    double watts = read.getAsDouble();
    if (!Double.isNaN(lastWatts)) {
      joules += (watts + lastWatts) / 2 * (nowNanos - lastNanos) * 1e-9;
      samples++;
    }
    lastWatts = watts;
    lastNanos = nowNanos;
  }

  /**
   * Returns the energy of the card over a stretch, scaled from the time between samples to its own;
   * absent unless two samples or more fell into it.
   */
  synchronized @Nullable EnergyReading since(Mark mark, long elapsedNanos) {
    long sampledNanos = lastNanos - mark.nanos;
    if (samples - mark.samples < 2 || sampledNanos <= 0) {
      return null;
    }
    double mean = (joules - mark.joules) / sampledNanos;
    return new EnergyReading(mean * elapsedNanos, EnergyReading.Source.MEASURED);
  }
}
