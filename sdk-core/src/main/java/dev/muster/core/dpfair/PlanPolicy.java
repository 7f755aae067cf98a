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
import java.util.List;
import java.util.PriorityQueue;
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
 * {@link PlanLedger} adds up what that means for the batches. Work per event: O(lanes + pieces of a
 * lane in the slice), an admission O(slices to the deadline times tiles).
 */
public final class PlanPolicy implements SchedulingPolicy {
  private final PlacementProblem problem;
  private final Timetable timetable;
  private final boolean replaces;
  private final List<Lane> lanes = new ArrayList<>();
  private final SlackTable slack = new SlackTable();
  private final PriorityQueue<Admitted> admitted =
      new PriorityQueue<>(
          Comparator.<Admitted>comparingLong(a -> a.promise.startNanos())
              .thenComparingLong(a -> a.taskId));
  private boolean draining;
  private boolean ticking;

  /** Holds an aperiodic task with its promise. */
  private record Admitted(Task task, long taskId, SlackTable.Promise promise) {}

  private PlanPolicy(PlacementPlan plan, @Nullable Placer placer) {
    problem = plan.problem();
    timetable = new Timetable(plan, placer);
    replaces = placer == null;
    List<Integer> types = PlanFleet.of(problem).typeOfTile();
    for (int tile = 0; tile < plan.tiles(); tile++) {
      lanes.add(new Lane(tile, types.get(tile)));
    }
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

  /** Returns when a slice starts; slice 0 of a mirrored plan waits for its first images. */
  public long sliceStartNanos(long slice) {
    return timetable.startNanos(slice);
  }

  /** Returns the pieces of a slice under the plan in force, lane by lane. */
  public List<PlanPiece> pieces(long slice) {
    return timetable.pieces(slice);
  }

  /** Returns the tasks that re-planning left out, in the order of the decisions. */
  public List<String> leftOut() {
    return timetable.leftOut();
  }

  /** Returns how often the tasks were placed anew. */
  public int replans() {
    return timetable.replans();
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
      lane.release(piece);
      lane.insert(new Lane.Waiting(task, piece));
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
      lanes.get(piece.lane()).release(piece);
      lanes.get(piece.lane()).queue.removeIf(w -> w.piece().equals(piece));
      if (piece.divided()) {
        serveOthers(piece.lane(), context);
      }
    } else {
      admitted.removeIf(a -> a.taskId == task.id()); // the host may have withdrawn it
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
    } else if (!replaces && worker.state() == Worker.State.LOST) {
      lane.worker = null;
      timetable.replan(lanes.stream().filter(l -> l.worker != null).toList(), context.nowNanos());
      admitAnew(context);
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

  /** Starts the first piece of a lane if it is due and the lane is free, shedding what is late. */
  private void serve(Lane lane, SchedulingContext context) {
    shed(lane, context);
    if (lane.queue.isEmpty()) {
      return;
    }
    Lane.Waiting first = lane.queue.get(0);
    Worker worker = lane.worker;
    if (worker == null || context.nowNanos() < lane.dueNanos(first.piece())) {
      return;
    }
    if (worker.load() > 0) {
      if (lane.running == null) {
        context.recall(worker); // an aperiodic run that outlasts its promise
      }
      return;
    }
    if (wouldOverlap(lane, first.piece(), context.nowNanos())) {
      return;
    }
    lane.queue.remove(0);
    lane.running = first.piece();
    lane.runsFromNanos = lane.executeNanos(first.piece(), context.nowNanos());
    Variant variant =
        variantOf(first.task(), first.piece(), context.pools().get(lane.type), context);
    context.assign(first.task(), worker, variant);
  }

  /** Rejects pieces of least weight until the lane can do the rest of its slice in time. */
  private void shed(Lane lane, SchedulingContext context) {
    while (!lane.queue.isEmpty() && !lane.fits(context.nowNanos())) {
      context.reject(lane.takeLeast(), RejectReason.DEADLINE_UNREACHABLE);
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
    long from = lane.executeNanos(piece, nowNanos);
    long to = from + piece.serviceNanos();
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
        long due = lane.dueNanos(lane.queue.get(0).piece());
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

  // ---------------------------------------------------------------- aperiodic tasks

  /** Promises an aperiodic task a gap, or rejects it. */
  private void admit(Task task, SchedulingContext context) {
    long nowNanos = context.nowNanos();
    SlackTable.Promise promise =
        draining
            ? null
            : slack.promise(timetable, costs(task, context), nowNanos, task.deadlineNanos());
    if (promise == null) {
      context.reject(task, RejectReason.DEADLINE_UNREACHABLE);
      return;
    }
    admitted.add(new Admitted(task, task.id(), promise));
    startAdmitted(context);
  }

  /** Returns what a task takes on a lane, its image included; -1 where it cannot run. */
  private SlackTable.Costs costs(Task task, SchedulingContext context) {
    return number -> {
      Lane lane = lanes.get(number);
      WorkerPool pool = context.pools().get(lane.type);
      Variant variant = context.variant(task, pool);
      return lane.worker == null || variant == null
          ? -1
          : pool.type().loadNanos() + variant.serviceNanos(task.sizeNanos());
    };
  }

  /** Promises all that waits for a gap another one: the new plan has its gaps elsewhere. */
  private void admitAnew(SchedulingContext context) {
    List<Admitted> before = new ArrayList<>();
    while (!admitted.isEmpty()) {
      before.add(admitted.remove());
    }
    slack.clear();
    before.forEach(a -> admit(a.task, context));
  }

  private void startAdmitted(SchedulingContext context) {
    while (!admitted.isEmpty() && admitted.peek().promise.startNanos() <= context.nowNanos()) {
      Admitted next = admitted.remove();
      Lane lane = lanes.get(next.promise.lane());
      Worker worker = lane.worker;
      boolean free = worker != null && worker.load() == 0 && lane.queue.isEmpty();
      if (worker != null && free && worker.state() == Worker.State.IDLE) {
        context.assign(next.task, worker);
      } else {
        admit(next.task, context);
      }
    }
  }
}
