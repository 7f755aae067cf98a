package dev.muster.benchmarks.sos;

import dev.muster.core.sos.SosEngine;
import dev.muster.core.sos.SosListener;
import dev.muster.core.sos.SosParameters;
import dev.muster.core.sos.SosParameters.Structure;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures decisions a second with all virtual schedules about full: decide over all machines,
 * insert, and let virtual time go on to the next release. The first shape is the authors' design
 * point.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SosDecisionBenchmark {
  private static final int JOBS = 1 << 12;

  /** Names machines x depth. */
  @Param({"5x10", "10x40", "100x1000", "100x10000"})
  public String shape = "5x10";

  /** Names how sums are found. */
  @Param public Structure structure = Structure.SUFFIX_SUMS;

  private final int[] weights = new int[JOBS];
  private final long[][] epts = new long[JOBS][];
  private SosEngine engine = SosEngine.create(SosParameters.builder(1).build(), SosListener.NONE);
  private long next;

  /** Fills every schedule to its depth. */
  @Setup(Level.Trial)
  public void fill() {
    int machines = Integer.parseInt(shape.substring(0, shape.indexOf('x')));
    int depth = Integer.parseInt(shape.substring(shape.indexOf('x') + 1));
    SplittableRandom random = new SplittableRandom(5);
    for (int j = 0; j < JOBS; j++) {
      weights[j] = 1 + random.nextInt(255);
      epts[j] = random.longs(machines, 10, 4_010).toArray();
    }
    engine =
        SosEngine.create(
            SosParameters.builder(machines).depth(depth).structure(structure).build(),
            SosListener.NONE);
    long[] only = new long[machines];
    for (int i = 0; i < machines; i++) {
      for (int d = 0; d < depth; d++) {
        only[i] = 10L + random.nextInt(4_000);
        engine.submit(next++, 1 + random.nextInt(255), only);
      }
      only[i] = SosEngine.CANNOT_RUN;
    }
  }

  /** Frees a slot and gives it away. */
  @Benchmark
  public int decide() {
    engine.advanceTo(engine.nextEventTick() + 1);
    int job = (int) (next & (JOBS - 1));
    return engine.submit(next++, weights[job], epts[job]);
  }
}
