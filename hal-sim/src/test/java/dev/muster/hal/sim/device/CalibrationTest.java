package dev.muster.hal.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks the fit on published rows and on rows made by the model itself. */
final class CalibrationTest {
  /** Holds PADPS-FR, Table II: throughput and power by compute units. */
  private static final List<String> TABLE_2 =
      List.of(
          "kernel,units,throughput,watts",
          "LZ4, 1, 129.37, 6.38",
          "LZ4, 2, 165.29, 6.55",
          "LZ4, 3, 198.84, 6.64",
          "ZSTD, 1, 244.03, 6.89",
          "ZSTD, 2, 255.65, 7.06",
          "VAdd, 1, 0.12, 6.12",
          "VAdd, 2, 0.16, 6.21",
          "VAdd, 3, 0.18, 6.38",
          "VAdd, 4, 0.20, 6.55");

  @Test
  void explainsTheSubLinearScalingOfTable2WithinFivePercent() {
    List<Calibration> fits = Calibration.fit(Calibration.parse(TABLE_2, "Table II"));
    assertThat(fits).extracting(Calibration::kernel).containsExactly("LZ4", "ZSTD", "VAdd");
    assertThat(fits).allSatisfy(fit -> assertThat(fit.worstThroughputError()).isLessThan(0.05));
    assertThat(fits.get(0).exactByConstruction()).isFalse();
    assertThat(fits.get(1).exactByConstruction()).isTrue();
  }

  @Test
  void findsTheParametersThatMadeTheRows() {
    Calibration truth = new Calibration("k", 40, 0.003, 6, 0.25, List.of());
    List<Calibration.Row> rows =
        List.of(1, 2, 5, 9).stream()
            .map(n -> new Calibration.Row("k", n, truth.throughput(n), truth.watts(n)))
            .toList();
    Calibration fit = Calibration.fit(rows).get(0);
    assertThat(fit.bandwidthPerUnit()).isCloseTo(40, within(1e-6));
    assertThat(fit.overheadSeconds()).isCloseTo(0.003, within(1e-9));
    assertThat(fit.staticWatts()).isCloseTo(6, within(1e-9));
    assertThat(fit.unitWatts()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void refusesRowsThatMakeNoSense() {
    assertThatThrownBy(() -> Calibration.parse(List.of("LZ4, one, 2, 3"), "f"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("f line 1");
    assertThatThrownBy(() -> Calibration.fit(List.of(new Calibration.Row("k", 1, 2, 3))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("2 different numbers of units");
  }

  @Test
  void readsEveryPresetAndNamesTheLineOfAMistake() {
    for (String name : DevicePresets.NAMES) {
      assertThat(DevicePresets.preset(name).name()).isEqualTo(name);
    }
    assertThat(DevicePresets.preset("u50").reconfigureNanos(0)).isEqualTo(21_000_000);
    assertThatThrownBy(
            () -> DevicePresets.parse(DevicePresets.text("u50") + "colour = red\n", "mine"))
        .hasMessageContaining("mine line 25")
        .hasMessageContaining("colour");
  }
}
