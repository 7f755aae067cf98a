package dev.muster.examples.hls;

import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Pareto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.moeaframework.algorithm.NSGAII;
import org.moeaframework.core.PRNG;
import org.moeaframework.core.Solution;
import org.moeaframework.core.variable.EncodingUtils;
import org.moeaframework.problem.AbstractProblem;

/**
 * Searches the directive choices of an application without measured designs for its frontier of
 * time and resources, by NSGA-II of the MOEA Framework ("Linking High-Level Synthesis with FPGA
 * Runtime Orchestration", section 3.1, uses NSGA-II for applications outside its dataset).
 *
 * <p>The evaluator is the user's: a run of HLS, a model, or a table. A choice is evaluated once.
 */
public final class DesignSearch {
  private static final double NEVER = 1e18;

  private final LibraryDevice device;
  private final List<Integer> options;
  private final Evaluator evaluator;
  private final Map<List<Integer>, Optional<LibraryVariant>> designs = new HashMap<>();

  /** Tells what a choice of directives comes out as. */
  @FunctionalInterface
  public interface Evaluator {
    /**
     * Evaluates one design.
     *
     * @param choice the option taken for each directive, from 0
     * @return the design with an id of its own, or empty if it cannot be built
     */
    Optional<LibraryVariant> evaluate(List<Integer> choice);
  }

  private DesignSearch(LibraryDevice device, List<Integer> options, Evaluator evaluator) {
    this.device = device;
    this.options = List.copyOf(options);
    this.evaluator = evaluator;
  }

  /**
   * Creates a search.
   *
   * @param options how many options each directive has, at least 1
   */
  public static DesignSearch of(LibraryDevice device, List<Integer> options, Evaluator evaluator) {
    if (options.isEmpty() || options.stream().anyMatch(n -> n < 1)) {
      throw InvalidInputException.of(
          "directive options", options, "must be >= 1 each, one or more", "list the directives");
    }
    return new DesignSearch(device, options, evaluator);
  }

  /**
   * Searches, and returns the frontier of everything that was evaluated, fastest first.
   *
   * @param evaluations how many choices are tried, repeated ones included
   * @throws InvalidInputException if there are fewer than 10, or nothing that was tried fits
   */
  public List<LibraryVariant> run(int evaluations, long seed) {
    if (evaluations < 10) {
      throw InvalidInputException.of("evaluations", evaluations, "must be >= 10", "allow more");
    }
    PRNG.setSeed(seed);
    NSGAII search = new NSGAII(new Directives());
    search.setInitialPopulationSize(Math.min(40, evaluations));
    search.run(evaluations);
    List<LibraryVariant> built =
        designs.values().stream()
            .flatMap(Optional::stream)
            .filter(design -> design.footprint().fitsIn(device.total()))
            .sorted(LibraryVariant.FASTEST_FIRST)
            .toList();
    if (built.isEmpty()) {
      throw InvalidInputException.of(
          "search of " + designs.size() + " designs",
          designs.values().stream().filter(Optional::isPresent).count() + " can be built",
          "and none of them fits " + device.name(),
          "check the evaluator, or try more evaluations");
    }
    return Pareto.frontier(built);
  }

  /** Returns how many different choices were evaluated so far. */
  public int evaluated() {
    return designs.size();
  }

  /** Minimises time and the share of the device. */
  private final class Directives extends AbstractProblem {
    Directives() {
      super(options.size(), 2, 1);
    }

    @Override
    public void evaluate(Solution solution) {
      List<Integer> choice =
          java.util.stream.IntStream.range(0, options.size())
              .mapToObj(i -> EncodingUtils.getInt(solution.getVariable(i)))
              .toList();
      Optional<LibraryVariant> design = designs.computeIfAbsent(choice, evaluator::evaluate);
      solution.setObjective(0, design.map(d -> (double) d.execMillis()).orElse(NEVER));
      solution.setObjective(1, design.map(d -> Pareto.score(d, device)).orElse(NEVER));
      solution.setConstraint(0, design.map(this::excess).orElse(NEVER));
    }

    /** Returns 0 for what fits the device, else how far from it: less is tried further. */
    private double excess(LibraryVariant design) {
      return design.footprint().fitsIn(device.total()) ? 0 : Pareto.score(design, device);
    }

    @Override
    public Solution newSolution() {
      Solution solution = new Solution(options.size(), 2, 1);
      for (int i = 0; i < options.size(); i++) {
        solution.setVariable(i, EncodingUtils.newInt(0, options.get(i) - 1));
      }
      return solution;
    }
  }
}
