package dev.muster.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the public API small (law 10). */
final class PublicApiTest {
  private static final int LIMIT = 30;

  @Test
  void hasAtMostThirtyPublicTopLevelTypes() throws IOException {
    assertThat(publicTopLevelTypes()).hasSizeLessThanOrEqualTo(LIMIT);
  }

  private static List<String> publicTopLevelTypes() throws IOException {
    ModuleReference module =
        ModuleFinder.of(Path.of("target", "classes")).find("dev.muster.api").orElseThrow();
    try (var reader = module.open();
        var names = reader.list()) {
      return names
          .filter(name -> name.endsWith(".class") && name.indexOf('$') < 0)
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .filter(name -> !name.endsWith("-info"))
          .filter(PublicApiTest::isPublic)
          .sorted()
          .toList();
    }
  }

  private static boolean isPublic(String name) {
    try {
      var type = Class.forName(name, false, PublicApiTest.class.getClassLoader());
      return Modifier.isPublic(type.getModifiers());
    } catch (ClassNotFoundException e) {
      throw new LinkageError("compiled class cannot be loaded: " + name, e);
    }
  }
}
