package dev.muster.testkit;

import dev.muster.core.sos.SosParameters.Mode;
import dev.muster.core.sos.SosParameters.Ties;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs stochastic online scheduling tick by tick, every sum by a scan: the oracle for {@link
 * dev.muster.core.sos.SosEngine}, which shares no code with it.
 */
final class NaiveSos {
  private final SosInstance instance;
  private final List<List<Entry>> schedules = new ArrayList<>();
  private int pointer;

  private NaiveSos(SosInstance instance) {
    this.instance = instance;
    for (int i = 0; i < instance.machines(); i++) {
      schedules.add(new ArrayList<>());
    }
  }

  /** Holds a job in a virtual schedule. */
  private static final class Entry {
    final int job;
    final long ratio;
    long time;
    long weight;
    long alpha;

    Entry(int job, long ratio, long time, long weight, long alpha) {
      this.job = job;
      this.ratio = ratio;
      this.time = time;
      this.weight = weight;
      this.alpha = alpha;
    }
  }

  static SosInstance.Outcome run(SosInstance instance) {
    return new NaiveSos(instance).run();
  }

  private SosInstance.Outcome run() {
    List<SosInstance.Job> jobs = instance.jobs();
    SosInstance.Outcome outcome = new SosInstance.Outcome(jobs.size());
    boolean hardware = instance.mode() == Mode.HARDWARE;
    int next = 0;
    for (long tick = 0; outcome.releaseOrder.size() < jobs.size(); tick++) {
      int decided = -1;
      while (next < jobs.size() && jobs.get(next).release() <= tick && anyFree() && decided < 0) {
        decide(next, tick, outcome);
        if (hardware) {
          decided = next;
        } else {
          insert(next, outcome.machine[next]);
        }
        next++;
      }
      work(tick, outcome);
      if (decided >= 0) {
        insert(decided, outcome.machine[decided]);
      }
    }
    return outcome;
  }

  private boolean isFull(int machine) {
    return schedules.get(machine).size() >= instance.depth();
  }

  private boolean anyFree() {
    for (int i = 0; i < instance.machines(); i++) {
      if (!isFull(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isHigh(Entry entry, long ratio) {
    return entry.ratio > ratio || (instance.ties() == Ties.FIFO && entry.ratio == ratio);
  }

  private void decide(int job, long tick, SosInstance.Outcome outcome) {
    int best = -1;
    long bestCost = 0;
    boolean anyFull = false;
    boolean allEqual = true;
    for (int i = 0; i < instance.machines(); i++) {
      long cost = cost(job, i);
      anyFull |= isFull(i);
      allEqual &= cost == cost(job, 0);
      if (!isFull(i) && (best < 0 || cost < bestCost)) {
        best = i;
        bestCost = cost;
      }
    }
    if (!anyFull && allEqual) {
      best = pointer;
      pointer = (pointer + 1) % instance.machines();
    }
    outcome.onAssigned(job, best, tick, bestCost);
  }

  private long cost(int job, int machine) {
    long weight = instance.jobs().get(job).weight() << instance.shift();
    long ept = instance.jobs().get(job).ept()[machine];
    long highTime = 0;
    long lowWeight = 0;
    for (Entry entry : schedules.get(machine)) {
      if (isHigh(entry, weight / ept)) {
        highTime += entry.time;
      } else {
        lowWeight += entry.weight;
      }
    }
    return weight * (ept + highTime) + ept * lowWeight;
  }

  private void insert(int job, int machine) {
    long weight = instance.jobs().get(job).weight() << instance.shift();
    long ept = instance.jobs().get(job).ept()[machine];
    List<Entry> schedule = schedules.get(machine);
    int at = 0;
    while (at < schedule.size() && isHigh(schedule.get(at), weight / ept)) {
      at++;
    }
    long alpha = instance.jobs().get(job).alpha()[machine];
    schedule.add(at, new Entry(job, weight / ept, ept, weight, alpha));
  }

  private void work(long tick, SosInstance.Outcome outcome) {
    for (int i = 0; i < instance.machines(); i++) {
      List<Entry> schedule = schedules.get(i);
      if (!schedule.isEmpty()) {
        Entry head = schedule.get(0);
        head.alpha--;
        if (head.alpha == 0) {
          schedule.remove(0);
          outcome.onReleased(head.job, i, tick);
        } else {
          head.time--;
          head.weight -= head.ratio;
        }
      }
    }
  }
}
