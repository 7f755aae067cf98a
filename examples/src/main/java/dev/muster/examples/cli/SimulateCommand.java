package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.api.WorkerType;
import dev.muster.core.spork.SporkFleet;
import dev.muster.hal.sim.workload.MinuteTrace;
import dev.muster.hal.sim.workload.SizeBucket;
import dev.muster.hal.sim.workload.SyntheticWorkload;
import dev.muster.hal.sim.workload.TraceWorkload;
import dev.muster.hal.sim.workload.Workload;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs any policies on any workload and fleet, under virtual time. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = "Simulates policies on a trace or a synthetic workload.")
public final class SimulateCommand implements Callable<Integer> {
  private static final int MAX_SEEDS = 1_000;

  @Spec private CommandSpec spec;

  @Mixin private StudyOptions study;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "SporkE",
      description = "policies to run; --list-policies names them (default: ${DEFAULT-VALUE})")
  private List<String> policies;

  @Option(names = "--list-policies", description = "list the policies and exit")
  private boolean listPolicies;

  @Option(
      names = "--fleet",
      paramLabel = "FILE",
      description = "worker types (default: those of --print-fleet)")
  private @Nullable Path fleet;

  @Option(names = "--print-fleet", description = "print a commented fleet file and exit")
  private boolean printFleet;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "per-minute trace, CSV or gzip, instead of a synthetic workload")
  private @Nullable Path trace;

  @Option(
      names = "--bucket",
      paramLabel = "SIZE",
      description = "request sizes: ${COMPLETION-CANDIDATES} (default: SHORT; a trace: all)")
  private @Nullable SizeBucket bucket;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "mean busy reference workers (default: 100; a trace: 20 per function)")
  private @Nullable Double workers;

  @Option(
      names = "--bias",
      paramLabel = "B",
      defaultValue = "0.6",
      description = "burstiness of a synthetic workload, 0.5 to 1 (default: ${DEFAULT-VALUE})")
  private double bias;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "120",
      description = "length of the workload (default: ${DEFAULT-VALUE})")
  private int minutes;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description = "synthetic workloads to average over, seeds counted up (default: 1)")
  private int seeds;

  @Option(
      names = "--deadline",
      paramLabel = "FACTOR",
      defaultValue = "10",
      description = "deadline after arrival, in request sizes (default: ${DEFAULT-VALUE})")
  private double deadline;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "decision interval (default: each policy's own)")
  private @Nullable Double interval;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PolicyCatalog catalog = new PolicyCatalog();
    if (listPolicies) {
      catalog.describe().forEach(out::println);
      out.flush();
      return 0;
    }
    if (printFleet) {
      out.print(FleetFile.defaultText());
      out.flush();
      return 0;
    }
    List<PolicyCatalog.Factory> factories = policies.stream().map(catalog::find).toList();
    study.check();
    long intervalNanos = intervalNanos();
    List<WorkerType> types = fleet == null ? SporkFleet.types() : FleetFile.read(fleet);
    List<Workload> workloads = workloads();
    Study.Result result =
        new Study(
                workloads,
                types,
                intervalNanos,
                study.threads,
                Progress.onTerminal(spec.commandLine().getErr()))
            .run(factories);
    out.printf(
        Locale.ROOT,
        "%d workload(s) from seed %d, %.1f million tasks.%n%n",
        workloads.size(),
        study.seed,
        result.tasks() / 1e6);
    StudyReport.writeTable(result, out);
    out.flush();
    study.save("simulate", result);
    return 0;
  }

  private List<Workload> workloads() {
    if (seeds < 1 || seeds > MAX_SEEDS) {
      throw InvalidInputException.of(
          "--seeds", seeds, "must be between 1 and " + MAX_SEEDS, "use 10 for the default table");
    }
    if (trace != null) {
      TraceWorkload.Builder builder =
          TraceWorkload.builder(MinuteTrace.read(trace))
              .windowMinutes(minutes)
              .meanWorkers(workers == null ? 20 : workers)
              .deadlineFactor(deadline)
              .seed(study.seed);
      return bucket == null ? builder.build() : builder.sizes(bucket).build();
    }
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      workloads.add(
          SyntheticWorkload.builder()
              .bias(bias)
              .minutes(minutes)
              .meanWorkers(workers == null ? 100 : workers)
              .size(bucket == null ? SizeBucket.SHORT : bucket)
              .deadlineFactor(deadline)
              .seed(study.seed + i)
              .build());
    }
    return workloads;
  }

  private long intervalNanos() {
    if (interval == null) {
      return 0;
    }
    if (!(interval >= 1e-6 && interval <= 1e6)) {
      throw InvalidInputException.of(
          "--interval (s)", interval, "must be between 1e-6 and 1e6", "leave it out");
    }
    return Math.round(interval * 1e9);
  }
}
