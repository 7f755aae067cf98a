package dev.muster.api;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Groups the variants that implement one kind of task; registered before tasks refer to it.
 *
 * @param name unique among the registered applications
 * @param variants at least one, ids unique
 */
public record Application(String name, List<Variant> variants) {
  /**
   * Creates an application.
   *
   * @throws InvalidInputException if the name is blank, there is no variant, or an id repeats
   */
  public Application {
    variants = List.copyOf(variants);
    if (name.isBlank()) {
      throw InvalidInputException.of(
          "application name", '"' + name + '"', "must not be blank", "name the application");
    }
    if (variants.isEmpty()) {
      throw InvalidInputException.of(
          "application \"" + name + "\" variants",
          variants,
          "must hold at least one variant",
          "add a variant for a worker type of the fleet");
    }
    Set<String> ids = new HashSet<>();
    for (Variant variant : variants) {
      if (!ids.add(variant.id())) {
        throw InvalidInputException.of(
            "application \"" + name + "\" variant id",
            variant.id(),
            "must be unique",
            "rename one of the variants");
      }
    }
  }

  /** Creates an application from its variants. */
  public static Application of(String name, Variant... variants) {
    return new Application(name, List.of(variants));
  }
}
