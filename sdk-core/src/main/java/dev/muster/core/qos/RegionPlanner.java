package dev.muster.core.qos;

import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides which queued jobs start now, under one rule, and foresees how many jobs the rule would
 * lose if nothing else arrived.
 *
 * <p>Feasible jobs go in the rule's order; each takes the first kind of region, in the rule's
 * preference, that still meets its deadline and has a free block. Demoted jobs follow, least area
 * time first, once no feasible job waits. At most {@value #WINDOW} waiting jobs are passed over in
 * a pass, which bounds the work: O(n) to start, O(WINDOW * blocks) for each completion foreseen.
 */
final class RegionPlanner {
  /** Bounds how many jobs that find no block are passed over before a pass ends. */
  static final int WINDOW = 32;

  /** Ranks what a job prefers. */
  enum Preference {
    /** Prefers the least product of area and time. */
    AREA_TIME,
    /** Prefers one kind, then the least product of area and time. */
    KIND,
    /** Waits for the one kind preferred, unless it misses the deadline. */
    KIND_STRICTLY
  }

  /**
   * Describes a rule.
   *
   * @param preference how a job ranks the kinds of regions
   * @param kind the kind preferred
   * @param shortestFirst whether short jobs go first instead of urgent ones
   */
  record Rule(Preference preference, int kind, boolean shortestFirst) {}

  /** Lists jobs and the blocks they start on. */
  static final class Plan {
    int size;
    int[] jobs;
    int[] blocks;

    Plan(int slots) {
      jobs = new int[slots];
      blocks = new int[slots];
    }

    private void add(int job, int block) {
      if (size == jobs.length) {
        jobs = Arrays.copyOf(jobs, size * 2);
        blocks = Arrays.copyOf(blocks, size * 2);
      }
      jobs[size] = job;
      blocks[size++] = block;
    }
  }

  private final RegionMap map;
  private final JobTable table;
  private final JobQueue urgentFirst;
  private final JobQueue shortestFirst;
  private final JobQueue leastAreaFirst;
  private final boolean reconfigures;

  private int[] next = new int[0];
  private int[] rankOf = new int[0];
  private int[] jobAt = new int[0];
  private long[] demotedRanks = new long[0];
  private int[] lostIn = new int[0];
  private int simulation;
  private int head;
  private long busySlots;
  private final long[] finishNanos;
  private final boolean[] exists;
  private final @Nullable Variant[] configured;
  private final long[] slotUsedNanos;
  private int late;
  private @Nullable Plan recording;
  private long steps;

  /**
   * Creates a planner over the queues of a policy.
   *
   * @param urgentFirst feasible jobs by deadline
   * @param shortestFirst the same jobs by least service time
   * @param leastAreaFirst all queued jobs by least area time
   */
  RegionPlanner(
      RegionMap map,
      JobTable table,
      JobQueue urgentFirst,
      JobQueue shortestFirst,
      JobQueue leastAreaFirst) {
    this.map = map;
    this.table = table;
    this.urgentFirst = urgentFirst;
    this.shortestFirst = shortestFirst;
    this.leastAreaFirst = leastAreaFirst;
    finishNanos = new long[map.masks.length];
    exists = new boolean[map.masks.length];
    configured = new Variant[map.masks.length];
    slotUsedNanos = new long[map.slotUsedNanos.length];
    boolean loads = false;
    for (int kind = 0; kind < table.kinds; kind++) {
      loads |= table.loadNanos(kind) > 0;
    }
    reconfigures = loads;
  }

  /** Returns how many jobs were looked at so far, the measure of work. */
  long steps() {
    return steps;
  }

  /** Plans one pass. */
  void plan(Rule rule, long nowNanos, Plan plan) {
    load(rule, nowNanos);
    plan.size = 0;
    recording = plan;
    pass(rule, nowNanos);
    recording = null;
  }

  /**
   * Plans one pass and foresees the feasible jobs that would miss their deadlines under the rule.
   *
   * @param freed a block to take as free although it is busy, or -1
   * @param cutoff at which counting stops
   * @return how many jobs would be late, at most about the cutoff
   */
  int foresee(Rule rule, long nowNanos, int freed, int cutoff, Plan plan) {
    load(rule, nowNanos);
    if (freed >= 0) {
      busySlots &= ~map.masks[freed];
      finishNanos[freed] = Long.MAX_VALUE;
    }
    plan.size = 0;
    recording = plan;
    pass(rule, nowNanos);
    recording = null;
    while (head >= 0 && late < cutoff) {
      long nanos = nextFinish();
      if (nanos == Long.MAX_VALUE) {
        late++; // nothing runs and nothing could start: count it rather than loop
        head = next[head];
        continue;
      }
      free(nanos);
      pass(rule, nanos);
    }
    return late;
  }

  /** Tells whether the last simulation, run to its end, lost a job. */
  boolean isForeseenLate(int job) {
    return lostIn[job] == simulation;
  }

  private void load(Rule rule, long nowNanos) {
    if (next.length < table.capacity()) {
      next = new int[table.capacity()];
      rankOf = new int[table.capacity()];
      jobAt = new int[table.capacity()];
      lostIn = new int[table.capacity()];
      demotedRanks = new long[(table.capacity() + 63) / 64];
    }
    JobQueue order = rule.shortestFirst ? shortestFirst : urgentFirst;
    head = -1;
    for (int i = order.size() - 1; i >= 0; i--) {
      int job = order.get(i);
      next[job] = head;
      head = job;
    }
    Arrays.fill(demotedRanks, 0);
    for (int rank = 0; rank < leastAreaFirst.size(); rank++) {
      int job = leastAreaFirst.get(rank);
      rankOf[job] = rank;
      jobAt[rank] = job;
      if (table.demoted[job]) {
        demotedRanks[rank >> 6] |= 1L << rank;
      }
    }
    late = 0;
    simulation++;
    busySlots = map.busySlots;
    System.arraycopy(map.slotUsedNanos, 0, slotUsedNanos, 0, slotUsedNanos.length);
    for (int block = 0; block < finishNanos.length; block++) {
      Worker worker = map.workers[block];
      exists[block] = worker != null;
      configured[block] = map.configured[block];
      finishNanos[block] =
          worker != null && worker.load() > 0
              ? Math.max(nowNanos + 1, worker.availableAtNanos())
              : Long.MAX_VALUE;
    }
  }

  private long nextFinish() {
    long nanos = Long.MAX_VALUE;
    for (long finish : finishNanos) {
      nanos = Math.min(nanos, finish);
    }
    return nanos;
  }

  private void free(long nanos) {
    for (int block = 0; block < finishNanos.length; block++) {
      if (finishNanos[block] == nanos) {
        finishNanos[block] = Long.MAX_VALUE;
        busySlots &= ~map.masks[block];
      }
    }
  }

  private void pass(Rule rule, long nowNanos) {
    int waiting = 0;
    int before = -1;
    int job = head;
    while (job >= 0) {
      if (busySlots == map.allSlots()) {
        return;
      }
      steps++;
      int after = next[job];
      boolean leaves = true;
      if (!table.isFeasible(job, nowNanos)) {
        late++;
        lostIn[job] = simulation;
        demotedRanks[rankOf[job] >> 6] |= 1L << rankOf[job];
      } else {
        int block = blockFor(job, rule, nowNanos);
        if (block >= 0) {
          place(job, block, nowNanos);
        } else {
          leaves = false;
        }
      }
      if (!leaves) {
        before = job;
        if (++waiting == WINDOW) {
          return;
        }
      } else if (before < 0) {
        head = after;
      } else {
        next[before] = after;
      }
      job = after;
    }
    if (waiting == 0) {
      passDemoted(nowNanos);
    }
  }

  private void passDemoted(long nowNanos) {
    int waiting = 0;
    for (int word = 0; word < demotedRanks.length; word++) {
      for (long rest = demotedRanks[word]; rest != 0; rest &= rest - 1) {
        if (busySlots == map.allSlots() || waiting == WINDOW) {
          return;
        }
        steps++;
        int rank = (word << 6) + Long.numberOfTrailingZeros(rest);
        int job = jobAt[rank];
        int block = anyBlockFor(job);
        if (block >= 0) {
          place(job, block, nowNanos);
          demotedRanks[word] &= ~(1L << rank);
        } else {
          waiting++;
        }
      }
    }
  }

  private int anyBlockFor(int job) {
    for (int i = 0; i < table.kinds; i++) {
      int kind = table.kindsByAreaTime[job * table.kinds + i];
      if (table.fits(job, kind)) {
        int block = freeBlock(kind, table.variants[job * table.kinds + kind]);
        if (block >= 0) {
          return block;
        }
      }
    }
    return -1;
  }

  private int blockFor(int job, Rule rule, long nowNanos) {
    boolean prefers = rule.preference != Preference.AREA_TIME && meets(job, rule.kind, nowNanos);
    if (prefers) {
      int block = freeBlock(rule.kind, table.variants[job * table.kinds + rule.kind]);
      if (block >= 0 || rule.preference == Preference.KIND_STRICTLY) {
        return block;
      }
    }
    for (int i = 0; i < table.kinds; i++) {
      int kind = table.kindsByAreaTime[job * table.kinds + i];
      if ((prefers && kind == rule.kind) || !meets(job, kind, nowNanos)) {
        continue;
      }
      int block = freeBlock(kind, table.variants[job * table.kinds + kind]);
      if (block >= 0 || rule.preference == Preference.KIND_STRICTLY) {
        return block;
      }
    }
    return -1;
  }

  private boolean meets(int job, int kind, long nowNanos) {
    return table.fits(job, kind) && table.needs(job, kind) <= table.deadlines[job] - nowNanos;
  }

  /**
   * Returns a free block of a kind: one with the design loaded if there is one, else the one that
   * disturbs the fewest and longest unused designs; the lowest where loading takes no time.
   */
  private int freeBlock(int kind, @Nullable Variant variant) {
    int best = -1;
    int bestDisturbed = 0;
    long bestUsedNanos = 0;
    for (int block = map.firstOfKind[kind]; block < map.firstOfKind[kind + 1]; block++) {
      if ((map.masks[block] & busySlots) != 0) {
        continue;
      }
      if (!reconfigures || (exists[block] && configured[block] == variant)) {
        return block;
      }
      int disturbed = 0;
      long usedNanos = Long.MIN_VALUE;
      for (long rest = map.masks[block]; rest != 0; rest &= rest - 1) {
        long used = slotUsedNanos[Long.numberOfTrailingZeros(rest)];
        disturbed += used < 0 ? 0 : 1;
        usedNanos = Math.max(usedNanos, used);
      }
      if (best < 0
          || disturbed < bestDisturbed
          || (disturbed == bestDisturbed && usedNanos < bestUsedNanos)) {
        best = block;
        bestDisturbed = disturbed;
        bestUsedNanos = usedNanos;
      }
    }
    return best;
  }

  private void place(int job, int block, long nowNanos) {
    int kind = map.layout.blocks().get(block).kind();
    Variant variant = table.variants[job * table.kinds + kind];
    boolean isLoaded = exists[block] && configured[block] == variant;
    long load = isLoaded ? 0 : table.loadNanos(kind);
    finishNanos[block] = nowNanos + load + table.services[job * table.kinds + kind];
    busySlots |= map.masks[block];
    for (int other = 0; other < exists.length; other++) {
      if ((map.masks[other] & map.masks[block]) != 0) {
        exists[other] = false;
      }
    }
    exists[block] = true;
    configured[block] = variant;
    if (reconfigures) {
      for (long rest = map.masks[block]; rest != 0; rest &= rest - 1) {
        slotUsedNanos[Long.numberOfTrailingZeros(rest)] = nowNanos;
      }
    }
    Plan plan = recording;
    if (plan != null) {
      plan.add(job, block);
    }
  }
}
