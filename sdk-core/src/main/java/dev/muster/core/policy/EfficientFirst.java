package dev.muster.core.policy;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches to the most efficient worker type that meets the deadline, busiest worker first.
 *
 * <p>Spork, Algorithm 3. Types are tried by increasing busy energy per unit of work. Within a type
 * the order is: busy workers by decreasing load, idle workers by increasing idle time, workers that
 * are spinning up by decreasing queued work; ties go to the lowest id. A worker will do if {@code
 * max(available, now) + service <= deadline}. Packing work onto busy workers lets the others idle
 * long enough to be reclaimed.
 *
 * <p>Busy and idle together are one floor query: the largest {@code availableAt <= deadline -
 * service}. O(t log n) for t types of n workers, plus the distinct ready times of spinning-up ones;
 * allocates nothing.
 */
public final class EfficientFirst implements DispatchPolicy {
  private final Set<String> only;
  private WorkerPool @Nullable [] ranked;

  private EfficientFirst(Set<String> only) {
    this.only = only;
  }

  /** Creates a dispatcher over all worker types. */
  public static EfficientFirst create() {
    return new EfficientFirst(Set.of());
  }

  /** Creates a dispatcher that uses the named worker types only. */
  public static EfficientFirst only(String... types) {
    return new EfficientFirst(Set.of(types));
  }

  @Override
  public @Nullable Worker select(Task task, SchedulingContext context) {
    WorkerPool[] pools = ranked;
    if (pools == null) {
      pools = rank(context.pools());
      ranked = pools;
    }
    for (WorkerPool pool : pools) {
      if (pool.allocated() == 0) {
        continue;
      }
      Variant variant = context.variant(task, pool);
      if (variant == null) {
        continue;
      }
      long latestStart = task.deadlineNanos() - variant.serviceNanos(task.sizeNanos());
      Worker worker = pool.latestAvailable(latestStart);
      if (worker == null) {
        worker = pool.mostLoadedSpinningUp(latestStart);
      }
      if (worker != null) {
        return worker;
      }
    }
    return null;
  }

  private WorkerPool[] rank(List<WorkerPool> pools) {
    List<WorkerPool> usable = new ArrayList<>();
    for (WorkerPool pool : pools) {
      if (only.isEmpty() || only.contains(pool.type().name())) {
        usable.add(pool);
      }
    }
    usable.sort(Comparator.comparing(WorkerPool::type, EfficientFirst::compareEnergyPerWork));
    return usable.toArray(new WorkerPool[0]);
  }

  /** Compares busy energy per unit of reference work, exactly. */
  static int compareEnergyPerWork(WorkerType a, WorkerType b) {
    return Long.compare(
        a.busyPowerMilliwatts() * a.speedupDenominator() * b.speedupNumerator(),
        b.busyPowerMilliwatts() * b.speedupDenominator() * a.speedupNumerator());
  }
}
