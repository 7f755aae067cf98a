package dev.muster.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Application;
import dev.muster.api.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class CalibrationProperties {
  private static final Variant PLAIN = Variant.builder("plain", "cpu").speedup(1, 1).build();
  private static final Application APP = Application.of("app", PLAIN);

  @Property
  void isNotSpoiledByOutliers(
      @ForAll long seed,
      @ForAll @LongRange(max = 1_000_000) long fixedNanos,
      @ForAll @DoubleRange(min = 0.05, max = 20) double slope,
      @ForAll @IntRange(min = 2, max = 1_000_000) int outlierFactor) {
    SplittableRandom random = new SplittableRandom(seed);
    Calibration calibration = Calibration.create();
    for (int i = 0; i < Calibration.WINDOW; i++) {
      long size = random.nextLong(1_000_000, 10_000_000);
      long service = fixedNanos + Math.round(slope * size);
      // Every fifth run is far off, as after a page fault or on a stalled core.
      calibration.record(APP, PLAIN, size, i % 5 == 2 ? service * outlierFactor : service);
    }
    Variant learned = lastChange(calibration);
    for (long size : new long[] {1_000_000, 5_000_000, 10_000_000}) {
      double truth = fixedNanos + slope * size;
      assertThat((double) learned.serviceNanos(size)).isBetween(0.85 * truth, 1.15 * truth);
    }
    assertThat(calibration.entries()).hasSize(1);
    assertThat(calibration.entries().get(0).samples()).isEqualTo(Calibration.WINDOW);
  }

  @Property
  void learnsTheSpeedWhereAllSizesAreAlike(
      @ForAll @LongRange(min = 1_000, max = 1_000_000_000) long size,
      @ForAll @DoubleRange(min = 0.05, max = 20) double slope) {
    Calibration calibration = Calibration.create();
    long service = Math.round(slope * size);
    for (int i = 0; i < Calibration.REFIT_EVERY; i++) {
      calibration.record(APP, PLAIN, size, i == 3 ? 1_000 * service : service);
    }
    assertThat((double) lastChange(calibration).serviceNanos(size))
        .isBetween(0.98 * service - 2, 1.02 * service + 2);
  }

  @Property
  void goesOnFromWhatWasSaved(
      @ForAll @LongRange(max = 1_000_000_000) long fixedNanos,
      @ForAll @IntRange(min = 1, max = 1_000) int numerator,
      @ForAll @IntRange(min = 1, max = 1_000) int denominator) {
    Calibration.Entry entry =
        new Calibration.Entry("app", "plain", "cpu", fixedNanos, numerator, denominator, 50);
    Calibration calibration = Calibration.from(List.of(entry));
    assertThat(calibration.entries()).containsExactly(entry);
    Variant variant = calibration.applyTo(List.of(APP)).get(0).variants().get(0);
    assertThat(variant.fixedNanos()).isEqualTo(fixedNanos);
    assertThat(variant.speedupNumerator()).isEqualTo(numerator);
    assertThat(variant.speedupDenominator()).isEqualTo(denominator);
  }

  private static Variant lastChange(Calibration calibration) {
    assertThat(calibration.hasChanges()).isTrue();
    List<Variant> changes = new ArrayList<>();
    calibration.takeChanges((application, variant) -> changes.add(variant));
    return changes.get(changes.size() - 1);
  }
}
