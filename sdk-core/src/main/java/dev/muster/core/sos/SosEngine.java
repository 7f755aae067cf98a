package dev.muster.core.sos;

import dev.muster.api.InvalidInputException;
import dev.muster.core.sos.SosParameters.Mode;
import dev.muster.core.sos.SosParameters.Structure;
import dev.muster.core.sos.SosParameters.Ties;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Assigns jobs to machines by stochastic online scheduling and says when each is released (Jäger;
 * Hercules, Stannic and BoostedSOSA in hardware).
 *
 * <p>Each machine has a virtual schedule in the order of T = floor(2^shift * weight / ept). A job
 * goes where it raises the weighted completion time of the virtual schedules least:
 *
 * <pre>{@code
 * cost(j, i) = W (e + sum of remE over HIGH) + e * sum of remW over LOW      W = 2^shift * weight
 * HIGH = {K: T_K > T_j}, LOW = the rest
 * }</pre>
 *
 * <p>Each tick the head of every virtual schedule gets a unit of work; after alpha units it is
 * released and committed to its machine, where it runs behind those released before.
 *
 * <p>Ties go to the lowest machine; when no machine is full and all costs are equal, to the next in
 * a round. A job that finds all machines full waits, and those behind it with it.
 *
 * <p>Virtual time jumps from event to event. A driver alternates {@link #advanceTo} and {@link
 * #submit}; {@link #drain} ends a run. Nothing is allocated once the structures have grown: O(M log
 * n) a decision, O(log M) a release, for M machines with n jobs each. Not thread-safe.
 */
public final class SosEngine {
  /** Stands for the machine of a job that waits for one. */
  public static final int WAITING = -1;

  /** Stands for the expected time of a job on a machine that cannot run it. */
  public static final long CANNOT_RUN = 0;

  private final SosParameters parameters;
  private final SosListener listener;
  private final int machines;
  private final int depth;
  private final int shift;
  private final long maxEpt;
  private final boolean isHardware;

  /** Subtracted from a ratio to get the threshold that parts HIGH from LOW. */
  private final long tieStep;

  private final VirtualSchedule[] schedules;
  private final boolean[] closed;
  private final ReleaseTree releases;
  private final WaitingJobs waiting;
  private final long[] waitingEpts;
  private final long[] waitingAlphas;

  private long nowTick;
  private long scheduled;
  private int unavailable;
  private int roundRobin;
  private long chosenCost;

  /** Whether the first waiting job found no machine since the last release. */
  private boolean blocked;

  // Hardware mode: the decision of this tick, which is inserted at its end.
  private int pendingMachine = WAITING;
  private long pendingJob;
  private long pendingWeight;
  private long pendingEpt;
  private long pendingAlpha;

  private SosEngine(SosParameters parameters, SosListener listener) {
    this.parameters = parameters;
    this.listener = listener;
    machines = parameters.machines();
    depth = parameters.depth();
    shift = parameters.shift();
    maxEpt = parameters.maxEptTicks();
    isHardware = parameters.mode() == Mode.HARDWARE;
    tieStep = parameters.ties() == Ties.FIFO ? 1 : 0;
    schedules = new VirtualSchedule[machines];
    for (int i = 0; i < machines; i++) {
      schedules[i] =
          parameters.structure() == Structure.SCAN ? new ScanSchedule() : new SuffixSumSchedule();
    }
    closed = new boolean[machines];
    releases = new ReleaseTree(machines);
    waiting = new WaitingJobs(machines);
    waitingEpts = new long[machines];
    waitingAlphas = new long[machines];
  }

  /** Creates an engine at tick 0, without jobs. */
  public static SosEngine create(SosParameters parameters, SosListener listener) {
    return new SosEngine(parameters, listener);
  }

  /** Returns the parameters. */
  public SosParameters parameters() {
    return parameters;
  }

  /** Returns the current tick; all work of the ticks before it is done. */
  public long nowTick() {
    return nowTick;
  }

  /** Returns the number of jobs that wait for a slot. */
  public int waiting() {
    return waiting.size();
  }

  /** Returns the number of jobs that are not released, those that wait included. */
  public long open() {
    return scheduled + waiting.size() + (pendingMachine == WAITING ? 0 : 1);
  }

  /** Returns the number of jobs in a machine's virtual schedule. */
  public int size(int machine) {
    return schedules[machine].size();
  }

  /** Returns the jobs in a machine's virtual schedule, head first. */
  public long[] jobs(int machine) {
    return schedules[machine].jobs();
  }

