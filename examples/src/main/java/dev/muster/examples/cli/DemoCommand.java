package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.core.spork.Spork;
import dev.muster.core.spork.SporkFleet;
import dev.muster.examples.apps.Apps;
import dev.muster.examples.apps.LiveReport;
import dev.muster.examples.apps.LiveRun;
import dev.muster.hal.sim.workload.MinuteTrace;
import dev.muster.hal.sim.workload.SizeBucket;
import dev.muster.hal.sim.workload.TraceWorkload;
import dev.muster.hal.sim.workload.Workload;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows in half a minute what hybrid scheduling is worth on a real trace. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Schedules two hours of a real serverless trace and compares policies.")
public final class DemoCommand implements Callable<Integer> {
  /** Offers the live run half of what the cores of this machine can do. */
  private static final double LIVE_LOAD = 0.5;

  @Spec private CommandSpec spec;

  @Mixin private StudyOptions study;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "per-minute trace, CSV or gzip (default: the bundled Azure extract)")
  private @Nullable Path trace;

  @Option(
      names = "--scale",
      paramLabel = "WORKERS",
      defaultValue = "20",
      description = "mean busy CPU workers per function (default: ${DEFAULT-VALUE})")
  private double scale;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "SporkE,SporkB,SporkC,CPU-dynamic,FPGA-static",
      description = "policies to compare (default: ${DEFAULT-VALUE})")
  private List<String> policies;

  @Option(
      names = "--live-seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "length of the live run at the end, 0 for none (default: ${DEFAULT-VALUE})")
  private int liveSeconds;

  @Override
  public Integer call() throws InterruptedException {
    if (liveSeconds < 0 || liveSeconds > 3_600) {
      throw InvalidInputException.of(
          "--live-seconds", liveSeconds, "must be between 0 and 3600", "choose a length");
    }
    PolicyCatalog catalog = new PolicyCatalog();
    List<PolicyCatalog.Factory> factories = policies.stream().map(catalog::find).toList();
    study.check();
    MinuteTrace source = trace == null ? MinuteTrace.bundled() : MinuteTrace.read(trace);
    TraceWorkload.Builder builder =
        TraceWorkload.builder(source).meanWorkers(scale).seed(study.seed);
    if (trace == null) {
      builder.sizes(SizeBucket.SHORT);
    }
    List<Workload> workloads = builder.build();
    PrintWriter out = spec.commandLine().getOut();
    Study.Result result =
        new Study(
                workloads,
                SporkFleet.types(),
                0,
                study.threads,
                Progress.onTerminal(spec.commandLine().getErr()))
            .run(factories);
    out.printf(
        Locale.ROOT,
        "%d functions of %s, two hours each, %.1f million requests,%n"
            + "scaled to a mean of %s busy CPUs per function; seed %d.%n%n",
        workloads.size(),
        source.source(),
        result.tasks() / 1e6,
        Double.toString(scale).replaceAll("\\.0$", ""),
        study.seed);
    StudyReport.writeTable(result, out);
    out.println();
    StudyReport.writeReading(result, out);
    out.flush();
    study.save("demo", result, liveSeconds == 0 ? null : runLive(out).toJson());
    return 0;
  }

  /** Ends with real work on this machine; its figures vary from run to run. */
  private LiveReport runLive(PrintWriter out) throws InterruptedException {
    LiveReport report =
        new LiveRun(
                Apps.prepare(study.seed), Duration.ofSeconds(liveSeconds), LIVE_LOAD, study.seed)
            .run(Spork.energy(), null);
    out.println();
    report.print(out);
    return report;
  }
}
