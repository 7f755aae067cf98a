package dev.muster.core.qos;

import dev.muster.api.Capability;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Outlook;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Schedules over regions of any layout with fewer missed deadlines than {@link PaperQos}.
 *
 * <p>What it does beyond the paper's section 3.2:
 *
 * <ul>
 *   <li>Adjacent slots merge when a job needs them: a job takes the region with the least product
 *       of area and time among those that meet its deadline, so that small regions serve many.
 *   <li>Guarded rollout: the rule above is tried in a simulation of the tasks known now. Only if it
 *       would lose a job, other rules are tried, and one that loses strictly fewer decides this one
 *       pass.
 *   <li>A region that has the design loaded is used again without reconfiguration.
 *   <li>A run that will surely be late is taken back when that saves a job in the same simulation,
 *       at most {@value #DEFAULT_MAX_RECALLS} times a task.
 *   <li>Demoted tasks, which can no longer be on time, spill to idle workers of types outside the
 *       layout, if the fleet has some.
 *   <li>At submission, the host can be told whether the deadline will be met.
 * </ul>
 *
 * <p>Demotion stays permanent, and demoted tasks run whenever no feasible one waits, least area
 * time first. Measured by {@code muster reproduce qos} against the paper's M4.
 *
 * <p>A pass costs O(n) for n queued tasks without rollout, and with it at most nine simulations of
 * O(n + completions * 32 * blocks) steps.
 */
public final class RolloutQos implements SchedulingPolicy {
  /** Bounds how often one task is taken back, unless {@link Builder#maxRecalls} says otherwise. */
  public static final int DEFAULT_MAX_RECALLS = 2;

  private static final RegionPlanner.Rule DEFAULT_RULE =
      new RegionPlanner.Rule(RegionPlanner.Preference.AREA_TIME, 0, false);

  private final RegionLayout layout;
  private final boolean looksAhead;
  private final int maxRecalls;
  private final boolean rejectsHopeless;
  private final QosObserver observer;
  private final boolean tellsOutlook;
  private final List<RegionPlanner.Rule> alternatives = new ArrayList<>();
  private final Map<Long, Recall> recalls = new HashMap<>();

  private @Nullable State state;
  private boolean draining;

  private RolloutQos(Builder b) {
    layout = b.layout;
    looksAhead = b.looksAhead;
    maxRecalls = b.maxRecalls;
    rejectsHopeless = b.rejectsHopeless;
    observer = b.observer;
    tellsOutlook = b.tellsOutlook || b.rejectsHopeless;
    if (layout.kinds().size() > 1) {
      alternatives.add(new RegionPlanner.Rule(RegionPlanner.Preference.KIND, 1, false));
      alternatives.add(new RegionPlanner.Rule(RegionPlanner.Preference.KIND_STRICTLY, 1, false));
    }
    alternatives.add(new RegionPlanner.Rule(RegionPlanner.Preference.KIND, 0, true));
    if (layout.kinds().size() > 1) {
      alternatives.add(new RegionPlanner.Rule(RegionPlanner.Preference.KIND, 1, true));
    }
  }

  /** Creates the policy with its defaults: rollout, reuse and recalls on, no task rejected. */
  public static RolloutQos of(RegionLayout layout) {
    return builder(layout).build();
  }

  /** Starts to describe a policy for a layout. */
  public static Builder builder(RegionLayout layout) {
    return new Builder(layout);
  }

  /** Returns the region a worker is, or null if it is none of the layout's. */
  public RegionLayout.@Nullable Block regionOf(Worker worker) {
    RegionMap map = started().map;
    int block = map.blockOf(worker);
    return block < 0 ? null : layout.blocks().get(block);
  }

  @Override
  public String name() {
    return looksAhead ? "QoS-rollout" : "QoS-merge";
  }

  @Override
  public Set<Capability> requirements() {
    return Set.of(Capability.DEADLINES, Capability.VARIANTS, Capability.REGIONS);
  }

  @Override
  public void onStart(SchedulingContext context) {
    State started = new State(layout, context.pools());
    state = started;
    started.map.keep(true, context);
  }

  @Override
  public void onSubmit(Task task, SchedulingContext context) {
    State s = started();
    int job = s.table.add(task, s.map, context);
    if (s.table.fitsNowhere(job) && spillPool(task, s, context) == null) {
      s.table.remove(job);
      context.reject(task, RejectReason.NO_CAPABLE_WORKER);
      return;
    }
    Recall recall = recalls.isEmpty() ? null : recalls.get(task.id());
    s.table.recalls[job] = recall == null ? 0 : recall.count;
    s.table.demoted[job] = recall != null && recall.wasDemoted;
    s.arrivals.append(job);
    context.wakeAtInstantEnd();
  }

  @Override
  public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
    if (!recalls.isEmpty()) {
      recalls.remove(task.id());
    }
    if (worker == null) {
      forget(task, started());
    }
    context.wakeAtInstantEnd();
  }

  @Override
  public void onWorkerGone(Worker worker, SchedulingContext context) {
    started().map.forget(worker);
    if (worker.state() == Worker.State.LOST) {
      context.wakeAtInstantEnd();
    }
  }

  @Override
  public void onDrain(SchedulingContext context) {
    draining = true;
    letGoWhenDone(started(), context);
  }

  @Override
  public void onInstantEnd(SchedulingContext context) {
    State s = started();
    vacateIdle(s.map);
    boolean anyNew = s.arrivals.size() > 0;
    sortIn(s, context.nowNanos());
    if (anyNew && tellsOutlook) {
      admit(s, context);
    }
    s.arrivals.clear();
    if (s.leastAreaFirst.size() > 0) {
      RegionPlanner.Plan plan = decide(s, context);
      for (int i = 0; i < plan.size; i++) {
        start(plan.jobs[i], plan.blocks[i], s, context);
      }
      spill(s, context);
    }
    letGoWhenDone(s, context);
  }

  // ---------------------------------------------------------------- the queue

  /** Demotes what can no longer be on time, and sorts in what arrived. O(n). */
  private void sortIn(State s, long nowNanos) {
    int kept = 0;
    JobQueue urgent = s.urgentFirst;
    for (int i = 0; i < urgent.size(); i++) {
      int job = urgent.get(i);
      if (s.table.isFeasible(job, nowNanos)) {
        urgent.set(kept++, job);
      } else {
        s.shortestFirst.remove(job);
        demote(job, s, nowNanos);
      }
    }
    urgent.truncate(kept);
    for (int i = 0; i < s.arrivals.size(); i++) {
      int job = s.arrivals.get(i);
      s.leastAreaFirst.insert(job);
      if (s.table.demoted[job]) {
        continue;
      }
      if (s.table.isFeasible(job, nowNanos)) {
        urgent.insert(job);
        s.shortestFirst.insert(job);
      } else {
        demote(job, s, nowNanos);
      }
    }
  }

  private void demote(int job, State s, long nowNanos) {
    s.table.demoted[job] = true;
    observer.onDemoted(s.table.task(job), nowNanos);
  }

  private static void remove(int job, State s) {
    s.leastAreaFirst.remove(job);
    if (!s.table.demoted[job]) {
      s.urgentFirst.remove(job);
      s.shortestFirst.remove(job);
    }
    s.table.remove(job);
  }

  /** Removes a held task that was cancelled or rejected. */
  private static void forget(Task task, State s) {
    for (int i = 0; i < s.arrivals.size(); i++) {
      int job = s.arrivals.get(i);
      if (s.table.taskIds[job] == task.id()) {
        s.arrivals.removeAt(i);
        s.table.remove(job);
        return;
      }
    }
    for (int i = 0; i < s.leastAreaFirst.size(); i++) {
      int job = s.leastAreaFirst.get(i);
      if (s.table.taskIds[job] == task.id()) {
        remove(job, s);
        return;
      }
    }
  }

  /** Tells the host what to expect, and turns hopeless tasks away if it asked for that. */
  private void admit(State s, SchedulingContext context) {
    long now = context.nowNanos();
    s.planner.foresee(DEFAULT_RULE, now, -1, Integer.MAX_VALUE, s.plan);
    for (int i = 0; i < s.arrivals.size(); i++) {
      int job = s.arrivals.get(i);
      Task task = s.table.task(job);
      if (s.table.recalls[job] > 0) {
        continue;
      }
      Outlook outlook = outlook(job, s, context);
      context.foresee(task, outlook);
      if (rejectsHopeless && outlook == Outlook.HOPELESS) {
        s.hopeless.append(job);
      }
    }
    for (int i = 0; i < s.hopeless.size(); i++) {
      Task task = s.table.task(s.hopeless.get(i));
      s.arrivals.remove(s.hopeless.get(i));
      context.reject(task, RejectReason.DEADLINE_UNREACHABLE); // comes back to forget
    }
    s.hopeless.clear();
  }

  private static Outlook outlook(int job, State s, SchedulingContext context) {
    if (!s.table.demoted[job]) {
      return s.planner.isForeseenLate(job) ? Outlook.LATE : Outlook.ON_TIME;
    }
    Task task = s.table.task(job);
    WorkerPool pool = spillPool(task, s, context);
    Variant variant = pool == null ? null : context.variant(task, pool);
    boolean couldSpill =
        variant != null
            && variant.serviceNanos(task.sizeNanos()) <= task.deadlineNanos() - context.nowNanos();
    return couldSpill ? Outlook.LATE : Outlook.HOPELESS;
  }

  // ---------------------------------------------------------------- decisions

  private RegionPlanner.Plan decide(State s, SchedulingContext context) {
    long now = context.nowNanos();
    boolean isFull = s.map.busySlots == s.map.allSlots();
    if (!looksAhead || s.urgentFirst.size() == 0) {
      s.planner.plan(DEFAULT_RULE, now, s.plan);
      return s.plan;
    }
    if (isFull && !mayRecall(s)) {
      s.plan.size = 0;
      return s.plan;
    }
    int late = s.planner.foresee(DEFAULT_RULE, now, -1, Integer.MAX_VALUE, s.plan);
    if (late == 0) {
      return s.plan;
    }
    for (int i = 0; i < alternatives.size() && !isFull; i++) {
      if (s.planner.foresee(alternatives.get(i), now, -1, late, s.otherPlan) < late) {
        return s.otherPlan;
      }
    }
    recallOne(s, late, context);
    return s.plan;
  }

  private boolean mayRecall(State s) {
    for (int block = 0; block < s.map.workers.length; block++) {
      if (isRecallable(block, s)) {
        return true;
      }
    }
    return false;
  }

  private boolean isRecallable(int block, State s) {
    Worker worker = s.map.workers[block];
    return worker != null
        && worker.state() == Worker.State.BUSY
        && s.recallsLeft[block] > 0
        && worker.availableAtNanos() > s.deadlines[block];
  }

  /** Takes back the surely late run whose region saves a job, if there is one. */
  private void recallOne(State s, int late, SchedulingContext context) {
    for (int block = 0; block < s.map.workers.length; block++) {
      Worker worker = s.map.workers[block];
      if (worker != null
          && isRecallable(block, s)
          && s.planner.foresee(DEFAULT_RULE, context.nowNanos(), block, late, s.otherPlan) < late
          && context.recall(worker)) {
        int count = maxRecalls - s.recallsLeft[block] + 1;
        recalls.put(s.runningIds[block], new Recall(count, s.runsDemoted[block]));
        s.recallsLeft[block] = 0;
        return;
      }
    }
  }

  private void start(int job, int block, State s, SchedulingContext context) {
    int kind = layout.blocks().get(block).kind();
    Variant variant = s.table.variant(job, kind);
    Worker worker = s.map.claim(block, variant, false, context);
    if (worker != null) {
      s.deadlines[block] = s.table.deadlines[job];
      s.runningIds[block] = s.table.taskIds[job];
      s.runsDemoted[block] = s.table.demoted[job];
      s.recallsLeft[block] = maxRecalls - s.table.recalls[job];
      Task task = s.table.task(job);
      remove(job, s);
      context.assign(task, worker, variant);
    }
  }

  /** Gives demoted tasks to idle workers outside the layout, least area time first. */
  private void spill(State s, SchedulingContext context) {
    if (s.spillPools.isEmpty()) {
      return;
    }
    for (int i = 0; i < s.leastAreaFirst.size(); i++) {
      int job = s.leastAreaFirst.get(i);
      if (!s.table.demoted[job]) {
        continue;
      }
      Task task = s.table.task(job);
      WorkerPool pool = spillPool(task, s, context);
      Worker worker = pool == null ? null : idleWorker(pool, context);
      if (worker != null) {
        remove(job, s);
        context.assign(task, worker);
        i--;
      }
    }
  }

  private static @Nullable WorkerPool spillPool(Task task, State s, SchedulingContext context) {
    for (int i = 0; i < s.spillPools.size(); i++) {
      WorkerPool pool = s.spillPools.get(i);
      if (!context.variants(task, pool).isEmpty()) {
        return pool;
      }
    }
    return null;
  }

  private static @Nullable Worker idleWorker(WorkerPool pool, SchedulingContext context) {
    Worker worker = pool.latestAvailable(context.nowNanos());
    return worker != null && worker.load() == 0 ? worker : context.provision(pool);
  }

  // ---------------------------------------------------------------- regions

  /** Frees regions whose run ended, however it ended. */
  private static void vacateIdle(RegionMap map) {
    for (int block = 0; block < map.workers.length; block++) {
      Worker worker = map.workers[block];
      if (worker != null && worker.load() == 0) {
        map.vacate(block);
      }
    }
  }

  private void letGoWhenDone(State s, SchedulingContext context) {
    if (draining && s.arrivals.size() == 0 && s.leastAreaFirst.size() == 0) {
      s.map.keep(false, context);
    }
  }

  private State started() {
    return Objects.requireNonNull(state, "policy QoS-rollout was not started");
  }

  /**
   * Remembers a task that was taken back.
   *
   * @param count how often
   * @param wasDemoted whether it was demoted before
   */
  private record Recall(int count, boolean wasDemoted) {}

  /** Holds what exists from the start of a run. */
  private static final class State {
    final RegionMap map;
    final JobTable table;
    final JobQueue arrivals;
    final JobQueue urgentFirst;
    final JobQueue shortestFirst;
    final JobQueue leastAreaFirst;
    final JobQueue hopeless;
    final RegionPlanner planner;
    final RegionPlanner.Plan plan;
    final RegionPlanner.Plan otherPlan;
    final List<WorkerPool> spillPools = new ArrayList<>();
    final long[] deadlines;
    final long[] runningIds;
    final boolean[] runsDemoted;
    final int[] recallsLeft;

    State(RegionLayout layout, List<WorkerPool> pools) {
      map = new RegionMap(layout, pools);
      table = new JobTable(map);
      arrivals = new JobQueue(table, JobQueue.Key.NONE);
      urgentFirst = new JobQueue(table, JobQueue.Key.DEADLINE);
      shortestFirst = new JobQueue(table, JobQueue.Key.SHORTEST);
      leastAreaFirst = new JobQueue(table, JobQueue.Key.AREA_TIME);
      hopeless = new JobQueue(table, JobQueue.Key.NONE);
      planner = new RegionPlanner(map, table, urgentFirst, shortestFirst, leastAreaFirst);
      plan = new RegionPlanner.Plan(layout.slots());
      otherPlan = new RegionPlanner.Plan(layout.slots());
      int blocks = layout.blocks().size();
      deadlines = new long[blocks];
      runningIds = new long[blocks];
      runsDemoted = new boolean[blocks];
      recallsLeft = new int[blocks];
      for (WorkerPool pool : pools) {
        boolean isRegion = List.of(map.pools).contains(pool);
        if (!isRegion && !pool.type().name().equals(RegionFleet.NOWHERE)) {
          spillPools.add(pool);
        }
      }
    }
  }

  /** Builds a {@link RolloutQos}. A policy keeps state: build one per run. */
  public static final class Builder {
    private final RegionLayout layout;
    private boolean looksAhead = true;
    private int maxRecalls = DEFAULT_MAX_RECALLS;
    private boolean rejectsHopeless;
    private QosObserver observer = QosObserver.NONE;
    private boolean tellsOutlook;

    private Builder(RegionLayout layout) {
      this.layout = layout;
    }

    /** Turns rollout off; the default rule then decides every pass, and nothing is taken back. */
    public Builder withoutRollout() {
      looksAhead = false;
      return this;
    }

    /** Sets how often a surely late run may be taken back; 0 for never. */
    public Builder maxRecalls(int value) {
      if (value < 0) {
        throw InvalidInputException.of("max recalls", value, "must be >= 0", "use 0 for never");
      }
      maxRecalls = value;
      return this;
    }

    /** Tells the outlook, and rejects tasks whose deadline not even an idle fleet could meet. */
    public Builder rejectHopeless() {
      rejectsHopeless = true;
      return this;
    }

    /**
     * Tells the host at submission what to expect, see {@link SchedulingContext#foresee}; costs one
     * more simulation of the known tasks for each instant with arrivals.
     */
    public Builder tellOutlook() {
      tellsOutlook = true;
      return this;
    }

    /** Sets who learns of demotions. */
    public Builder observedBy(QosObserver value) {
      observer = value;
      return this;
    }

    /** Builds the policy. */
    public RolloutQos build() {
      return new RolloutQos(this);
    }
  }
}
