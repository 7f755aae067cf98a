package dev.muster.testkit;

import dev.muster.api.Capability;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.RuntimePredictor;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.VariantPolicy;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.EngineObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts, event by event, how often a policy looks into the fleet (POL-6). */
final class CountingPolicy implements SchedulingPolicy {
  private final SchedulingPolicy policy;
  private final PolicyContract contract;
  private final CountingContext counting = new CountingContext();
  private int openTasks;
  private long lookUps;
  private long commands;
  private @Nullable String excess;

  CountingPolicy(SchedulingPolicy policy, PolicyContract contract) {
    this.policy = policy;
    this.contract = contract;
  }

  /** Returns what must watch the engine, to know how many tasks are open. */
  EngineObserver observer() {
    return new EngineObserver() {
      @Override
      public void onSubmitted(Task task, long nowNanos) {
        openTasks++;
      }
    };
  }

  /**
   * Fails if an event took more look-ups than allowed.
   *
   * @throws AssertionError naming the first such event
   */
  void verdict() {
    if (excess != null) {
      throw new AssertionError(excess);
    }
  }

  private void count(String event, SchedulingContext context, Consumer<SchedulingContext> call) {
    int workers = 0;
    for (WorkerPool pool : context.pools()) {
      workers += pool.allocated();
    }
    counting.wrap(context);
    lookUps = 0;
    commands = 0;
    call.accept(counting);
    long limit = (1 + commands) * contract.maxLookUps(workers, openTasks);
    if (lookUps > limit && excess == null) {
      excess =
          "POL-6: policy %s made %,d look-ups in one %s with %,d workers, %,d open tasks and %,d commands; %,d are allowed"
              .formatted(policy.name(), lookUps, event, workers, openTasks, commands, limit);
    }
  }

  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public Set<Capability> requirements() {
    return policy.requirements();
  }

  @Override
  public VariantPolicy variantPolicy() {
    return policy.variantPolicy();
  }

  @Override
  public void onStart(SchedulingContext context) {
    count("onStart", context, policy::onStart);
  }

  @Override
  public void onSubmit(Task task, SchedulingContext context) {
    count("onSubmit", context, c -> policy.onSubmit(task, c));
  }

  @Override
  public void onWorkerReady(Worker worker, SchedulingContext context) {
    count("onWorkerReady", context, c -> policy.onWorkerReady(worker, c));
  }

  @Override
  public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
    openTasks--;
    count("onTaskDone", context, c -> policy.onTaskDone(task, worker, c));
  }

  @Override
  public void onWorkerGone(Worker worker, SchedulingContext context) {
    count("onWorkerGone", context, c -> policy.onWorkerGone(worker, c));
  }

  @Override
  public void onTick(SchedulingContext context) {
    count("onTick", context, policy::onTick);
  }

  @Override
  public void onInstantEnd(SchedulingContext context) {
    count("onInstantEnd", context, policy::onInstantEnd);
  }

  @Override
  public void onDrain(SchedulingContext context) {
    count("onDrain", context, policy::onDrain);
  }

  private final class CountingContext implements SchedulingContext {
    private @Nullable SchedulingContext real;
    private List<WorkerPool> pools = List.of();

    void wrap(SchedulingContext context) {
      if (real == null) {
        List<WorkerPool> wrapped = new ArrayList<>();
        for (WorkerPool pool : context.pools()) {
          wrapped.add(new CountingPool(pool));
        }
        pools = List.copyOf(wrapped);
      }
      real = context;
    }

    private SchedulingContext real() {
      SchedulingContext context = real;
      if (context == null) {
        throw new IllegalStateException("no event is being handled");
      }
      return context;
    }

    private static WorkerPool unwrap(WorkerPool pool) {
      return pool instanceof CountingPool counting ? counting.pool : pool;
    }

    @Override
    public long nowNanos() {
      return real().nowNanos();
    }

    @Override
    public List<WorkerPool> pools() {
      return pools;
    }

    @Override
    public List<Variant> variants(Task task, WorkerPool pool) {
      lookUps++;
      return real().variants(task, unwrap(pool));
    }

    @Override
    public @Nullable Variant variant(Task task, WorkerPool pool) {
      lookUps++;
      return real().variant(task, unwrap(pool));
    }

    @Override
    public RuntimePredictor.Prediction prediction(Task task) {
      lookUps++;
      return real().prediction(task);
    }

    @Override
    public long assign(Task task, Worker worker) {
      commands++;
      return real().assign(task, worker);
    }

    @Override
    public long assign(Task task, Worker worker, Variant variant) {
      commands++;
      return real().assign(task, worker, variant);
    }

    @Override
    public void foresee(Task task, Outlook outlook) {
      commands++;
      real().foresee(task, outlook);
    }

    @Override
    public void reject(Task task, RejectReason reason) {
      commands++;
      real().reject(task, reason);
    }

    @Override
    public @Nullable Worker provision(WorkerPool pool) {
      commands++;
      return real().provision(unwrap(pool));
    }

    @Override
    public void release(Worker worker) {
      commands++;
      real().release(worker);
    }

    @Override
    public void keep(WorkerPool pool, int workers) {
      real().keep(unwrap(pool), workers);
    }

    @Override
    public void idleTimeout(WorkerPool pool, long nanos) {
      real().idleTimeout(unwrap(pool), nanos);
    }

    @Override
    public void wakeAt(long nanos) {
      real().wakeAt(nanos);
    }

    @Override
    public void wakeAtInstantEnd() {
      real().wakeAtInstantEnd();
    }

    @Override
    public boolean recall(Worker worker) {
      commands++;
      return real().recall(worker);
    }
  }

  private final class CountingPool implements WorkerPool {
    private final WorkerPool pool;

    CountingPool(WorkerPool pool) {
      this.pool = pool;
    }

    @Override
    public int index() {
      return pool.index();
    }

    @Override
    public WorkerType type() {
      return pool.type();
    }

    @Override
    public int allocated() {
      lookUps++;
      return pool.allocated();
    }

    @Override
    public int spinningUp() {
      lookUps++;
      return pool.spinningUp();
    }

    @Override
    public int kept() {
      lookUps++;
      return pool.kept();
    }

    @Override
    public int headroom() {
      lookUps++;
      return pool.headroom();
    }

    @Override
    public @Nullable Worker latestAvailable(long latestStartNanos) {
      lookUps++;
      return pool.latestAvailable(latestStartNanos);
    }

    @Override
    public @Nullable Worker mostLoadedSpinningUp(long latestStartNanos) {
      lookUps++;
      return pool.mostLoadedSpinningUp(latestStartNanos);
    }

    @Override
    public @Nullable Worker earliestAvailable() {
      lookUps++;
      return pool.earliestAvailable();
    }

    @Override
    public @Nullable Worker earliestSpinningUp() {
      lookUps++;
      return pool.earliestSpinningUp();
    }

    @Override
    public Iterator<Worker> iterator() {
      Iterator<Worker> workers = pool.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return workers.hasNext();
        }

        @Override
        public Worker next() {
          lookUps++;
          return workers.next();
        }
      };
    }
  }
}
