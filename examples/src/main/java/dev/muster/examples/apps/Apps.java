package dev.muster.examples.apps;

import dev.muster.api.Application;
import dev.muster.api.TaskBody;
import dev.muster.api.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the example applications for a run: inputs from a seed, outputs that were checked, and
 * how long each takes on a core of this machine.
 *
 * <p>Every application has a variant for the worker type {@code "cpu"} that computes, and one for
 * {@code "fpga"} whose body looks up the output that was computed and checked beforehand: a
 * simulated card paces it and returns the same bytes.
 */
public final class Apps {
  private static final List<App> ALL =
      List.of(
          new Lz4(),
          new Zstandard(),
          new VectorAdd(),
          new NearestNeighbours(),
          new KMeans(),
          new ImageBlur());
  private static final int INPUTS = 4;
  private static final int TIMED_RUNS = 15;

  /** Holds an input with the output it must lead to. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and the arrays are not changed
  record Sample(App app, byte[] input, byte[] output) {}

  private final List<Prepared> prepared;

  private record Prepared(App app, List<Sample> samples, long sizeNanos) {}

  private Apps(List<Prepared> prepared) {
    this.prepared = prepared;
  }

  /**
   * Makes inputs, computes and checks outputs, and measures run times. Takes about a second.
   *
   * @throws IllegalStateException if an output is wrong
   */
  public static Apps prepare(long seed) {
    List<Prepared> all = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(seed);
    for (App app : ALL) {
      List<Sample> samples = new ArrayList<>();
      for (int i = 0; i < INPUTS; i++) {
        byte[] input = app.input(random);
        byte[] output = app.run(input);
        if (!app.isRight(input, output)) {
          throw new IllegalStateException(app.name() + " computed a wrong output; seed " + seed);
        }
        samples.add(new Sample(app, input, output));
      }
      all.add(new Prepared(app, samples, medianNanos(samples)));
    }
    return new Apps(List.copyOf(all));
  }

  private static long medianNanos(List<Sample> samples) {
    long[] nanos = new long[TIMED_RUNS];
    for (int i = -TIMED_RUNS; i < TIMED_RUNS; i++) { // the first half warms up
      Sample sample = samples.get(Math.floorMod(i, samples.size()));
      long start = System.nanoTime();
      sample.app().run(sample.input());
      if (i >= 0) {
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    return nanos[TIMED_RUNS / 2];
  }

  /** Returns how many applications there are. */
  public int count() {
    return prepared.size();
  }

  /** Returns the name of an application. */
  public String name(int application) {
    return prepared.get(application).app().name();
  }

  /** Returns the median time of an application on a core of this machine, as measured. */
  public long sizeNanos(int application) {
    return prepared.get(application).sizeNanos();
  }

  /** Returns the applications with a variant for CPUs and one for cards. */
  public List<Application> applications() {
    return prepared.stream()
        .map(
            p ->
                Application.of(
                    p.app().name(), Variant.of("cpu", "cpu"), Variant.of("fpga", "fpga")))
        .toList();
  }

  /** Returns an input to submit as payload. */
  public Object payload(int application, int index) {
    List<Sample> samples = prepared.get(application).samples();
    return samples.get(Math.floorMod(index, samples.size()));
  }

  /** Tells whether a result is what the payload must lead to, byte by byte. */
  public static boolean isRight(Object payload, @Nullable Object result) {
    return result instanceof byte[] bytes && Arrays.equals(((Sample) payload).output(), bytes);
  }

  /** Returns the bodies that compute. */
  public static TaskBody.Registry computing() {
    return TaskBody.Registry.builder()
        .otherwise(
            (payload, control) -> {
              Sample sample = (Sample) Objects.requireNonNull(payload);
              return sample.app().run(sample.input());
            })
        .build();
  }

  /** Returns the bodies for simulated cards. */
  public static TaskBody.Registry lookingUp() {
    return TaskBody.Registry.builder()
        .otherwise((payload, control) -> ((Sample) Objects.requireNonNull(payload)).output())
        .build();
  }
}
