package dev.muster.core.dpfair;

import dev.muster.api.Application;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes the cards and tasks of a problem to the engine: a worker type per kind of card, an
 * application per task, a variant per choice and kind.
 *
 * <p>Sizes are productive times on the tile; a variant adds the fill. A worker is a tile.
 */
public final class PlanFleet {
  private final List<Card> kinds = new ArrayList<>();
  private final List<Integer> kindOfTile = new ArrayList<>();
  private final List<WorkerType> types = new ArrayList<>();
  private final List<Application> applications = new ArrayList<>();

  private PlanFleet(PlacementProblem problem) {
    for (Card card : problem.cardOfTile()) {
      Card kind =
          new Card(
              "any",
              1,
              card.reconfigureMicros(),
              card.speedNumerator(),
              card.speedDenominator(),
              card.idleMicrowatts(),
              card.reconfigureMicrowatts());
      if (!kinds.contains(kind)) {
        kinds.add(kind);
      }
      kindOfTile.add(kinds.indexOf(kind));
    }
    for (int i = 0; i < kinds.size(); i++) {
      types.add(type(i));
    }
    for (PeriodicTask task : problem.tasks()) {
      applications.add(application(task));
    }
  }

  /** Describes the fleet of a problem. */
  public static PlanFleet of(PlacementProblem problem) {
    return new PlanFleet(problem);
  }

  /** Returns the worker types. */
  public List<WorkerType> types() {
    return List.copyOf(types);
  }

  /** Returns one application per task, in the order of the problem, named after it. */
  public List<Application> applications() {
    return List.copyOf(applications);
  }

  /** Returns the worker type of each tile, as a position in {@link #types}. */
  List<Integer> typeOfTile() {
    return kindOfTile;
  }

  static String image(String task, int variant) {
    return task + '#' + (variant + 1);
  }

  private WorkerType type(int i) {
    Card kind = kinds.get(i);
    int count = 0;
    for (int of : kindOfTile) {
      count += of == i ? 1 : 0;
    }
    double idleWatts = kind.idleMicrowatts() / 1e6;
    return WorkerType.builder("card-kind-" + (i + 1))
        .load(micros(kind.reconfigureMicros()))
        .power(idleWatts, idleWatts)
        .maxWorkers(count)
        .build();
  }

  private Application application(PeriodicTask task) {
    List<Variant> variants = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      Card kind = kinds.get(i);
      long fill =
          Limits.ceilDiv(task.fillMicros() * kind.speedDenominator(), kind.speedNumerator());
      for (int v = 0; v < task.variants().size(); v++) {
        HardwareVariant variant = task.variants().get(v);
        variants.add(
            Variant.builder(variantId(v, i), types.get(i).name())
                .fixed(micros(fill))
                .powerWatts(variant.powerMicrowatts() / 1e6)
                .units(variant.computeUnits())
                .image(image(task.id(), v))
                .build());
      }
    }
    return new Application(task.id(), variants);
  }

  private static String variantId(int variant, int kind) {
    return (variant + 1) + "@" + (kind + 1);
  }

  private static Duration micros(long value) {
    return Duration.ofNanos(value * PlanPiece.MICRO);
  }
}
