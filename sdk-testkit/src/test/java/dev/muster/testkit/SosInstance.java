package dev.muster.testkit;

import dev.muster.core.sos.SosEngine;
import dev.muster.core.sos.SosListener;
import dev.muster.core.sos.SosParameters;
import dev.muster.core.sos.SosParameters.Mode;
import dev.muster.core.sos.SosParameters.Structure;
import dev.muster.core.sos.SosParameters.Ties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;

/** Holds one instance of stochastic online scheduling and runs an engine or the oracle on it. */
record SosInstance(
    Mode mode, Ties ties, int machines, int depth, int shift, List<SosInstance.Job> jobs) {
  /** Holds one job; times per machine in ticks. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Job(long weight, long[] ept, long[] alpha, long release, long[] rpt) {}

  /** Reads a golden case. */
  static SosInstance of(JsonNode c) {
    return new SosInstance(
        c.get("mode").asString().equals("hw") ? Mode.HARDWARE : Mode.ENGINE,
        c.get("ties").asString().equals("fifo") ? Ties.FIFO : Ties.NEWCOMER_FIRST,
        c.get("machines").asInt(),
        c.get("depth").asInt(),
        c.get("shift").asInt(),
        c.get("jobs")
            .valueStream()
            .map(
                job ->
                    new Job(
                        job.get("weight").asLong(),
                        longs(job.get("ept")),
                        longs(job.get("alpha")),
                        job.get("release").asLong(),
                        longs(job.get("rpt"))))
            .toList());
  }

  static long[] longs(JsonNode node) {
    return node.valueStream().mapToLong(JsonNode::asLong).toArray();
  }

  /** Draws an instance: loads from idle to drowned, many equal ratios, any depth and precision. */
  static SosInstance random(long seed, int jobCount) {
    SplittableRandom random = new SplittableRandom(seed);
    int machines = 1 + random.nextInt(8);
    int[] depths = {1, 2, 3, 10, 40, 100_000};
    int[] shifts = {0, 8, 16};
    long most = 1 + random.nextLong(random.nextBoolean() ? 12 : 3_000);
    long heaviest = 1 + random.nextLong(random.nextBoolean() ? 5 : 60_000);
    long gap = random.nextInt(4) * most / (2L * machines);
    List<Job> jobs = new ArrayList<>();
    long now = 0;
    for (int j = 0; j < jobCount; j++) {
      now += random.nextInt(3) == 0 ? 0 : random.nextLong(gap + 1);
      long[] ept = new long[machines];
      long[] alpha = new long[machines];
      for (int i = 0; i < machines; i++) {
        ept[i] = 1 + random.nextLong(most);
        alpha[i] = random.nextInt(4) == 0 ? 1 + random.nextLong(ept[i]) : ept[i] * 3 / 5;
        alpha[i] = Math.max(1, alpha[i]);
      }
      jobs.add(new Job(1 + random.nextLong(heaviest), ept, alpha, now, ept));
    }
    return new SosInstance(
        random.nextBoolean() ? Mode.HARDWARE : Mode.ENGINE,
        random.nextBoolean() ? Ties.FIFO : Ties.NEWCOMER_FIRST,
        machines,
        depths[random.nextInt(depths.length)],
        shifts[random.nextInt(shifts.length)],
        jobs);
  }

  SosParameters parameters(Structure structure) {
    long heaviest = jobs.stream().mapToLong(Job::weight).max().orElse(1);
    long longest = jobs.stream().flatMapToLong(job -> Arrays.stream(job.ept())).max().orElse(1);
    return SosParameters.builder(machines)
        .mode(mode)
        .ties(ties)
        .depth(depth)
        .shift(shift)
        .maxWeight(heaviest)
        .maxEptTicks(longest)
        .structure(structure)
        .build();
  }

  /** Runs an engine; its virtual time jumps. */
  Outcome run(Structure structure) {
    Outcome outcome = new Outcome(jobs.size());
    SosEngine engine = SosEngine.create(parameters(structure), outcome);
    for (int j = 0; j < jobs.size(); j++) {
      Job job = jobs.get(j);
      engine.advanceTo(job.release());
      engine.submit(j, job.weight(), job.ept(), job.alpha());
    }
    engine.drain();
    return outcome;
  }

  /** Collects what was decided. */
  static final class Outcome implements SosListener {
    final int[] machine;
    final long[] admitTick;
    final long[] cost;
    final long[] releaseTick;
    final List<List<Long>> releaseOrder = new ArrayList<>();

    Outcome(int jobs) {
      machine = new int[jobs];
      admitTick = new long[jobs];
      cost = new long[jobs];
      releaseTick = new long[jobs];
    }

    @Override
    public void onAssigned(long job, int onMachine, long tick, long atCost) {
      machine[(int) job] = onMachine;
      admitTick[(int) job] = tick;
      cost[(int) job] = atCost;
    }

    @Override
    public void onReleased(long job, int onMachine, long tick) {
      releaseTick[(int) job] = tick;
      releaseOrder.add(List.of(tick, (long) onMachine, job));
    }

    /** Returns everything as one value to compare. */
    List<Object> all() {
      return List.of(
          Arrays.stream(machine).boxed().toList(),
          Arrays.stream(admitTick).boxed().toList(),
          Arrays.stream(cost).boxed().toList(),
          Arrays.stream(releaseTick).boxed().toList(),
          releaseOrder);
    }
  }
}
