package dev.muster.hal.sim.joblog;

import dev.muster.api.InvalidInputException;
import dev.muster.hal.sim.workload.RandomStreams;
import java.util.ArrayList;
import java.util.List;

/**
 * Generates job logs whose run times drift away from their past by a set amount.
 *
 * <p>A user's jobs take a fraction of the wall time asked for that belongs to the user, the queue
 * and the node type, with noise on each job. The log is cut into equal phases. With every phase
 * after the first, each user's fraction is multiplied by {@code exp(sigma * z)}, with a Gaussian z
 * for the user and one for all: so sigma 0 is stationary, and at 0.25 the logarithm of the run
 * times has walked by 0.25 times the square root of twice the phases. Features keep their
 * distribution: only the relation drifts. Same seed, same log.
 */
public final class DriftingLog {
  private final long seed;
  private final int jobs;
  private final int phases;
  private final double sigma;
  private final int users;
  private final double meanGapSeconds;

  private DriftingLog(Builder builder) {
    seed = builder.seed;
    jobs = builder.jobs;
    phases = builder.phases;
    sigma = builder.sigma;
    users = builder.users;
    meanGapSeconds = builder.meanGapSeconds;
  }

  /** Creates a builder: 100,000 jobs of 200 users, 10 phases, sigma 0.25, seed 1. */
  public static Builder builder() {
    return new Builder();
  }

  /** Generates the log, by time of submission. */
  public List<JobRecord> generate() {
    RandomStreams streams = RandomStreams.of(seed);
    RandomStreams.Stream random = streams.stream("jobs");
    RandomStreams.Stream drift = streams.stream("drift");
    double[] logFraction = new double[users];
    for (int user = 0; user < users; user++) {
      logFraction[user] = StrictMath.log(0.15 + 0.7 * random.nextDouble());
    }
    List<JobRecord> log = new ArrayList<>(jobs);
    double clock = 0;
    int phase = 0;
    for (int i = 0; i < jobs; i++) {
      if ((long) i * phases / jobs > phase) {
        phase++;
        walk(logFraction, drift);
      }
      clock += meanGapSeconds * random.nextExponential();
      log.add(job(i, (long) clock, logFraction, random));
    }
    return log;
  }

  /** Moves everyone by a common and an own step. */
  private void walk(double[] logFraction, RandomStreams.Stream drift) {
    double common = sigma * gaussian(drift);
    for (int user = 0; user < users; user++) {
      logFraction[user] += common + sigma * gaussian(drift);
    }
  }

  private JobRecord job(int id, long submit, double[] logFraction, RandomStreams.Stream random) {
    long nodes = 1L << below(random, 11);
    int quarters = 1 + below(random, 96);
    int queue = below(random, 6);
    int type = below(random, 4);
    int user = below(random, users);
    long requested = quarters * 900L;
    double log =
        logFraction[user] + 0.2 * (queue - 2.5) / 2.5 + 0.1 * type + 0.15 * gaussian(random);
    long run = Math.max(1, Math.round(requested * StrictMath.exp(log)));
    long wait = (long) (600 * random.nextExponential());
    return new JobRecord(
        new SubmittedJob(
            id, submit, nodes, requested, SubmittedJob.UNKNOWN, user, user % 17, -1, queue, type),
        new JobOutcome(wait, run, nodes, 1));
  }

  private static int below(RandomStreams.Stream random, int bound) {
    return (int) (random.nextDouble() * bound);
  }

  /** Draws a standard Gaussian by the Box-Muller transform. */
  private static double gaussian(RandomStreams.Stream random) {
    return StrictMath.sqrt(2 * random.nextExponential())
        * StrictMath.cos(2 * Math.PI * random.nextDouble());
  }

  /** Collects what a log is like. */
  public static final class Builder {
    private long seed = 1;
    private int jobs = 100_000;
    private int phases = 10;
    private double sigma = 0.25;
    private int users = 200;
    private double meanGapSeconds = 60;

    private Builder() {}

    /** Sets the seed. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Sets the number of jobs, from 1 to {@link JobReader#MAX_JOBS}. */
    public Builder jobs(int value) {
      jobs = value;
      return this;
    }

    /** Sets the number of phases, from 1 to the number of jobs. */
    public Builder phases(int value) {
      phases = value;
      return this;
    }

    /** Sets the drift between phases, from 0 to 3. */
    public Builder sigma(double value) {
      sigma = value;
      return this;
    }

    /** Sets the number of users, from 1 to 1,000,000. */
    public Builder users(int value) {
      users = value;
      return this;
    }

    /** Sets the mean time between submissions, above 0 and up to 86,400 s. */
    public Builder meanGapSeconds(double value) {
      meanGapSeconds = value;
      return this;
    }

    /** Creates the generator. */
    public DriftingLog build() {
      check("jobs", jobs, 1, JobReader.MAX_JOBS);
      check("phases", phases, 1, jobs);
      check("sigma", sigma, 0, 3);
      check("users", users, 1, 1_000_000);
      check("mean gap in seconds", meanGapSeconds, Double.MIN_VALUE, 86_400);
      return new DriftingLog(this);
    }

    private static void check(String name, double value, double least, double most) {
      if (!(value >= least && value <= most)) {
        throw InvalidInputException.of(
            "drifting log, " + name,
            value,
            "must be from " + least + " to " + most,
            "choose a value in that range");
      }
    }
  }
}
