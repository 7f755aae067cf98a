package dev.muster.core.live;

import dev.muster.api.Application;
import dev.muster.api.EnergyReading;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.core.engine.EngineObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Learns the service-time model of each (application, variant, worker type) from the runs of a live
 * scheduler, and puts it into the variants that every policy plans with.
 *
 * <p>The model is {@code fixed + size * denominator / numerator}, fitted to the last {@value
 * #WINDOW} runs by the Theil-Sen estimator: the median of the slopes between pairs of runs, then
 * the median of what the slope leaves (P. K. Sen, JASA 63, 1968). Up to 29 % of the runs may be
 * arbitrarily wrong without spoiling it. Where all sizes are alike the fixed part stays and the
 * speed is the median's. A fit is made every {@value #REFIT_EVERY} runs, in O(w^2 log w) for a
 * window of w, and used when it differs by more than 5 % from the model in use; recording a run is
 * O(1) and allocates nothing.
 */
public final class Calibration {
  /** Bounds how many runs a model is fitted to. */
  static final int WINDOW = 64;

  /** Says after how many runs a model is fitted again; also the least number of runs. */
  static final int REFIT_EVERY = 16;

  private static final double LEAST_CHANGE = 0.05;
  private static final int MAX_TERM = dev.muster.api.WorkerType.MAX_SPEEDUP_TERM;

  private final IdentityHashMap<Application, IdentityHashMap<Variant, Model>> byVariant =
      new IdentityHashMap<>();
  private final List<Model> models = new ArrayList<>();
  private final ArrayDeque<Model> due = new ArrayDeque<>();
  private final double[] slopes = new double[WINDOW * (WINDOW - 1) / 2];
  private final double[] scratch = new double[WINDOW];
  private final List<Entry> earlier;

  /**
   * Holds what was learned about one variant on one worker type.
   *
   * @param application name of the application
   * @param variant id of the variant
   * @param workerType name of the worker type
   * @param fixedNanos part of the service time that does not depend on the size
   * @param numerator numerator of the speed relative to the reference worker
   * @param denominator denominator of the speed
   * @param samples runs seen, over all times it was saved and loaded
   */
  public record Entry(
      String application,
      String variant,
      String workerType,
      long fixedNanos,
      int numerator,
      int denominator,
      long samples) {}

  private Calibration(List<Entry> earlier) {
    this.earlier = List.copyOf(earlier);
  }

  /** Creates a calibration that knows nothing. */
  public static Calibration create() {
    return new Calibration(List.of());
  }

  /** Creates a calibration that goes on from what was learned earlier. */
  public static Calibration from(List<Entry> entries) {
    return new Calibration(entries);
  }

  /** Returns what was learned so far; models without enough runs for a fit are left out. */
  public synchronized List<Entry> entries() {
    List<Entry> all = new ArrayList<>();
    for (Model model : models) {
      if (model.current != null) {
        all.add(model.entry(model.current));
      }
    }
    for (Entry entry : earlier) {
      if (all.stream().noneMatch(e -> isSame(e, entry))) {
        all.add(entry);
      }
    }
    return all;
  }

  /** Returns applications with the models that were learned earlier. */
  List<Application> applyTo(List<Application> applications) {
    List<Application> result = new ArrayList<>();
    for (Application application : applications) {
      List<Variant> variants = new ArrayList<>();
      for (Variant variant : application.variants()) {
        Entry entry = find(application.name(), variant.id(), variant.workerType());
        variants.add(
            entry == null
                ? variant
                : with(variant, entry.fixedNanos(), entry.numerator(), entry.denominator()));
      }
      result.add(new Application(application.name(), variants));
    }
    return result;
  }

  private @Nullable Entry find(String application, String variant, String workerType) {
    for (Entry e : earlier) {
      if (e.application().equals(application)
          && e.variant().equals(variant)
          && e.workerType().equals(workerType)) {
        return e;
      }
    }
    return null;
  }

  private static boolean isSame(Entry a, Entry b) {
    return a.application().equals(b.application())
        && a.variant().equals(b.variant())
        && a.workerType().equals(b.workerType());
  }

  private static Variant with(Variant variant, long fixedNanos, int numerator, int denominator) {
    return variant.toBuilder()
        .fixed(Duration.ofNanos(fixedNanos))
        .speedup(numerator, denominator)
        .build();
  }

  /** Returns the observer that learns. */
  EngineObserver observer() {
    return new EngineObserver() {
      @Override
      public void onCompleted(
          Task task,
          Worker worker,
          Variant variant,
          long startNanos,
          long finishNanos,
          @Nullable Object result,
          @Nullable EnergyReading energy) {
        record(task.application(), variant, task.sizeNanos(), finishNanos - startNanos);
      }
    };
  }

  synchronized void record(
      Application application, Variant variant, long sizeNanos, long serviceNanos) {
    IdentityHashMap<Variant, Model> variants = byVariant.get(application);
    Model model = variants == null ? null : variants.get(variant);
    if (model == null) {
      model = model(application, variant);
    }
    if (model.add(sizeNanos, serviceNanos) && refit(model)) {
      due.add(model);
    }
  }

  private Model model(Application application, Variant variant) {
    IdentityHashMap<Variant, Model> variants =
        byVariant.computeIfAbsent(application, a -> new IdentityHashMap<>());
    for (Model model : variants.values()) {
      if (model.variant.id().equals(variant.id())) {
        variants.put(variant, model); // an earlier or later form of it
        return model;
      }
    }
    Entry entry = find(application.name(), variant.id(), variant.workerType());
    Model model = new Model(application, variant, entry == null ? 0 : entry.samples());
    variants.put(variant, model);
    models.add(model);
    return model;
  }

  /**
   * Hands over the variants whose models changed since the last call, between two events of the
   * engine.
   *
   * @param changed takes the application and the changed variant
   */
  synchronized void takeChanges(BiConsumer<Application, Variant> changed) {
    for (Model model = due.poll(); model != null; model = due.poll()) {
      if (model.current != null) {
        changed.accept(model.application, model.current);
      }
    }
  }

  synchronized boolean hasChanges() {
    return !due.isEmpty();
  }

  /** Fits a model again; tells whether the result differs enough to be used. */
  private boolean refit(Model model) {
    int n = model.filled();
    int pairs = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        long dx = model.sizes[j] - model.sizes[i];
        if (dx != 0) {
          slopes[pairs++] = (double) (model.services[j] - model.services[i]) / dx;
        }
      }
    }
    double slope;
    double fixed;
    // With almost all sizes alike, the few slopes there are would rest on too few runs.
    if (pairs >= n * (n - 1) / 4) {
      slope = clamp(median(slopes, pairs));
      for (int i = 0; i < n; i++) {
        scratch[i] = model.services[i] - slope * model.sizes[i];
      }
      fixed = Math.max(0, median(scratch, n));
    } else {
      for (int i = 0; i < n; i++) {
        scratch[i] = model.services[i];
      }
      double service = median(scratch, n);
      for (int i = 0; i < n; i++) {
        scratch[i] = model.sizes[i];
      }
      double size = median(scratch, n);
      fixed = Math.min((double) model.inUse().fixedNanos(), service);
      slope = size == 0 ? 1 : clamp((service - fixed) / size);
      fixed = size == 0 ? service : fixed;
    }
    return model.use(fixed, slope);
  }

  private static double median(double[] values, int count) {
    Arrays.sort(values, 0, count);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  }

  private static double clamp(double slope) {
    return Math.max(1.0 / MAX_TERM, Math.min(MAX_TERM, slope));
  }

  /** Learns one variant on one worker type. */
  private static final class Model {
    final Application application;
    final Variant variant;
    final long[] sizes = new long[WINDOW];
    final long[] services = new long[WINDOW];
    final long earlierSamples;
    long samples;
    @Nullable Variant current;

    Model(Application application, Variant variant, long earlierSamples) {
      this.application = application;
      this.variant = variant;
      this.earlierSamples = earlierSamples;
    }

    Variant inUse() {
      return current == null ? variant : current;
    }

    int filled() {
      return (int) Math.min(samples, WINDOW);
    }

    /** Adds a run; tells whether it is time to fit. */
    boolean add(long sizeNanos, long serviceNanos) {
      int at = (int) (samples % WINDOW);
      sizes[at] = sizeNanos;
      services[at] = serviceNanos;
      samples++;
      return samples % REFIT_EVERY == 0;
    }

    /** Takes over a fit if it differs enough at the sizes seen. */
    boolean use(double fixed, double slope) {
      int numerator = 1;
      int denominator = 1;
      double bestError = Double.MAX_VALUE;
      for (int n = 1; n <= MAX_TERM; n++) {
        long d = Math.round(slope * n);
        double error = Math.abs((double) d / n - slope);
        if (d >= 1 && d <= MAX_TERM && error < bestError) {
          bestError = error;
          numerator = n;
          denominator = (int) d;
        }
      }
      long limit = dev.muster.api.WorkerType.MAX_LATENCY.toNanos();
      Variant next = with(variant, Math.min(limit, Math.round(fixed)), numerator, denominator);
      double before = 0;
      double change = 0;
      for (int i = 0; i < filled(); i++) {
        before += inUse().serviceNanos(sizes[i]);
        change += Math.abs(next.serviceNanos(sizes[i]) - inUse().serviceNanos(sizes[i]));
      }
      if (current != null && change <= LEAST_CHANGE * before) {
        return false;
      }
      current = next;
      return true;
    }

    Entry entry(Variant model) {
      return new Entry(
          application.name(),
          model.id(),
          model.workerType(),
          model.fixedNanos(),
          model.speedupNumerator(),
          model.speedupDenominator(),
          earlierSamples + samples);
    }
  }
}
