package dev.muster.hal.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Checks the laws of the device models. */
final class DeviceModelProperties {
  @Property
  void sharesNeverExceedTheBandwidthAndWasteNone(
      @ForAll @DoubleRange(min = 0, max = 1e6) double capacity,
      @ForAll @Size(min = 1, max = 8) double[] raw) {
    double[] demands = new double[raw.length];
    double wanted = 0;
    for (int i = 0; i < raw.length; i++) {
      demands[i] = Double.isFinite(raw[i]) ? Math.abs(raw[i] % 1e6) : 1;
      wanted += demands[i];
    }
    double[] shares = new double[raw.length];
    MaxMinFair.share(capacity, demands, shares);
    double given = 0;
    double largest = 0;
    for (int i = 0; i < raw.length; i++) {
      assertThat(shares[i]).isBetween(0.0, demands[i] * (1 + 1e-12));
      given += shares[i];
      largest = Math.max(largest, shares[i]);
    }
    assertThat(given).isCloseTo(Math.min(capacity, wanted), within(1e-9 * (1 + wanted)));
    for (int i = 0; i < raw.length; i++) {
      if (shares[i] < demands[i] * (1 - 1e-12)) {
        assertThat(shares[i]).isCloseTo(largest, within(1e-9 * (1 + largest)));
      }
    }
  }

  @Property
  void kernelTimeFallsWithUnitsAndClock(
      @ForAll @LongRange(min = 1, max = 10_000) long depth,
      @ForAll @LongRange(min = 1, max = 64) long interval,
      @ForAll @LongRange(min = 0, max = 1 << 30) long items,
      @ForAll @IntRange(min = 1, max = 64) int units,
      @ForAll @LongRange(min = 1_000, max = 1_000_000) long clock) {
    KernelModel kernel = new KernelModel(depth, interval);
    long nanos = kernel.nanos(items, units, clock);
    assertThat(kernel.nanos(items, units + 1, clock)).isLessThanOrEqualTo(nanos);
    assertThat(kernel.nanos(items, units, clock + 1_000)).isLessThanOrEqualTo(nanos);
    assertThat(kernel.nanos(items + 1, units, clock)).isGreaterThanOrEqualTo(nanos);
  }

  @Property(tries = 200)
  void kernelCyclesEqualAPipelineStepped(
      @ForAll @LongRange(min = 1, max = 40) long depth,
      @ForAll @LongRange(min = 1, max = 8) long interval,
      @ForAll @LongRange(min = 0, max = 200) long items,
      @ForAll @IntRange(min = 1, max = 8) int units) {
    long last = 0;
    for (int unit = 0; unit < units; unit++) {
      long entry = 0;
      for (long item = unit; item < items; item += units) {
        last = Math.max(last, entry + depth);
        entry += interval;
      }
    }
    assertThat(new KernelModel(depth, interval).cycles(items, units)).isEqualTo(last);
  }
}
