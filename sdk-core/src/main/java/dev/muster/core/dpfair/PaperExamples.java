package dev.muster.core.dpfair;

import java.util.ArrayList;
import java.util.List;

/** Holds the three examples of the PADPS-FR paper (Tables I and II), in microseconds and uW. */
public final class PaperExamples {
  private PaperExamples() {}

  /** Returns Example 1: six tasks, four cards, slices of 60 ms, 6 ms to reconfigure. */
  public static PlacementProblem example1() {
    return example1(4, 6_000);
  }

  /** Returns Example 1 with other cards, as in Figures 5 to 8. */
  public static PlacementProblem example1(int cards, long reconfigureMicros) {
    return problem(tableOne(2_000), cards, reconfigureMicros, 60_000);
  }

  /** Returns Example 2: Example 1 with a fill of 12 ms for the third task. */
  public static PlacementProblem example2() {
    return problem(tableOne(12_000), 4, 6_000, 60_000);
  }

  /** Returns Example 3: compression and vector addition on two Alveo U50, slices of 600 ms. */
  public static PlacementProblem example3() {
    List<PeriodicTask> tasks =
        List.of(
            task("LZ4", 600, 2_000, new long[] {830, 650, 540}, 6_380, 6_550, 6_640),
            task("ZSTD", 600, 2_000, new long[] {440, 420}, 6_890, 7_060),
            task("VADD", 600, 2_000, new long[] {159, 119, 106, 95}, 6_120, 6_210, 6_380, 6_550));
    return problem(tasks, 2, 21_000, 600_000);
  }

  private static List<PeriodicTask> tableOne(long fillOfThird) {
    return List.of(
        task("T1", 60, 2_000, new long[] {48, 24}, 5_000, 6_000),
        task("T2", 60, 4_000, new long[] {36, 18, 12, 9}, 5_000, 6_000, 7_000, 8_000),
        task("T3", 60, fillOfThird, new long[] {48, 24, 16, 12}, 6_000, 7_000, 8_000, 9_000),
        task("T4", 90, 4_000, new long[] {144, 72, 48, 36}, 3_000, 4_000, 5_000, 6_000),
        task("T5", 90, 6_000, new long[] {72, 36, 24, 18}, 4_000, 4_500, 5_000, 5_500),
        task("T6", 90, 6_000, new long[] {72, 36}, 4_000, 5_000));
  }

  private static PeriodicTask task(
      String id, long periodMillis, long fillMicros, long[] execMillis, long... powerMicrowatts) {
    List<HardwareVariant> variants = new ArrayList<>();
    for (int i = 0; i < execMillis.length; i++) {
      variants.add(new HardwareVariant(i + 1, execMillis[i] * 1_000, powerMicrowatts[i]));
    }
    return PeriodicTask.of(id, periodMillis * 1_000, fillMicros, variants);
  }

  private static PlacementProblem problem(
      List<PeriodicTask> tasks, int cards, long reconfigureMicros, long sliceMicros) {
    List<Card> fleet = new ArrayList<>();
    for (int i = 1; i <= cards; i++) {
      fleet.add(Card.of("F" + i, reconfigureMicros));
    }
    return PlacementProblem.of(tasks, fleet, sliceMicros);
  }
}
