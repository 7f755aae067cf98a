package dev.muster.benchmarks.dpfair;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.ExactPlacer;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.LargePlacer;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.PlacementResult;
import dev.muster.core.dpfair.Placer;
import java.util.ArrayList;
import java.util.List;
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
 * Measures one placement on one core; p0.50 is the median over random problems.
 *
 * <p>Tasks have eight variants each, and load the cards to about 95 % with their slowest ones, so
 * that the cheapest combinations do not fit. The problems of a size are drawn from fixed seeds and
 * take turns.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 3)
@Fork(1)
public class PlacerBenchmark {
  private static final int PROBLEMS = 40;
  private static final long SLICE_MICROS = 60_000;
  private static final long RECONFIGURE_MICROS = 3_000;

  /** Names the search and the size: tasks x cards. */
  @Param({"exact 10x6", "exact 12x8", "large 100x64", "large 1000x500"})
  public String problem = "exact 10x6";

  private final List<PlacementProblem> problems = new ArrayList<>();
  private Placer placer = ExactPlacer.create();
  private int next;

  /** Draws the problems. */
  @Setup(Level.Trial)
  public void draw() {
    String[] words = problem.split("[ x]", -1);
    // "exact" itself holds an x, so that the size is in the last two words.
    int tasks = Integer.parseInt(words[words.length - 2]);
    int cards = Integer.parseInt(words[words.length - 1]);
    placer = problem.startsWith("exact") ? ExactPlacer.create() : LargePlacer.create();
    problems.clear();
    for (int seed = 0; seed < PROBLEMS; seed++) {
      problems.add(draw(new SplittableRandom(seed), tasks, cards));
    }
  }

  /** Places one problem. */
  @Benchmark
  public PlacementResult place() {
    next = (next + 1) % PROBLEMS;
    return placer.place(problems.get(next));
  }

  private static PlacementProblem draw(SplittableRandom random, int count, int cards) {
    double mean = 0.95 * SLICE_MICROS * cards / count;
    List<PeriodicTask> tasks = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      long fill = random.nextInt(3_000);
      double longest = SLICE_MICROS - RECONFIGURE_MICROS - 1;
      double slowest = Math.min(longest, mean * (0.6 + 1.2 * random.nextDouble()));
      double scaling = 0.3 + 0.6 * random.nextDouble();
      long power = 4_000L + random.nextInt(5_000);
      List<HardwareVariant> variants = new ArrayList<>();
      for (int v = 0; v < 8; v++) {
        long exec = Math.max(fill + 500, (long) (slowest / (1 + scaling * v)));
        variants.add(new HardwareVariant(v + 1, exec, power));
        power += 200 + random.nextInt(1_200);
      }
      tasks.add(PeriodicTask.of("T" + k, SLICE_MICROS, fill, variants));
    }
    List<Card> fleet = new ArrayList<>();
    for (int i = 0; i < cards; i++) {
      fleet.add(Card.of("F" + i, RECONFIGURE_MICROS));
    }
    return PlacementProblem.of(tasks, fleet, SLICE_MICROS).withAccounting(Accounting.INCLUDED);
  }
}
