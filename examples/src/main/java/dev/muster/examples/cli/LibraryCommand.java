package dev.muster.examples.cli;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.Pareto;
import dev.muster.core.library.UnitExpansion;
import dev.muster.core.library.VariantLibrary;
import dev.muster.core.qos.RegionLayout;
import dev.muster.examples.hls.CommandEvaluator;
import dev.muster.examples.hls.DesignSearch;
import dev.muster.examples.hls.GnwsisCsv;
import dev.muster.examples.hls.LibraryJson;
import dev.muster.examples.hls.PredictorScores;
import dev.muster.examples.hls.ReportLibrary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Builds, shows and checks variant libraries. */
@Command(
    name = "library",
    mixinStandardHelpOptions = true,
    description = "Builds, shows and checks libraries of design variants.",
    subcommands = {
      LibraryCommand.Build.class,
      LibraryCommand.Show.class,
      LibraryCommand.Check.class,
      LibraryCommand.Search.class,
      LibraryCommand.Score.class
    })
public final class LibraryCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Refuses a call that names no subcommand. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing build, show, check, search or score");
  }

  /** Turns bad input into exit code 2 with the exception's message. */
  abstract static class Step implements Callable<Integer> {
    @Spec CommandSpec spec;

    abstract void execute(PrintWriter out) throws IOException;

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      try {
        execute(out);
      } catch (InvalidInputException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      } catch (FileSystemException e) {
        throw new ParameterException(
            spec.commandLine(),
            "--out: " + e.getFile() + " cannot be written; check the folder and its permissions",
            e);
      }
      out.flush();
      return 0;
    }
  }

  /** Builds a library from tool reports. */
  @Command(
      name = "build",
      mixinStandardHelpOptions = true,
      description = {
        "Builds a library from the reports of HLS and Vitis.",
        "Files are told by their names: *csynth.xml, *_data.json, *.xtxt,",
        "*kernel_util_*.rpt, with *timing_summary*.rpt and *.info (xclbinutil --info)",
        "beside it, and *.csv of the GNWSIS dataset."
      })
  static final class Build extends Step {
    @Parameters(arity = "1..*", paramLabel = "REPORT", description = "Reports, one or more.")
    private List<Path> reports = List.of();

    @Option(names = "--app", required = true, description = "The application they implement.")
    private String app = "";

    @Option(names = "--out", required = true, description = "The library to write.")
    private Path out = Path.of("library.json");

    @Option(names = "--add-to", description = "A library whose applications are kept.")
    private @Nullable Path base;

    @Option(
        names = "--device",
        defaultValue = "xcu200=1182240,2364480,4320,6840,960",
        description = "NAME=LUT,FF,BRAM18,DSP,URAM (default: ${DEFAULT-VALUE}).")
    private String device = "";

    @Option(
        names = "--runs",
        defaultValue = "1",
        description = "Kernel runs that make one task (default: ${DEFAULT-VALUE}).")
    private long runs = 1;

    @Option(names = "--exec-ms", description = "Measured time of one task, for routed reports.")
    private long execMillis;

    @Option(names = "--units", split = ",", description = "Also predict these numbers of units.")
    private List<Integer> units = List.of();

    @Option(
        names = "--ceiling",
        defaultValue = "85",
        description = "Share of the device that routes, in %% (default: ${DEFAULT-VALUE}).")
    private int ceiling = 85;

    @Option(names = "--all", description = "Keep variants that others beat in everything.")
    private boolean all;

    @Override
    void execute(PrintWriter text) throws IOException {
      LibraryDevice target = device(device);
      SortedMap<String, List<LibraryVariant>> apps = new TreeMap<>();
      if (base != null) {
        VariantLibrary before = LibraryJson.read(base);
        target = before.device();
        apps.putAll(before.apps());
      }
      List<LibraryVariant> designs = new ArrayList<>();
      UnitExpansion expansion = new UnitExpansion(target, ceiling, Footprint.NONE, 0);
      for (LibraryVariant design : ReportLibrary.read(reports, target, runs, execMillis)) {
        designs.addAll(design.units() == 1 ? expansion.expand(design, units) : List.of(design));
      }
      apps.put(app, all ? designs : Pareto.frontier(designs));
      VariantLibrary library = new VariantLibrary(target, apps);
      Files.writeString(out, LibraryJson.write(library), StandardCharsets.UTF_8);
      text.printf(
          "%s: %d designs read or predicted, %d kept for %s%n",
          out, designs.size(), library.variants(app).size(), app);
    }

    private static LibraryDevice device(String text) {
      String[] halves = text.split("=", -1);
      String[] counts = halves.length == 2 ? halves[1].split(",", -1) : new String[0];
      try {
        if (counts.length == 5) {
          return new LibraryDevice(
              halves[0],
              new Footprint(
                  Long.parseLong(counts[0]),
                  Long.parseLong(counts[1]),
                  Long.parseLong(counts[2]),
                  Long.parseLong(counts[3]),
                  Long.parseLong(counts[4])));
        }
      } catch (NumberFormatException e) {
        // falls through to the message, which names what is wrong with the whole
      }
      throw InvalidInputException.of(
          "--device", text, "must be NAME=LUT,FF,BRAM18,DSP,URAM", "give five counts");
    }
  }

  /** Searches a design space. */
  @Command(
      name = "search",
      mixinStandardHelpOptions = true,
      description = {
        "Searches directive choices for the frontier of time and resources.",
        "The search is NSGA-II; the same seed finds the same designs.",
        "The evaluator is called with one option number per directive and prints",
        "ms LUT FF BRAM18 DSP URAM; any other exit code than 0: cannot be built."
      })
  static final class Search extends Step {
    @Option(names = "--evaluator", required = true, description = "An executable file.")
    private Path evaluator = Path.of("evaluator");

    @Option(
        names = "--options",
        required = true,
        split = ",",
        paramLabel = "N",
        description = "How many options each directive has.")
    private List<Integer> options = List.of();

    @Option(names = "--app", required = true, description = "The application that is designed.")
    private String app = "";

    @Option(names = "--out", required = true, description = "The library to write.")
    private Path out = Path.of("library.json");

    @Option(
        names = "--device",
        defaultValue = "xcu200=1182240,2364480,4320,6840,960",
        description = "NAME=LUT,FF,BRAM18,DSP,URAM (default: ${DEFAULT-VALUE}).")
    private String device = "";

    @Option(
        names = "--evaluations",
        defaultValue = "400",
        description = "Choices to try (default: ${DEFAULT-VALUE}).")
    private int evaluations = 400;

    @Option(names = "--seed", defaultValue = "1", description = "Seed (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
        names = "--timeout",
        defaultValue = "3600",
        paramLabel = "S",
        description = "Seconds that one evaluation may take (default: ${DEFAULT-VALUE}).")
    private long timeoutSeconds = 3600;

    @Override
    void execute(PrintWriter text) throws IOException {
      LibraryDevice target = Build.device(device);
      DesignSearch search =
          DesignSearch.of(
              target, options, CommandEvaluator.of(evaluator, Duration.ofSeconds(timeoutSeconds)));
      List<LibraryVariant> frontier = search.run(evaluations, seed);
      SortedMap<String, List<LibraryVariant>> apps = new TreeMap<>();
      apps.put(app, frontier);
      Files.writeString(
          out, LibraryJson.write(new VariantLibrary(target, apps)), StandardCharsets.UTF_8);
      text.printf(
          "%s: %d designs evaluated, %d on the frontier of %s%n",
          out, search.evaluated(), frontier.size(), app);
    }
  }

  /** Scores the predictors. */
  @Command(
      name = "score",
      mixinStandardHelpOptions = true,
      description = {
        "Scores predictors of designs by cross-validation.",
        "They learn from a share of the space: of GNWSIS files, or without files of",
        "generated spaces with known truth. R2 of times is that of their logarithm."
      })
  static final class Score extends Step {
    @Parameters(arity = "0..*", paramLabel = "CSV", description = "GNWSIS files.")
    private List<Path> files = List.of();

    @Option(
        names = "--share",
        defaultValue = "0.2",
        description = "Share of the space that is built (default: ${DEFAULT-VALUE}).")
    private double share = 0.2;

    @Option(
        names = "--seeds",
        defaultValue = "5",
        description = "Shuffles to average over (default: ${DEFAULT-VALUE}).")
    private int seeds = 5;

    @Override
    void execute(PrintWriter out) {
      if (!(share > 0 && share <= 0.8) || seeds < 1 || seeds > 1000) {
        throw InvalidInputException.of(
            "--share and --seeds",
            share + ", " + seeds,
            "must be in (0, 0.8] and between 1 and 1000",
            "use 0.2 and 5");
      }
      if (files.isEmpty()) {
        PredictorScores.Space units = PredictorScores.generatedUnits(1);
        print(out, "generated: %d numbers of units".formatted(units.size()), units);
        PredictorScores.Space space = PredictorScores.generated(1);
        print(out, "generated: %d directive choices".formatted(space.size()), space);
      }
      for (Path file : files) {
        GnwsisCsv csv = GnwsisCsv.read(file);
        print(
            out,
            "%s: %d designs, %d failed ones left out"
                .formatted(file.getFileName(), csv.points().size(), csv.failed()),
            PredictorScores.of(csv));
      }
    }

    private void print(PrintWriter out, String title, PredictorScores.Space space) {
      out.println(title);
      out.printf("  %-14s %-16s %s%n", "target", "predictor", "score (measured)");
      for (PredictorScores.Score score : PredictorScores.score(space, share, seeds)) {
        out.printf(
            Locale.ROOT,
            "  %-14s %-16s %s %6.3f%n",
            score.target(),
            score.learner(),
            score.measure(),
            score.score());
      }
    }
  }

  /** Prints a library. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Prints a library; without a file, the one that comes with the examples.")
  static final class Show extends Step {
    @Parameters(arity = "0..1", paramLabel = "LIBRARY", description = "A library.")
    private @Nullable Path file;

    @Override
    void execute(PrintWriter out) {
      VariantLibrary library = file == null ? LibraryJson.bundled() : LibraryJson.read(file);
      Footprint total = library.device().total();
      out.printf(
          "device %s: %d LUT, %d FF, %d BRAM18, %d DSP, %d URAM%n",
          library.device().name(),
          total.lut(),
          total.ff(),
          total.bram(),
          total.dsp(),
          total.uram());
      for (String app : library.apps().keySet()) {
        List<LibraryVariant> variants = library.variants(app);
        Pareto.Representatives picks =
            Pareto.representatives(Pareto.frontier(variants), library.device());
        out.printf(
            "%n%s: first quartile %d ms%n%-34s %8s %4s %7s %5s %s%n",
            app,
            Pareto.firstQuartileMillis(variants),
            "variant",
            "exec ms",
            "MHz",
            "score %",
            "pick",
            "origin");
        for (LibraryVariant variant : variants) {
          out.printf(
              Locale.ROOT,
              "%-34s %8d %4s %7.2f %5s %s%n",
              shortened(variant.id()),
              variant.execMillis(),
              variant.freqMhz() == 0 ? "-" : variant.freqMhz(),
              100 * Pareto.score(variant, library.device()),
              pick(variant, picks),
              variant.origin());
        }
      }
    }

    private static String shortened(String id) {
      return id.length() <= 34 ? id : id.substring(0, 31) + "...";
    }

    private static String pick(LibraryVariant variant, Pareto.Representatives picks) {
      return variant.equals(picks.le())
          ? "LE"
          : variant.equals(picks.mid()) ? "MID" : variant.equals(picks.re()) ? "RE" : "";
    }
  }

  /** Checks a library. */
  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = "Checks a library, and where its variants fit.")
  static final class Check extends Step {
    @Parameters(paramLabel = "LIBRARY", description = "A library.")
    private Path file = Path.of("library.json");

    @Override
    void execute(PrintWriter out) {
      VariantLibrary library = LibraryJson.read(file);
      out.printf(
          "%-28s %8s %9s %8s %s%n",
          "application", "variants", "dominated", "no file", "fit 1/1 1/2 1/4 1/8");
      for (String app : library.apps().keySet()) {
        List<LibraryVariant> variants = library.variants(app);
        StringBuilder fits = new StringBuilder();
        for (int regions = 1; regions <= 8; regions *= 2) {
          Footprint capacity =
              RegionLayout.symmetric(library.device(), regions).kinds().get(0).capacity();
          fits.append(
              String.format(
                  Locale.ROOT,
                  "%4d",
                  variants.stream().filter(v -> v.footprint().fitsIn(capacity)).count()));
        }
        out.printf(
            "%-28s %8d %9d %8d    %s%n",
            app,
            variants.size(),
            variants.size() - Pareto.frontier(variants).size(),
            variants.stream().filter(v -> v.origin() == Origin.PREDICTED).count(),
            fits);
      }
    }
  }
}
