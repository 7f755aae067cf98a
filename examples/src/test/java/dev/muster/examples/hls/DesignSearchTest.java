package dev.muster.examples.hls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Footprint;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.Pareto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Searches a space whose frontier is known. */
class DesignSearchTest {
  private static final LibraryDevice DEVICE =
      new LibraryDevice("d", new Footprint(10_000, 10_000, 100, 100, 0));

  @Test
  void findsMostOfTheFrontier() {
    List<LibraryVariant> all = new ArrayList<>();
    for (int unroll = 0; unroll < 8; unroll++) {
      for (int pipeline = 0; pipeline < 3; pipeline++) {
        for (int partition = 0; partition < 6; partition++) {
          design(List.of(unroll, pipeline, partition)).ifPresent(all::add);
        }
      }
    }
    List<LibraryVariant> truth = Pareto.frontier(all);
    DesignSearch search = DesignSearch.of(DEVICE, List.of(8, 3, 6), DesignSearchTest::design);
    List<LibraryVariant> found = search.run(600, 1);
    assertThat(found).isNotEmpty();
    assertThat(found.get(0).execMillis()).isEqualTo(truth.get(0).execMillis());
    long hits = found.stream().filter(truth::contains).count();
    assertThat(hits).isGreaterThanOrEqualTo(truth.size() * 7L / 10);
    assertThat(DesignSearch.of(DEVICE, List.of(8, 3, 6), DesignSearchTest::design).run(600, 1))
        .isEqualTo(found);
  }

  @Test
  void searchesOnAmongFewThatFit() {
    // Only the narrowest of 1,000 designs fit, and the wide ones are all faster.
    DesignSearch search =
        DesignSearch.of(
            DEVICE,
            List.of(10, 10, 10),
            choice -> {
              long sum = choice.stream().mapToInt(Integer::intValue).sum();
              return Optional.of(
                  LibraryVariant.of(
                      "d" + choice,
                      1_000 - 30 * sum,
                      new Footprint(4_000 + 2_000 * sum, 1, 1, 1, 0),
                      Origin.HLS_ESTIMATE));
            });
    assertThat(search.run(600, 1))
        .extracting(LibraryVariant::execMillis)
        .containsExactly(910L, 940L, 970L, 1_000L);
  }

  private static Optional<LibraryVariant> design(List<Integer> choice) {
    int lanes = Math.min(1 << choice.get(0), 1 << choice.get(2));
    long lut = 100 + 70L * (1 << choice.get(0)) + 20L * (1 << choice.get(2));
    lut += 150L * choice.get(1);
    long millis = 10 + 4_000 / (lanes * (1L + choice.get(1)));
    return Optional.of(
        LibraryVariant.of(
            "d" + choice, millis, new Footprint(lut, lut, 1, 1, 0), Origin.HLS_ESTIMATE));
  }
}