  /** Returns the cost of the last decision. */
  public long chosenCost() {
    return chosenCost;
  }

  /**
   * Returns the first tick, from now on, in which something happens on its own, or {@link
   * Long#MAX_VALUE}: the time to wake up for.
   */
  public long nextEventTick() {
    boolean steps = pendingMachine != WAITING || (waiting.size() > 0 && !blocked);
    return steps ? nowTick : releases.firstTick();
  }

  /**
   * Takes a job that arrives now; it is released after the parameters' alpha.
   *
   * @see #submit(long, long, long[], long[])
   */
  public int submit(long job, long weight, long[] eptTicks) {
    check(job, weight, eptTicks);
    return take(job, weight, eptTicks, null);
  }

  /**
   * Takes a job that arrives now and decides, unless it has to wait: for a slot, or in hardware
   * mode for the next tick.
   *
   * @param job a name, unique among open jobs
   * @param weight 1 to the parameters' bound
   * @param eptTicks expected time per machine, 1 to the parameters' bound, or {@link #CANNOT_RUN};
   *     not kept
   * @param alphaTicks virtual work to the release per machine, from 1; not kept
   * @return the machine, or {@link #WAITING}
   * @throws InvalidInputException if a value is out of range
   */
  public int submit(long job, long weight, long[] eptTicks, long[] alphaTicks) {
    check(job, weight, eptTicks);
    checkAlphas(job, eptTicks, alphaTicks);
    return take(job, weight, eptTicks, alphaTicks);
  }

  private int take(long job, long weight, long[] epts, long @Nullable [] given) {
    if (waiting.size() == 0) {
      int machine = pendingMachine == WAITING ? decide(weight, epts) : WAITING;
      if (machine != WAITING) {
        long ept = epts[machine];
        place(
            machine, job, weight, ept, given == null ? parameters.alphaTicks(ept) : given[machine]);
        return machine;
      }
      blocked = pendingMachine == WAITING;
    }
    for (int i = 0; i < machines; i++) {
      waitingAlphas[i] = given == null ? parameters.alphaTicks(epts[i]) : given[i];
    }
    waiting.add(job, weight, epts, waitingAlphas);
    return WAITING;
  }

  /**
   * Chooses the machine of the least cost among those that have a slot, on the current state.
   *
   * @return the machine, or {@link #WAITING} if none has
   */
  private int decide(long weight, long[] epts) {
    long shifted = weight << shift;
    int best = WAITING;
    long bestCost = Long.MAX_VALUE;
    boolean mayRotate = unavailable == 0;
    for (int i = 0; i < machines; i++) {
      long ept = epts[i];
      if (ept == CANNOT_RUN || isUnavailable(i)) {
        mayRotate = false;
        continue;
      }
      long cost = schedules[i].cost(shifted, ept, ratio(shifted, ept) - tieStep, nowTick);
      mayRotate &= best == WAITING || cost == bestCost;
      if (cost < bestCost) {
        best = i;
        bestCost = cost;
      }
    }
    chosenCost = bestCost;
    if (mayRotate) {
      best = roundRobin;
      roundRobin = (roundRobin + 1) % machines;
    }
    return best;
  }

  /** Returns floor(weight / ept): exact, since both are below 2^53, and faster than on longs. */
  private static long ratio(long weight, long ept) {
    return (long) ((double) weight / ept);
  }

  private boolean isUnavailable(int machine) {
    return unavailable > 0 && (closed[machine] || schedules[machine].size() >= depth);
  }

  private void place(int machine, long job, long weight, long ept, long alpha) {
    listener.onAssigned(job, machine, nowTick, chosenCost);
    if (isHardware) {
      pendingMachine = machine;
      pendingJob = job;
      pendingWeight = weight;
      pendingEpt = ept;
      pendingAlpha = alpha;
    } else {
      insert(machine, job, weight, ept, alpha, nowTick);
    }
  }

  private void insert(int machine, long job, long weight, long ept, long alpha, long firstTick) {
    VirtualSchedule schedule = schedules[machine];
    long shifted = weight << shift;
    long ratio = ratio(shifted, ept);
    schedule.insert(job, ratio, shifted, ept, alpha, ratio - tieStep, firstTick);
    scheduled++;
    if (schedule.size() == depth && !closed[machine]) {
      unavailable++;
    }
    releases.set(machine, schedule.releaseTick());
  }

