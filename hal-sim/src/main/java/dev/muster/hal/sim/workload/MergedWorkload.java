package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges workloads into one, applications being identified by their names. */
final class MergedWorkload implements Workload {
  static final int MAX_SOURCES = 65_536;

  private final String name;
  private final List<Workload> sources;
  private final List<String> applications;

  /** Holds the merged index of each application of each source. */
  private final int[][] owners;

  private final long horizonNanos;

  private MergedWorkload(
      String name, List<Workload> sources, List<String> applications, int[][] owners) {
    this.name = name;
    this.sources = sources;
    this.applications = applications;
    this.owners = owners;
    horizonNanos = sources.stream().mapToLong(Workload::horizonNanos).max().orElseThrow();
  }

  static MergedWorkload of(String name, List<Workload> sources) {
    if (sources.isEmpty() || sources.size() > MAX_SOURCES) {
      throw InvalidInputException.of(
          "merged workload " + name + " sources",
          sources.size(),
          "must be between 1 and " + MAX_SOURCES,
          "merge fewer, or groups of them");
    }
    Map<String, Integer> indices = new LinkedHashMap<>();
    int[][] owners = new int[sources.size()][];
    for (int s = 0; s < owners.length; s++) {
      List<String> names = sources.get(s).applications();
      owners[s] = new int[names.size()];
      for (int i = 0; i < owners[s].length; i++) {
        int next = indices.size();
        owners[s][i] = indices.computeIfAbsent(names.get(i), unseen -> next);
      }
    }
    return new MergedWorkload(name, sources, List.copyOf(indices.keySet()), owners);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> applications() {
    return applications;
  }

  @Override
  public long horizonNanos() {
    return horizonNanos;
  }

  @Override
  public ArrivalSource open() {
    return new MergedArrivals(
        sources.stream().map(Workload::open).toArray(ArrivalSource[]::new), owners);
  }

  @Override
  public WorkloadSummary summary() {
    long tasks = 0;
    long work = 0;
    for (Workload source : sources) {
      WorkloadSummary part = source.summary();
      tasks += part.tasks();
      work = WorkloadSummary.plus(name, work, part.workNanos());
    }
    return new WorkloadSummary(tasks, work, horizonNanos);
  }
}
