package dev.muster.core.policy;

import dev.muster.api.AllocationPolicy;
import dev.muster.api.Capability;
import dev.muster.api.DispatchPolicy;
import dev.muster.api.QueueOrder;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.VariantPolicy;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Composes a scheduling policy from building blocks; any allocation works with any dispatch.
 *
 * <p>A task goes to the worker the {@link DispatchPolicy} selects; when it selects none, to the one
 * the {@link Overflow} rule finds or provisions; when that finds none either, it is held in {@link
 * QueueOrder} and tried again whenever a worker becomes ready or free. The {@link AllocationPolicy}
 * runs at the start and then once per interval until the run drains.
 *
 * <p>Work per event: the dispatcher's, plus O(log h) for h held tasks.
 */
public final class ComposedPolicy implements SchedulingPolicy {
  private final String name;
  private final Set<Capability> requirements;
  private final @Nullable AllocationPolicy allocation;
  private final DispatchPolicy dispatch;
  private final Overflow overflow;
  private final VariantPolicy variants;
  private final TreeSet<Task> held;

  private @Nullable IntervalState interval;
  private long newestWorkerId = -1;

  private ComposedPolicy(Builder b) {
    name = b.name;
    requirements = Set.copyOf(b.requirements);
    allocation = b.allocation;
    dispatch = b.dispatch;
    overflow = b.overflow;
    variants = b.variants;
    held = new TreeSet<>(b.order);
  }

  /**
   * Starts a composition that dispatches with {@link EfficientFirst}, provisions a burst worker
   * when nothing fits, uses the fastest variant and holds tasks first in, first out.
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Capability> requirements() {
    return requirements;
  }

  @Override
  public VariantPolicy variantPolicy() {
    return variants;
  }

  @Override
  public void onStart(SchedulingContext context) {
    interval = new IntervalState(context.pools());
    if (allocation != null) {
      allocation.onStart(context.pools());
      for (WorkerPool pool : context.pools()) {
        context.idleTimeout(pool, allocation.idleTimeoutNanos(pool));
      }
      allocate(allocation, context);
    }
  }

  @Override
  public void onSubmit(Task task, SchedulingContext context) {
    if (!place(task, context)) {
      hold(task, context);
    }
  }

  @Override
  public void onWorkerReady(Worker worker, SchedulingContext context) {
    retryHeld(context);
  }

  @Override
  public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
    if (!held.isEmpty()) {
      if (worker == null) {
        held.remove(task);
      }
      retryHeld(context);
    }
  }

  @Override
  public void onWorkerGone(Worker worker, SchedulingContext context) {
    dispatch.onWorkerGone(worker);
    if (allocation != null) {
      allocation.onWorkerGone(worker, context.nowNanos());
    }
    if (!held.isEmpty() && worker.pool().allocated() == 0) {
      rejectStranded(context);
    }
  }

  @Override
  public void onTick(SchedulingContext context) {
    if (allocation != null) {
      allocate(allocation, context);
    }
  }

  @Override
  public void onDrain(SchedulingContext context) {
    for (WorkerPool pool : context.pools()) {
      context.keep(pool, 0);
    }
    context.wakeAt(Long.MAX_VALUE);
  }

  private boolean place(Task task, SchedulingContext context) {
    Worker worker = dispatch.select(task, context);
    if (worker == null) {
      worker = overflow.place(task, context);
      if (worker == null) {
        return false;
      }
      announceIfNew(worker);
    }
    IntervalState state = interval();
    state.assignedNanos[worker.pool().index()] += context.assign(task, worker);
    if (task.deadlineNanos() != Task.NO_DEADLINE) {
      state.slackNanos += task.deadlineNanos() - task.arrivalNanos();
      state.slackTasks++;
    }
    return true;
  }

  private void hold(Task task, SchedulingContext context) {
    if (canEverRun(task, context)) {
      held.add(task);
    } else {
      context.reject(task, RejectReason.NO_CAPACITY);
    }
  }

  private void retryHeld(SchedulingContext context) {
    while (!held.isEmpty() && place(held.first(), context)) {
      held.pollFirst();
    }
  }

  /** Rejects held tasks that no allocated worker could ever run. */
  private void rejectStranded(SchedulingContext context) {
    for (Task task : List.copyOf(held)) {
      if (!canEverRun(task, context)) {
        held.remove(task);
        context.reject(task, RejectReason.NO_CAPACITY);
      }
    }
  }

