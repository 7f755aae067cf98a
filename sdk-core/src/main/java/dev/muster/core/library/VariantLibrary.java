package dev.muster.core.library;

import dev.muster.api.InvalidInputException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Lists the designs of each application for one device; what operators and HLS users exchange.
 *
 * @param device the device the designs are for
 * @param apps variants by application, in name order; each list not empty, ids unique
 */
public record VariantLibrary(LibraryDevice device, SortedMap<String, List<LibraryVariant>> apps) {
  /** Names the version of the exchange format this class stands for. */
  public static final int SCHEMA_VERSION = 1;

  /**
   * Creates a library.
   *
   * @throws InvalidInputException if an application has no variant, an id repeats, or a variant
   *     exceeds the device
   */
  public VariantLibrary {
    SortedMap<String, List<LibraryVariant>> copy = new TreeMap<>();
    for (Map.Entry<String, List<LibraryVariant>> app : apps.entrySet()) {
      List<LibraryVariant> variants = List.copyOf(app.getValue());
      check(app.getKey(), variants, device);
      copy.put(app.getKey(), variants);
    }
    apps = Collections.unmodifiableSortedMap(copy);
  }

  private static void check(String app, List<LibraryVariant> variants, LibraryDevice device) {
    String thing = "library application \"" + app + "\"";
    if (variants.isEmpty() || app.isBlank()) {
      throw InvalidInputException.of(
          thing,
          variants.size() + " variants",
          "must have a name and at least one variant",
          "add one or remove it");
    }
    Set<String> ids = new HashSet<>();
    for (LibraryVariant variant : variants) {
      if (!ids.add(variant.id())) {
        throw InvalidInputException.of(
            thing + " variant id", variant.id(), "must be unique", "rename one of the variants");
      }
      if (!variant.footprint().fitsIn(device.total())) {
        throw InvalidInputException.of(
            thing + " variant \"" + variant.id() + "\"",
            variant.footprint(),
            "must fit the device " + device,
            "remove the variant or name the right device");
      }
    }
  }

  /**
   * Returns the variants of an application.
   *
   * @throws InvalidInputException if there is no such application
   */
  public List<LibraryVariant> variants(String app) {
    List<LibraryVariant> variants = apps.get(app);
    if (variants == null) {
      throw InvalidInputException.of(
          "library application", app, "must be one of " + apps.keySet(), "correct the name");
    }
    return variants;
  }
}
