package dev.muster.core.dpfair;

import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingContext;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a {@link PlacementPlan} through the engine, slice after slice.
 *
 * <p>Tasks whose payload is a {@link PlanPiece} are segments of the plan: each goes to its worker
 * (its <em>lane</em>) when the plan says, loading its image in the time that the plan set aside.
 * All other tasks are aperiodic: they are admitted only if a gap of the plan ends them by their
 * deadline, and rejected otherwise.
 *
 * <p>When something goes wrong the slice is the unit of repair:
 *
 * <ul>
 *   <li>A piece whose load or run failed is tried again on its lane at once. A lane that fell
 *       behind starts its pieces as early as it can.
 *   <li>If a lane cannot do all its pieces before the slice ends, those of least weight are shed
 *       (rejected as {@link RejectReason#DEADLINE_UNREACHABLE}; ties: the last one).
 *   <li>A run that is still going on when the next slice starts is taken back and shed. An
 *       aperiodic run is taken back as soon as its lane is needed, and asks for admission again.
 *   <li>A lost worker is replaced if its pool has headroom. With a placer at hand, the tasks are
 *       placed anew on the workers left, from the slice after next on, leaving out tasks of least
 *       weight until a plan exists.
 * </ul>
 *
 * <p>Nothing is lost silently: every piece ends as a completed or rejected or failed task, and
 * {@link PlanLedger} adds up what that means for the batches. Work per event: O(pieces of the lane
 * in the slice), an admission O(slices to the deadline times tiles).
 */
public final class PlanPolicy implements SchedulingPolicy {
  private final PlacementProblem problem;
  private final @Nullable Placer placer;
  private final long originNanos;
  private final TreeMap<Long, Version> versions = new TreeMap<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();
  private final SlackTable slack = new SlackTable();
  private final PriorityQueue<Admitted> admitted =
      new PriorityQueue<>(
          Comparator.<Admitted>comparingLong(a -> a.promise.startNanos())
              .thenComparingLong(a -> a.taskId));
  private int replans;
  private boolean draining;
  private boolean ticking;

  /**
   * Puts a plan into force from a slice on.
   *
   * @param plan the plan
   * @param laneOfTile which lane each tile of the plan is
   * @param lanes number of lanes in all
   */
  record Version(PlacementPlan plan, List<Integer> laneOfTile, int lanes) {
    int lane(int tile) {
      return laneOfTile.get(tile);
    }
  }

  /** Holds a piece that waits for its lane. */
  private record Waiting(Task task, PlanPiece piece) {}

  /** Holds an aperiodic task with its promise. */
  private record Admitted(Task task, long taskId, SlackTable.Promise promise) {}

  /** Follows one worker. */
  private static final class Lane {
    final int number;
    final int type;
    final List<Waiting> queue = new ArrayList<>();
    @Nullable Worker worker;
    @Nullable PlanPiece running;
    long runsFromNanos;

    Lane(int number, int type) {
      this.number = number;
      this.type = type;
    }
  }

  private PlanPolicy(PlacementPlan plan, @Nullable Placer placer) {
    problem = plan.problem();
    this.placer = placer;
    List<Integer> types = PlanFleet.of(problem).typeOfTile();
    List<Integer> identity = new ArrayList<>();
    for (int tile = 0; tile < plan.tiles(); tile++) {
      lanes.add(new Lane(tile, types.get(tile)));
      identity.add(tile);
    }
    versions.put(0L, new Version(plan, identity, lanes.size()));
    long longest = 0;
    for (Card card : problem.cards()) {
      longest = Math.max(longest, card.reconfigureMicros());
    }
    // The first images of a mirrored plan are loaded before its first slice.
    originNanos = problem.mirrored() ? longest * PlanPiece.MICRO : 0;
  }

  /** Creates a policy that keeps to a plan and replaces lost workers as long as there are any. */
  public static PlanPolicy of(PlacementPlan plan) {
    return new PlanPolicy(plan, null);
  }

  /** Creates a policy that places the tasks anew when a worker is lost. */
  public static PlanPolicy replanning(PlacementPlan plan, Placer placer) {
    return new PlanPolicy(plan, placer);
  }

  @Override
  public String name() {
    return "plan";
  }

  /** Returns when slice 0 starts. */
  public long originNanos() {
    return originNanos;
  }

  /** Returns when a slice starts. */
  public long sliceStartNanos(long slice) {
    return originNanos + slice * problem.sliceMicros() * PlanPiece.MICRO;
  }

  /** Returns the tasks that re-planning left out, by falling time of the decision. */
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  /** Returns how often the tasks were placed anew. */
  public int replans() {
    return replans;
  }

  /** Returns the pieces of a slice under the plan in force, lane by lane. */
  public List<PlanPiece> pieces(long slice) {
    Version version = versions.floorEntry(slice).getValue();
    List<PlanPiece> pieces = new ArrayList<>();
    Set<Integer> divided = new HashSet<>(version.plan.splitTasks());
    for (int tile = 0; tile < version.plan.tiles(); tile++) {
      for (Segment segment : version.plan.segmentsInSlice(tile, slice)) {
        pieces.add(
            new PlanPiece(
                version.plan,
                version.lane(tile),
                slice,
                segment,
                divided.contains(segment.task()),
                sliceStartNanos(slice)));
      }
    }
    return pieces;
  }

  // ---------------------------------------------------------------- life cycle

  @Override
  public void onStart(SchedulingContext context) {
    for (WorkerPool pool : context.pools()) {
      context.keep(pool, Integer.MAX_VALUE);
    }
    for (Lane lane : lanes) {
      lane.worker = context.provision(context.pools().get(lane.type));
    }
  }

  @Override
  public void onSubmit(Task task, SchedulingContext context) {
    if (task.payload() instanceof PlanPiece piece) {
      Lane lane = lanes.get(piece.lane());
      release(lane, piece);
      insert(lane, new Waiting(task, piece));
      recallOverrun(lane, piece.slice(), context);
      serve(lane, context);
      wake(context);
    } else {
      // If the run was taken back, somebody waits for its lane.
      lanes.forEach(lane -> serve(lane, context));
      admit(task, context);
      wake(context);
    }
  }

  @Override
  public void onWorkerReady(Worker worker, SchedulingContext context) {
    Lane lane = laneOf(worker);
    if (lane != null) {
      serve(lane, context);
      wake(context);
    }
  }

  @Override
  public void onTaskDone(Task task, @Nullable Worker worker, SchedulingContext context) {
    if (task.payload() instanceof PlanPiece piece) {
      release(lanes.get(piece.lane()), piece);
      lanes.get(piece.lane()).queue.removeIf(w -> w.piece.equals(piece));
      if (piece.divided()) {
        serveOthers(piece.lane(), context);
      }
    }
    Lane lane = worker == null ? null : laneOf(worker);
    if (lane != null) {
      serve(lane, context);
    }
    letGoWhenDone(context);
    wake(context);
  }

  @Override
  public void onWorkerGone(Worker worker, SchedulingContext context) {
    Lane lane = laneOf(worker);
    if (lane == null) {
      return;
    }
    lane.running = null;
    if (draining) {
      lane.worker = null;
    } else if (placer != null && worker.state() == Worker.State.LOST) {
      lane.worker = null;
      replan(context.nowNanos());
    } else {
      lane.worker = context.provision(context.pools().get(lane.type));
    }
    serve(lane, context);
    wake(context);
  }

  @Override
  public void onTick(SchedulingContext context) {
    ticking = true;
    for (Lane lane : lanes) {
      serve(lane, context);
    }
    startAdmitted(context);
    wake(context);
    ticking = false;
  }

  @Override
  public void onDrain(SchedulingContext context) {
    draining = true;
    letGoWhenDone(context);
  }

  private void letGoWhenDone(SchedulingContext context) {
    if (!draining || !admitted.isEmpty()) {
      return;
    }
    for (Lane lane : lanes) {
      if (!lane.queue.isEmpty()) {
        return;
      }
    }
    for (WorkerPool pool : context.pools()) {
      context.keep(pool, 0);
    }
  }

  // ---------------------------------------------------------------- pieces

  private static void insert(Lane lane, Waiting waiting) {
    int at = lane.queue.size();
    while (at > 0 && comesAfter(lane.queue.get(at - 1).piece, waiting.piece)) {
      at--;
    }
    lane.queue.add(at, waiting);
  }

  private static boolean comesAfter(PlanPiece a, PlanPiece b) {
    return a.slice() != b.slice()
        ? a.slice() > b.slice()
        : a.segment().startMicros() > b.segment().startMicros();
  }

  /** Starts the first piece of a lane if it is due and the lane is free, shedding what is late. */
  private void serve(Lane lane, SchedulingContext context) {
    shed(lane, context);
    if (lane.queue.isEmpty()) {
      return;
    }
    Waiting first = lane.queue.get(0);
    Worker worker = lane.worker;
    if (worker == null || context.nowNanos() < dueNanos(lane, first.piece)) {
      return;
    }
    if (worker.load() > 0) {
      if (lane.running == null) {
        context.recall(worker); // an aperiodic run that outlasts its promise
      }
      return;
    }
    if (wouldOverlap(lane, first.piece, context.nowNanos())) {
      return;
    }
    lane.queue.remove(0);
    lane.running = first.piece;
    lane.runsFromNanos = executeNanos(lane, first.piece, context.nowNanos());
    Variant variant = variantOf(first.task, first.piece, context.pools().get(lane.type), context);
    context.assign(first.task, worker, variant);
  }

  /** Returns when to hand a piece over so that it executes on time: earlier if it has to load. */
  private long dueNanos(Lane lane, PlanPiece piece) {
    long loadNanos = executeNanos(lane, piece, 0);
    return Math.max(0, piece.executeNanos() - loadNanos);
  }

  private long loadNanos(Lane lane) {
    Worker worker = lane.worker;
    return worker == null ? 0 : worker.type().loadNanos();
  }

  /** Rejects pieces of least weight until the lane can do the rest of its slice in time. */
  private void shed(Lane lane, SchedulingContext context) {
    while (!lane.queue.isEmpty() && !fits(lane, context.nowNanos())) {
      long slice = lane.queue.get(0).piece.slice();
      int least = 0;
      for (int i = 1; i < lane.queue.size(); i++) {
        PlanPiece piece = lane.queue.get(i).piece;
        if (piece.slice() == slice && piece.weight() <= lane.queue.get(least).piece.weight()) {
          least = i;
        }
      }
      context.reject(lane.queue.remove(least).task, RejectReason.DEADLINE_UNREACHABLE);
    }
  }

  /** Tells whether the pieces of the first slice in a lane's queue end before the slice does. */
  private boolean fits(Lane lane, long nowNanos) {
    Worker worker = lane.worker;
    if (worker == null) {
      return false;
    }
    long slice = lane.queue.get(0).piece.slice();
    long at =
        Math.max(nowNanos, worker.load() > 0 ? worker.availableAtNanos() : worker.readyNanos());
    String image = lane.running == null ? worker.image() : lane.running.image();
    for (Waiting waiting : lane.queue) {
      PlanPiece piece = waiting.piece;
      if (piece.slice() == slice) {
        long load = piece.image().equals(image) ? 0 : loadNanos(lane);
        Segment s = piece.segment();
        at = Math.max(at + load, piece.executeNanos());
        at += (s.fillMicros() + s.runMicros()) * PlanPiece.MICRO;
        image = piece.image();
        if (at > piece.sliceEndNanos()) {
          return false;
        }
      }
    }
    return true;
  }

  private static void release(Lane lane, PlanPiece piece) {
    if (piece.equals(lane.running)) {
      lane.running = null;
    }
  }

  /** Takes a run back that has gone on into a later slice. */
  private static void recallOverrun(Lane lane, long slice, SchedulingContext context) {
    PlanPiece running = lane.running;
    Worker worker = lane.worker;
    if (running != null && worker != null && running.slice() < slice) {
      context.recall(worker);
    }
  }

  /** Tells whether a piece started now would execute beside another part of its task. */
  private boolean wouldOverlap(Lane lane, PlanPiece piece, long nowNanos) {
    if (problem.selfParallel() == SelfParallel.ALLOW || !piece.divided()) {
      return false;
    }
    long from = executeNanos(lane, piece, nowNanos);
    long to = from + (piece.segment().fillMicros() + piece.segment().runMicros()) * PlanPiece.MICRO;
    for (Lane other : lanes) {
      PlanPiece running = other.running;
      Worker its = other.worker;
      if (other.number != lane.number
          && running != null
          && its != null
          && running.taskId().equals(piece.taskId())
          && from < its.availableAtNanos()
          && other.runsFromNanos < to) {
        return true;
      }
    }
    return false;
  }

  /** Returns when a piece that is handed over now starts to execute. */
  private long executeNanos(Lane lane, PlanPiece piece, long nowNanos) {
    Worker worker = lane.worker;
    boolean loaded = worker != null && piece.image().equals(worker.image());
    return nowNanos + (loaded ? 0 : loadNanos(lane));
  }

  private void serveOthers(int number, SchedulingContext context) {
    for (Lane lane : lanes) {
      if (lane.number != number) {
        serve(lane, context);
      }
    }
  }

  private static Variant variantOf(
      Task task, PlanPiece piece, WorkerPool pool, SchedulingContext context) {
    for (Variant variant : context.variants(task, pool)) {
      if (piece.image().equals(variant.image())) {
        return variant;
      }
    }
    throw new IllegalStateException(
        "application " + task.application().name() + " has no image " + piece.image());
  }

  private @Nullable Lane laneOf(Worker worker) {
    for (Lane lane : lanes) {
      if (lane.worker != null && lane.worker.id() == worker.id()) {
        return lane;
      }
    }
    return null;
  }

  /**
   * Asks for a tick when the next piece or promise is due. The one request replaces the last, so
   * that what is due at this very instant is asked for again, except by a tick; what was due before
   * waits for an event of its lane.
   */
  private void wake(SchedulingContext context) {
    long earliestNanos = context.nowNanos() + (ticking ? 1 : 0);
    long next = Long.MAX_VALUE;
    for (Lane lane : lanes) {
      if (!lane.queue.isEmpty() && lane.worker != null) {
        long due = dueNanos(lane, lane.queue.get(0).piece);
        next = due >= earliestNanos ? Math.min(next, due) : next;
      }
    }
    Admitted first = admitted.peek();
    if (first != null) {
      next = Math.min(next, Math.max(earliestNanos, first.promise.startNanos()));
    }
    if (next != Long.MAX_VALUE) {
      context.wakeAt(next);
    }
  }

  // ---------------------------------------------------------------- re-planning

  /** Places the tasks anew on the lanes that still have a worker, from the slice after next on. */
  private void replan(long nowNanos) {
    List<Card> cards = new ArrayList<>();
    List<Integer> laneOfTile = new ArrayList<>();
    List<Card> cardOfLane = problem.cardOfTile();
    for (Lane lane : lanes) {
      if (lane.worker != null) {
        Card card = cardOfLane.get(lane.number);
        cards.add(
            new Card(
                "lane-" + lane.number,
                1,
                card.reconfigureMicros(),
                card.speedNumerator(),
                card.speedDenominator(),
                card.idleMicrowatts(),
                card.reconfigureMicrowatts()));
        laneOfTile.add(lane.number);
      }
    }
    long sliceNanos = problem.sliceMicros() * PlanPiece.MICRO;
    long from = Math.max(0, (nowNanos - originNanos) / sliceNanos) + 2;
    List<PeriodicTask> tasks =
        new ArrayList<>(versions.lastEntry().getValue().plan.problem().tasks());
    Placer by = Objects.requireNonNull(placer);
    replans++;
    while (!cards.isEmpty() && !tasks.isEmpty()) {
      PlacementPlan plan = by.place(problem.withCards(cards).withTasks(tasks)).planOrNull();
      if (plan != null) {
        versions.put(from, new Version(plan, laneOfTile, lanes.size()));
        return;
      }
      leaveOut(tasks);
    }
  }

  /** Leaves out the task of least weight (ties: the last) and all that depend on it. */
  private void leaveOut(List<PeriodicTask> tasks) {
    int least = 0;
    for (int i = 1; i < tasks.size(); i++) {
      if (tasks.get(i).weight() <= tasks.get(least).weight()) {
        least = i;
      }
    }
    List<String> gone = new ArrayList<>();
    gone.add(tasks.get(least).id());
    for (int i = 0; i < gone.size(); i++) {
      String id = gone.get(i);
      tasks.stream().filter(t -> id.equals(t.after())).forEach(t -> gone.add(t.id()));
    }
    tasks.removeIf(t -> gone.contains(t.id()));
    leftOut.addAll(gone);
  }

  // ---------------------------------------------------------------- aperiodic tasks

  /** Promises an aperiodic task a gap, or rejects it. */
  private void admit(Task task, SchedulingContext context) {
    long nowNanos = context.nowNanos();
    long sliceNanos = problem.sliceMicros() * PlanPiece.MICRO;
    long slice = Math.max(0, (nowNanos - originNanos) / sliceNanos);
    SlackTable.Promise promise =
        draining
            ? null
            : slack.promise(timetable(task, context), slice, nowNanos, task.deadlineNanos());
    if (promise == null) {
      context.reject(task, RejectReason.DEADLINE_UNREACHABLE);
      return;
    }
    admitted.add(new Admitted(task, task.id(), promise));
    startAdmitted(context);
  }

  private SlackTable.Timetable timetable(Task task, SchedulingContext context) {
    return new SlackTable.Timetable() {
      @Override
      public Version version(long slice) {
        return versions.floorEntry(slice).getValue();
      }

      @Override
      public long startNanos(long slice) {
        return sliceStartNanos(slice);
      }

      @Override
      public long costNanos(Version version, int tile) {
        Lane lane = lanes.get(version.lane(tile));
        WorkerPool pool = context.pools().get(lane.type);
        Variant variant = context.variant(task, pool);
        return lane.worker == null || variant == null
            ? -1
            : pool.type().loadNanos() + variant.serviceNanos(task.sizeNanos());
      }
    };
  }

  private void startAdmitted(SchedulingContext context) {
    while (!admitted.isEmpty() && admitted.peek().promise.startNanos() <= context.nowNanos()) {
      Admitted next = admitted.remove();
      Lane lane = lanes.get(next.promise.lane());
      Worker worker = lane.worker;
      if (worker != null && worker.load() == 0 && worker.state() == Worker.State.IDLE) {
        context.assign(next.task, worker);
      } else {
        admit(next.task, context);
      }
    }
  }
}