  /**
   * Does everything that happens before a tick.
   *
   * @param tick not before {@link #nowTick()}
   */
  public void advanceTo(long tick) {
    if (tick < nowTick) {
      throw new IllegalArgumentException("tick " + tick + " is before " + nowTick);
    }
    while (nowTick < tick) {
      long next = nextEventTick();
      if (next >= tick) {
        nowTick = tick;
      } else {
        nowTick = next;
        step();
      }
      admitWaiting();
    }
  }

  /** Runs until every job is released; returns the tick after the last release. */
  public long drain() {
    admitWaiting();
    while (nextEventTick() != Long.MAX_VALUE) {
      nowTick = nextEventTick();
      step();
      admitWaiting();
    }
    return nowTick;
  }

  /** Ends the current tick: one unit of work on every machine, then the pending insertion. */
  private void step() {
    while (releases.firstTick() == nowTick) {
      int machine = releases.first();
      VirtualSchedule schedule = schedules[machine];
      if (schedule.size() == depth && !closed[machine]) {
        unavailable--;
      }
      long job = schedule.release();
      scheduled--;
      blocked = false;
      releases.set(machine, schedule.releaseTick());
      listener.onReleased(job, machine, nowTick);
    }
    nowTick++;
    if (pendingMachine != WAITING) {
      int machine = pendingMachine;
      pendingMachine = WAITING;
      insert(machine, pendingJob, pendingWeight, pendingEpt, pendingAlpha, nowTick);
    }
  }

  /** Decides waiting jobs at the start of a tick: all that find a slot, in hardware mode one. */
  private void admitWaiting() {
    while (waiting.size() > 0 && !blocked && pendingMachine == WAITING) {
      waiting.firstEpts(waitingEpts);
      int machine = decide(waiting.firstWeight(), waitingEpts);
      if (machine == WAITING) {
        blocked = true;
        return;
      }
      waiting.firstAlphas(waitingAlphas);
      long job = waiting.firstJob();
      long weight = waiting.firstWeight();
      waiting.removeFirst();
      place(machine, job, weight, waitingEpts[machine], waitingAlphas[machine]);
    }
  }

  /**
   * Forgets a job that is not released. O(open jobs).
   *
   * @return whether it was there
   */
  public boolean cancel(long job) {
    if (pendingMachine != WAITING && pendingJob == job) {
      pendingMachine = WAITING;
      return true;
    }
    if (waiting.remove(job)) {
      blocked = false;
      return true;
    }
    for (int i = 0; i < machines; i++) {
      boolean wasFull = schedules[i].size() == depth;
      if (schedules[i].remove(job, nowTick)) {
        scheduled--;
        blocked = false;
        unavailable -= wasFull && !closed[i] ? 1 : 0;
        releases.set(i, schedules[i].releaseTick());
        return true;
      }
    }
    return false;
  }

  /** Takes a machine out of the choice; its jobs stay. Idempotent. */
  public void close(int machine) {
    if (!closed[machine]) {
      unavailable += schedules[machine].size() >= depth ? 0 : 1;
      closed[machine] = true;
    }
  }

  /** Puts a machine into the choice again. Idempotent. */
  public void open(int machine) {
    if (closed[machine]) {
      closed[machine] = false;
      unavailable -= schedules[machine].size() >= depth ? 0 : 1;
      blocked = false;
    }
  }

  private void check(long job, long weight, long[] epts) {
    long bad = (weight - 1) | (parameters.maxWeight() - weight);
    long any = 0;
    for (int i = 0; i < machines; i++) {
      bad |= epts[i] | (maxEpt - epts[i]);
      any |= epts[i];
    }
    if (bad < 0 || any == 0) {
      throw InvalidInputException.of(
          "SOS job " + job + " weight and times (ticks)",
          weight + " and " + Arrays.toString(epts),
          "must be from 1 to "
              + parameters.maxWeight()
              + " and from 1 to "
              + maxEpt
              + ", with a time for one machine at least",
          "clamp them, or raise the bounds of SosParameters");
    }
  }

  private void checkAlphas(long job, long[] epts, long[] alphas) {
    for (int i = 0; i < machines; i++) {
      if (epts[i] != CANNOT_RUN && (alphas[i] < 1 || alphas[i] > epts[i])) {
        throw InvalidInputException.of(
            "SOS job " + job + " alpha on machine " + i + " (ticks)",
            alphas[i],
            "must be between 1 and its expected time, " + epts[i],
            "clamp it");
      }
    }
  }
}
