package dev.muster.hal.sim.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * Generates bursty tasks with deadlines, in the manner of the paper's evaluation of QoS over
 * regions (section 4.1): {@value #JOBS} tasks that arrive in bursts, with deadlines drawn around a
 * nominal time for their application.
 */
public enum QosScenario {
  /** Mixes all applications; deadlines are the nominal time. */
  A("", 1.0, 1.0, 150_000),
  /** Takes applications whose names begin with "knn"; deadlines are the nominal time. */
  B("knn", 1.0, 1.0, 240_000),
  /** Mixes all applications; deadlines are 1 to 2.5 times the nominal time. */
  C("", 1.0, 2.5, 150_000),
  /** Mixes all applications; tight deadlines of 0.45 to 1 times the nominal time. */
  D("", 0.45, 1.0, 150_000),
  /** Mixes all applications; bursts are spread over 20 minutes. */
  E("", 1.0, 1.0, 1_200_000);

  /** Counts the tasks of one workload. */
  public static final int JOBS = 30;

  private static final int BURSTS = 6;
  private static final double GAP_MILLIS = 500;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final String prefix;
  private final double leastFactor;
  private final double mostFactor;
  private final int spanMillis;

  QosScenario(String prefix, double leastFactor, double mostFactor, int spanMillis) {
    this.prefix = prefix;
    this.leastFactor = leastFactor;
    this.mostFactor = mostFactor;
    this.spanMillis = spanMillis;
  }

  /**
   * Generates the workload of a seed. Where no name has the scenario's prefix, all are used.
   *
   * @param nominalMillis the nominal time each application is allowed, by name: the paper takes the
   *     first quartile of the execution times of all its designs, dominated ones included
   */
  public DeadlineJobs generate(SortedMap<String, Long> nominalMillis, long seed) {
    List<String> names = List.copyOf(nominalMillis.keySet());
    List<Long> nominal = List.copyOf(nominalMillis.values());
    List<Integer> eligible = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).startsWith(prefix)) {
        eligible.add(i);
      }
    }
    if (eligible.isEmpty()) {
      for (int i = 0; i < names.size(); i++) {
        eligible.add(i);
      }
    }
    String id = "qos-" + name().toLowerCase(Locale.ROOT);
    RandomStreams.Stream choices = RandomStreams.of(seed).stream(id + "/choices");
    List<DeadlineJobs.Job> jobs = new ArrayList<>();
    for (long arrivalMillis : arrivals(RandomStreams.of(seed).stream(id + "/arrivals"))) {
      int application = eligible.get((int) (choices.nextDouble() * eligible.size()));
      double factor = leastFactor + (mostFactor - leastFactor) * choices.nextDouble();
      jobs.add(
          new DeadlineJobs.Job(
              application,
              arrivalMillis * NANOS_PER_MILLI,
              Math.multiplyExact((long) (nominal.get(application) * factor), NANOS_PER_MILLI)));
    }
    return new DeadlineJobs(id + "-" + seed, names, jobs);
  }

  /** Draws bursts at uniform times with exponential weights, and exponential gaps inside. */
  private List<Long> arrivals(RandomStreams.Stream random) {
    double[] starts = new double[BURSTS];
    double[] weights = new double[BURSTS];
    double sum = 0;
    for (int i = 0; i < BURSTS; i++) {
      starts[i] = i == 0 ? 0 : random.nextDouble() * spanMillis;
      weights[i] = random.nextExponential();
      sum += weights[i];
    }
    int[] sizes = new int[BURSTS];
    for (int job = 0; job < JOBS; job++) {
      double x = random.nextDouble() * sum;
      int burst = 0;
      while (burst < BURSTS - 1 && x > weights[burst]) {
        x -= weights[burst++];
      }
      sizes[burst]++;
    }
    List<Long> arrivals = new ArrayList<>();
    for (int burst = 0; burst < BURSTS; burst++) {
      double time = starts[burst];
      for (int i = 0; i < sizes[burst]; i++) {
        arrivals.add((long) time);
        time += random.nextExponential() * GAP_MILLIS;
      }
    }
    Collections.sort(arrivals);
    long first = arrivals.get(0);
    return arrivals.stream().map(t -> t - first).toList();
  }
}