  private static boolean canEverRun(Task task, SchedulingContext context) {
    for (WorkerPool pool : context.pools()) {
      if (pool.allocated() > 0 && context.variant(task, pool) != null) {
        return true;
      }
    }
    return false;
  }

  private void allocate(AllocationPolicy policy, SchedulingContext context) {
    IntervalState state = interval();
    state.nowNanos = context.nowNanos();
    int[] targets = state.targets;
    Arrays.fill(targets, 0);
    policy.allocate(state, targets);
    Arrays.fill(state.assignedNanos, 0);
    state.slackNanos = 0;
    state.slackTasks = 0;
    state.index++;
    for (WorkerPool pool : state.pools) {
      int target = targets[pool.index()];
      context.keep(pool, target);
      while (pool.allocated() < target) {
        Worker worker = context.provision(pool);
        if (worker == null) {
          break;
        }
        announceIfNew(worker);
      }
    }
    context.wakeAt(Math.addExact(state.nowNanos, policy.intervalNanos()));
  }

  /** Tells the dispatcher of a worker that was provisioned just now; ids only ever grow. */
  private void announceIfNew(Worker worker) {
    if (worker.id() > newestWorkerId) {
      newestWorkerId = worker.id();
      dispatch.onWorkerProvisioned(worker);
    }
  }

  private IntervalState interval() {
    IntervalState state = interval;
    if (state == null) {
      throw new IllegalStateException("policy " + name + " was not started");
    }
    return state;
  }

  /** Holds what is known about the current interval. */
  private static final class IntervalState implements AllocationPolicy.Interval {
    final List<WorkerPool> pools;
    final long[] assignedNanos;
    final int[] targets;
    long slackNanos;
    long slackTasks;
    long index;
    long nowNanos;

    IntervalState(List<WorkerPool> pools) {
      this.pools = pools;
      assignedNanos = new long[pools.size()];
      targets = new int[pools.size()];
    }

    @Override
    public long index() {
      return index;
    }

    @Override
    public long nowNanos() {
      return nowNanos;
    }

    @Override
    public List<WorkerPool> pools() {
      return pools;
    }

    @Override
    public long assignedNanos(WorkerPool pool) {
      return assignedNanos[pool.index()];
    }

    @Override
    public long meanSlackNanos() {
      return slackTasks == 0 ? 0 : slackNanos / slackTasks;
    }
  }

  /** Builds a {@link ComposedPolicy}. A policy keeps state: build one per run. */
  public static final class Builder {
    private final String name;
    private final Set<Capability> requirements = EnumSet.noneOf(Capability.class);
    private @Nullable AllocationPolicy allocation;
    private DispatchPolicy dispatch = EfficientFirst.create();
    private Overflow overflow = Overflow.burst();
    private VariantPolicy variants = VariantPolicy.fastest();
    private QueueOrder order = QueueOrder.fifo();

    private Builder(String name) {
      this.name = name;
    }

    /** Sets who decides how many workers the next interval has; none by default. */
    public Builder allocation(AllocationPolicy value) {
      allocation = value;
      return this;
    }

    /** Sets who chooses among allocated workers. */
    public Builder dispatch(DispatchPolicy value) {
      dispatch = value;
      return this;
    }

    /** Sets what happens when the dispatcher finds no worker. */
    public Builder overflow(Overflow value) {
      overflow = value;
      return this;
    }

    /** Sets who chooses the variant. */
    public Builder variants(VariantPolicy value) {
      variants = value;
      return this;
    }

    /** Sets the order of held tasks. */
    public Builder order(QueueOrder value) {
      order = value;
      return this;
    }

    /** Adds what the workload and hardware must offer. */
    public Builder requires(Capability... values) {
      requirements.addAll(Arrays.asList(values));
      return this;
    }

    /** Builds the policy. */
    public ComposedPolicy build() {
      return new ComposedPolicy(this);
    }
  }
}
