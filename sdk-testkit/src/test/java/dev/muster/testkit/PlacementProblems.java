package dev.muster.testkit;

import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.SelfParallel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws placement problems from a seed: loaded about as much as the cards can bear. */
final class PlacementProblems {
  private static final long[] PERIODS = {20_000, 30_000, 40_000, 60_000, 90_000, 120_000};

  private static final List<Accounting> ACCOUNTINGS = List.of(Accounting.values());

  private PlacementProblems() {}

  /** Returns a problem of up to 8 tasks on up to 4 identical cards, under rules drawn too. */
  static PlacementProblem small(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int n = 1 + (random.nextInt(4) == 0 ? random.nextInt(8) : random.nextInt(5));
    int cards = 1 + random.nextInt(4);
    PlacementProblem problem = draw(random, n, cards, n > 5 ? 2 : 4);
    return problem
        .withAccounting(ACCOUNTINGS.get(random.nextInt(3)))
        .withSelfParallel(random.nextBoolean() ? SelfParallel.FORBID : SelfParallel.ALLOW)
        .withMirrored(random.nextInt(3) == 0);
  }

  /** Returns a problem of many tasks on identical cards. */
  static PlacementProblem large(long seed, int tasks, int cards, int variants) {
    return draw(new SplittableRandom(seed), tasks, cards, variants);
  }

  /** Returns a small problem on cards that differ in tiles, speed and reconfiguration time. */
  static PlacementProblem mixed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PlacementProblem problem = small(seed);
    List<Card> cards = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      cards.add(
          new Card(
              "C" + i,
              1 + random.nextInt(2),
              random.nextLong(6_000),
              1 + random.nextInt(3),
              1 + random.nextInt(3),
              1_000,
              2_000));
    }
    return problem.withCards(cards);
  }

  private static PlacementProblem draw(SplittableRandom random, int n, int cards, int variants) {
    long slice = new long[] {20_000, 30_000, 60_000}[random.nextInt(3)];
    long reconfigure = random.nextLong(slice / 10);
    double load = (0.5 + 0.6 * random.nextDouble()) * cards / n;
    List<PeriodicTask> tasks = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      long period = PERIODS[random.nextInt(PERIODS.length)];
      double weight = Math.min(1.2, load * (0.4 + 1.2 * random.nextDouble()));
      long power = 3_000 + 500L * random.nextInt(8);
      List<HardwareVariant> choices = new ArrayList<>();
      int count = 1 + random.nextInt(variants);
      for (int v = 0; v < count; v++) {
        long exec = Math.max(1, (long) (weight * period / (1 + v * (0.4 + random.nextDouble()))));
        choices.add(new HardwareVariant(v + 1, exec, power));
        power += 500L * random.nextInt(4);
      }
      tasks.add(PeriodicTask.of("T" + (k + 1), period, random.nextLong(slice / 20), choices));
    }
    List<Card> fleet = new ArrayList<>();
    for (int i = 0; i < cards; i++) {
      fleet.add(Card.of("F" + (i + 1), reconfigure));
    }
    return PlacementProblem.of(tasks, fleet, slice);
  }
}
