package dev.muster.core.qos;

import dev.muster.api.Application;
import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.VariantLibrary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Turns a layout and a library into the worker types and applications of an engine.
 *
 * <p>A library variant becomes one engine variant for each kind of region it fits, with a fixed
 * service time: tasks carry size 0. One that fits no region still has to be declared, so that its
 * tasks can be rejected one by one: it is bound to the type {@value #NOWHERE}, of which there is no
 * worker.
 *
 * @param layout the regions
 * @param types one per kind of region, then the CPUs if any, then {@value #NOWHERE} if needed
 * @param applications in the library's order
 */
public record RegionFleet(
    RegionLayout layout, List<WorkerType> types, List<Application> applications) {
  /** Names the worker type of variants that fit no region. */
  public static final String NOWHERE = "no-region";

  /** Names the worker type of the CPUs that demoted tasks may spill to. */
  public static final String CPU = "cpu";

  /** Creates a fleet. */
  public RegionFleet {
    types = List.copyOf(types);
    applications = List.copyOf(applications);
  }

  /**
   * Creates a fleet of regions.
   *
   * @param reconfiguration time to load another design into a region
   */
  public static RegionFleet of(
      RegionLayout layout, VariantLibrary library, Duration reconfiguration) {
    return of(layout, library, reconfiguration, 0, 1);
  }

  /**
   * Creates a fleet of regions and CPUs.
   *
   * @param cpus number of CPU workers, 0 for none
   * @param slowdown how many times slower a CPU is than the fastest variant, at least 1
   * @throws InvalidInputException if a count is out of range or a variant was only predicted
   */
  public static RegionFleet of(
      RegionLayout layout,
      VariantLibrary library,
      Duration reconfiguration,
      int cpus,
      int slowdown) {
    if (cpus < 0 || slowdown < 1) {
      throw InvalidInputException.of(
          "CPUs and slowdown", cpus + ", " + slowdown, "must be >= 0 and >= 1", "correct them");
    }
    List<WorkerType> types = new ArrayList<>();
    for (RegionLayout.Kind kind : layout.kinds()) {
      types.add(
          WorkerType.builder(kind.name())
              .capacity(kind.capacity())
              .maxWorkers(layout.slots())
              .load(reconfiguration)
              .build());
    }
    if (cpus > 0) {
      types.add(WorkerType.builder(CPU).capacity(Footprint.NONE).maxWorkers(cpus).build());
    }
    boolean homeless = false;
    List<Application> applications = new ArrayList<>();
    for (Map.Entry<String, List<LibraryVariant>> app : library.apps().entrySet()) {
      List<Variant> variants = variants(app.getKey(), app.getValue(), layout);
      if (variants.isEmpty()) {
        homeless = true;
        variants.add(Variant.of(NOWHERE, NOWHERE));
      }
      if (cpus > 0) {
        long fastest =
            app.getValue().stream().mapToLong(LibraryVariant::execMillis).min().orElseThrow();
        variants.add(
            Variant.builder(CPU, CPU)
                .fixed(Duration.ofMillis(Math.multiplyExact(fastest, slowdown)))
                .build());
      }
      applications.add(new Application(app.getKey(), variants));
    }
    if (homeless) {
      types.add(WorkerType.builder(NOWHERE).maxWorkers(0).build());
    }
    return new RegionFleet(layout, types, applications);
  }

  private static List<Variant> variants(
      String app, List<LibraryVariant> library, RegionLayout layout) {
    List<Variant> variants = new ArrayList<>();
    for (LibraryVariant design : library) {
      if (!design.isBuildable()) {
        throw InvalidInputException.of(
            "library application \"" + app + "\" variant \"" + design.id() + "\" origin",
            design.origin(),
            "has no bitstream to load",
            "build it, or drop the predicted variants from the library");
      }
      for (RegionLayout.Kind kind : layout.kinds()) {
        if (design.footprint().fitsIn(kind.capacity())) {
          variants.add(variant(app, design, kind, layout.kinds().size() == 1));
        }
      }
    }
    return variants;
  }

  private static Variant variant(
      String app, LibraryVariant design, RegionLayout.Kind kind, boolean onlyKind) {
    String xclbin = design.xclbin();
    Variant.Builder builder =
        Variant.builder(onlyKind ? design.id() : design.id() + '/' + kind.name(), kind.name())
            .fixed(Duration.ofMillis(design.execMillis()))
            .footprint(design.footprint())
            .units(design.units())
            .image(xclbin == null ? app + '/' + design.id() : xclbin);
    design.powerMilliwatts().ifPresent(milliwatts -> builder.powerWatts(milliwatts / 1e3));
    return builder.build();
  }
}
