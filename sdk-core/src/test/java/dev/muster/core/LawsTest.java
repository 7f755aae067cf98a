package dev.muster.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps engine and policies free of clocks, threads and hidden randomness (law 1), so that a run
 * repeats exactly. Only {@code dev.muster.core.live}, which drives the engine in real time, is
 * exempt.
 */
@AnalyzeClasses(packages = "dev.muster.core", importOptions = ImportOption.DoNotIncludeTests.class)
final class LawsTest {
  private static final String LIVE = "dev.muster.core.live..";

  @ArchTest
  static final ArchRule READS_NO_CLOCK =
      noClasses()
          .that()
          .resideOutsideOfPackage(LIVE)
          .should(ArchConditions.callMethod(System.class, "nanoTime"))
          .orShould(ArchConditions.callMethod(System.class, "currentTimeMillis"))
          .orShould(ArchConditions.callMethod(Instant.class, "now"))
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(InstantSource.class)
          .because("time comes in as an argument")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule STARTS_NO_THREAD =
      noClasses()
          .that()
          .resideOutsideOfPackage(LIVE)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Executor.class)
          .because("the engine runs on its caller's thread")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule DRAWS_NO_UNSEEDED_NUMBER =
      noClasses()
          .that()
          .resideOutsideOfPackage(LIVE)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(SecureRandom.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocalRandom.class)
          .orShould(ArchConditions.callMethod(Math.class, "random"))
          .because("seeds and streams come in as arguments")
          .allowEmptyShould(true);
}
