package dev.muster.core.policy;

import dev.muster.api.DispatchPolicy;
import dev.muster.api.SchedulingContext;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches to the next worker in a ring that meets the deadline.
 *
 * <p>MArk's dispatcher (Table 9 of Spork). A worker joins at the end of the ring when it is
 * provisioned; the search starts behind the worker chosen last. Since round robin spreads tasks
 * over all workers, hardly one idles long enough to be reclaimed; see {@link #drainingExcess}.
 *
 * <p>O(n) per task for n workers in the ring, by nature; allocates nothing per task.
 */
public final class RoundRobin implements DispatchPolicy {
  private final @Nullable String drainedType;
  private final List<Worker> ring = new ArrayList<>();
  private final List<Worker> members = new ArrayList<>();
  private int position;
  private int keptBefore;
  private int keptNow;

  private RoundRobin(@Nullable String drainedType) {
    this.drainedType = drainedType;
  }

  /** Creates a dispatcher over all workers. */
  public static RoundRobin create() {
    return new RoundRobin(null);
  }

  /**
   * Creates a dispatcher that stops using the newest workers of a type beyond the larger of its
   * last two allocation targets, so that they idle and are reclaimed.
   */
  public static RoundRobin drainingExcess(String type) {
    return new RoundRobin(type);
  }

  @Override
  public @Nullable Worker select(Task task, SchedulingContext context) {
    if (drainedType != null) {
      followTarget(context, drainedType);
    }
    for (int i = 0; i < ring.size(); i++) {
      int at = (position + i) % ring.size();
      Worker worker = ring.get(at);
      Variant variant = context.variant(task, worker.pool());
      if (variant != null) {
        long start = Math.max(worker.availableAtNanos(), context.nowNanos());
        if (start <= task.deadlineNanos() - variant.serviceNanos(task.sizeNanos())) {
          position = (at + 1) % ring.size();
          return worker;
        }
      }
    }
    return null;
  }

  @Override
  public void onWorkerProvisioned(Worker worker) {
    members.add(worker);
    ring.add(worker);
  }

  @Override
  public void onWorkerGone(Worker worker) {
    members.removeIf(member -> member.id() == worker.id());
    for (int i = 0; i < ring.size(); i++) {
      if (ring.get(i).id() == worker.id()) {
        ring.remove(i);
        if (position > i) {
          position--;
        }
        break;
      }
    }
    if (position >= ring.size()) {
      position = 0;
    }
  }

  private void followTarget(SchedulingContext context, String type) {
    for (WorkerPool pool : context.pools()) {
      if (pool.type().name().equals(type) && pool.kept() != keptNow) {
        keptBefore = keptNow;
        keptNow = pool.kept();
        rebuild(pool, Math.max(keptBefore, keptNow));
      }
    }
  }

  /** Fills the ring with all members but those of a pool beyond the first so many. */
  private void rebuild(WorkerPool pool, int limit) {
    int room = limit;
    ring.clear();
    for (Worker member : members) {
      if (member.pool().index() != pool.index() || room-- > 0) {
        ring.add(member);
      }
    }
    position = ring.isEmpty() ? 0 : position % ring.size();
  }
}
