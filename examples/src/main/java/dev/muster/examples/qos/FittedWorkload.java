package dev.muster.examples.qos;

import dev.muster.api.Footprint;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import dev.muster.hal.sim.workload.DeadlineJobs;
import dev.muster.hal.sim.workload.RandomStreams;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes a workload that was FITTED to the paper's homogeneous figures, since its arrivals were not
 * published: seed, span and deadline were searched for so that violations come near 27, 22, 18, 13
 * and 3. It shows that the figures are consistent with the rules; it validates nothing.
 *
 * <p>Service times are read off the text: 31 s for the fixed design, 23, 24.4 and 25 s for the
 * fastest that fits a whole, half or quarter device.
 */
final class FittedWorkload {
  static final long SEED = 10_912;
  static final int SPAN_MILLIS = 240_000;
  static final long DEADLINE_MILLIS = 105_000;

  private static final int JOBS = 30;
  private static final int BURSTS = 5;
  private static final LibraryDevice DEVICE =
      new LibraryDevice("device", new Footprint(1_000, 1_000, 1_000, 1_000, 0));

  private FittedWorkload() {}

  /** Returns the designs of the Pareto-aware managers M2, M3 and M4. */
  static VariantLibrary designs() {
    return library(
        variant("whole", 23_000, 1_000),
        variant("half", 24_400, 500),
        variant("quarter", 25_000, 250));
  }

  /** Returns the one design of manager M1. */
  static VariantLibrary fixedDesign() {
    return library(variant("fixed", 31_000, 1_000));
  }

  static DeadlineJobs generate() {
    return generate(SEED, SPAN_MILLIS, DEADLINE_MILLIS);
  }

  static DeadlineJobs generate(long seed, int spanMillis, long deadlineMillis) {
    RandomStreams.Stream random = RandomStreams.of(seed).stream("fitted");
    List<Long> arrivals = new ArrayList<>();
    double[] starts = new double[BURSTS];
    for (int i = 1; i < BURSTS; i++) {
      starts[i] = random.nextDouble() * spanMillis;
    }
    for (int i = 0; i < JOBS; i++) {
      double start = starts[(int) (random.nextDouble() * BURSTS)];
      arrivals.add((long) (start + random.nextExponential() * 2_000));
    }
    Collections.sort(arrivals);
    long first = arrivals.get(0);
    List<DeadlineJobs.Job> jobs =
        arrivals.stream()
            .map(t -> new DeadlineJobs.Job(0, (t - first) * 1_000_000, deadlineMillis * 1_000_000))
            .toList();
    return new DeadlineJobs("fitted", List.of("app"), jobs);
  }

  private static VariantLibrary library(LibraryVariant... variants) {
    SortedMap<String, List<LibraryVariant>> apps = new TreeMap<>();
    apps.put("app", List.of(variants));
    return new VariantLibrary(DEVICE, apps);
  }

  private static LibraryVariant variant(String id, long millis, long size) {
    return LibraryVariant.of(
        id, millis, new Footprint(size, size, size, size, 0), Origin.HLS_ESTIMATE);
  }
}
