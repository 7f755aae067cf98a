package dev.muster.core.sos;

import java.util.Arrays;

/**
 * Answers the two sums of the cost from suffix sums: one binary search and a few additions.
 *
 * <p>HIGH is a prefix of the order by ratio, since a job's ratio never changes, so both sums of the
 * cost (BoostedSOSA; Stannic, Hercules) are prefix and suffix sums. Integer sums are associative:
 * they equal the scan's bit for bit.
 *
 * <p>The jobs lie in blocks of at most {@value #CAPACITY}, each a right-aligned sorted array with
 * sums from each job to the end of its block; a right-aligned directory holds, per block, the least
 * ratio and the sums from its first job to the end of the schedule. Right alignment makes the
 * head's work and removal O(1), since no other sum contains the head. An insertion moves the HIGH
 * jobs of one block and adds to the directory entries before it. Up to {@value #CAPACITY} jobs
 * there is one block: a plain suffix-sum array.
 *
 * <p>For n jobs a query takes O(log n), an insertion O({@value #CAPACITY} + n / {@value
 * #CAPACITY}); nothing is allocated but to grow.
 */
final class SuffixSumSchedule implements VirtualSchedule {
  /** Jobs in a block. One more slot, with sums of 0, ends each block. */
  private static final int CAPACITY = 127;

  private static final int STRIDE = CAPACITY + 1;

  // Per slot; block b has the slots from b * STRIDE on. Time and weight sums lie side by side.
  private long[] ratios = new long[STRIDE];
  private long[] sums = new long[2 * STRIDE];
  private long[] alphas = new long[STRIDE];
  private long[] jobs = new long[STRIDE];

  // Per block: its first used position, from 0 to CAPACITY (none); the blocks not in use.
  private int[] firsts = {CAPACITY};
  private int[] free = {0};
  private int freeCount = 1;

  // Per directory entry, used from `top` on; the sums have a last entry of 0.
  private int[] blocks = new int[1];
  private long[] leastRatios = new long[1];
  private long[] tails = new long[4];
  private int top = 1;

  private int size;

  /** The first tick whose work the head has not got yet. */
  private long workedTo;

  @Override
  public int size() {
    return size;
  }

  @Override
  public long cost(long weight, long ept, long threshold, long tick) {
    if (size == 0) {
      return weight * ept;
    }
    long units = tick - workedTo;
    long highTime = tails[2 * top];
    long lowWeight = 0;
    int entry = entryOf(threshold);
    if (entry < blocks.length) {
      int block = blocks[entry];
      int slot = slotOf(block, threshold);
      highTime -= tails[2 * entry + 2] + sums[2 * slot];
      lowWeight = tails[2 * entry + 3] + sums[2 * slot + 1];
      if (entry == top && slot == block * STRIDE + firsts[block]) {
        // The head is LOW: its work has worn off weight.
        return weight * (ept + highTime) + ept * (lowWeight - units * ratios[slot]);
      }
    }
    return weight * (ept + highTime - units) + ept * lowWeight;
  }

  /** Returns the first directory entry with a LOW job, or the end of the directory. */
  private int entryOf(long threshold) {
    int low = top;
    int high = leastRatios.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (leastRatios[middle] > threshold) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the first slot of a block with a LOW job, or its end slot. */
  private int slotOf(int block, long threshold) {
    int low = block * STRIDE + firsts[block];
    int length = block * STRIDE + CAPACITY - low;
    // Halves without a branch to mispredict: the slots before `low` are HIGH.
    while (length > 0) {
      int half = (length + 1) >>> 1;
      low = ratios[low + half - 1] > threshold ? low + half : low;
      length -= half;
    }
    return low;
  }

  @Override
  public void insert(
      long job, long ratio, long weight, long ept, long alpha, long threshold, long tick) {
    work(tick);
    int entry = entryOf(threshold);
    if (entry == blocks.length) {
      if (size == 0) {
        addEntry(entry, takeBlock());
      }
      entry = blocks.length - 1;
    }
    if (firsts[blocks[entry]] == 0) {
      split(entry);
      entry = Math.min(entryOf(threshold), blocks.length - 1);
    }
    int block = blocks[entry];
    int slot = openSlot(block, slotOf(block, threshold), ept, weight);
    ratios[slot] = ratio;
    alphas[slot] = alpha;
    jobs[slot] = job;
    leastRatios[entry] = ratios[block * STRIDE + CAPACITY - 1];
    addToTails(entry, ept, weight);
    size++;
  }

  /** Moves the slots before an end one to the left, with the newcomer's share, and frees one. */
  private int openSlot(int block, int end, long time, long weight) {
    int first = block * STRIDE + firsts[block]--;
    for (int i = first; i < end; i++) {
      sums[2 * i - 2] = sums[2 * i] + time;
      sums[2 * i - 1] = sums[2 * i + 1] + weight;
    }
    int count = end - first;
    System.arraycopy(ratios, first, ratios, first - 1, count);
    System.arraycopy(alphas, first, alphas, first - 1, count);
    System.arraycopy(jobs, first, jobs, first - 1, count);
    sums[2 * end - 2] = sums[2 * end] + time;
    sums[2 * end - 1] = sums[2 * end + 1] + weight;
    return end - 1;
  }

  /** Adds to the sums of all directory entries up to one. */
  private void addToTails(int last, long time, long weight) {
    for (int i = top; i <= last; i++) {
      tails[2 * i] += time;
      tails[2 * i + 1] += weight;
    }
  }

  /** Moves the first half of a full block to a new one before it. */
  private void split(int entry) {
    int right = blocks[entry];
    int left = takeBlock();
    int count = CAPACITY / 2;
    int from = right * STRIDE;
    int to = left * STRIDE + CAPACITY - count;
    System.arraycopy(ratios, from, ratios, to, count);
    System.arraycopy(alphas, from, alphas, to, count);
    System.arraycopy(jobs, from, jobs, to, count);
    long time = sums[2 * (from + count)];
    long weight = sums[2 * (from + count) + 1];
    for (int i = 0; i < count; i++) {
      sums[2 * (to + i)] = sums[2 * (from + i)] - time;
      sums[2 * (to + i) + 1] = sums[2 * (from + i) + 1] - weight;
    }
    firsts[left] = CAPACITY - count;
    firsts[right] = count;
    int position = addEntry(entry, left);
    leastRatios[position] = ratios[left * STRIDE + CAPACITY - 1];
    tails[2 * position] = tails[2 * position + 2];
    tails[2 * position + 1] = tails[2 * position + 3];
    tails[2 * position + 2] = tails[2 * position + 4] + time;
    tails[2 * position + 3] = tails[2 * position + 5] + weight;
  }

  /** Puts a block into the directory before an entry; returns where it is now. */
  private int addEntry(int before, int block) {
    int at = before;
    if (top == 0) {
      at += blocks.length;
      growDirectory();
    }
    int count = at - top;
    System.arraycopy(blocks, top, blocks, top - 1, count);
    System.arraycopy(leastRatios, top, leastRatios, top - 1, count);
    System.arraycopy(tails, 2 * top, tails, 2 * top - 2, 2 * count);
    top--;
    blocks[at - 1] = block;
    tails[2 * at - 2] = tails[2 * at];
    tails[2 * at - 1] = tails[2 * at + 1];
    return at - 1;
  }

  private void growDirectory() {
    int old = blocks.length;
    int[] moreBlocks = new int[2 * old];
    long[] moreRatios = new long[2 * old];
    long[] moreTails = new long[4 * old + 2];
    System.arraycopy(blocks, 0, moreBlocks, old, old);
    System.arraycopy(leastRatios, 0, moreRatios, old, old);
    System.arraycopy(tails, 0, moreTails, 2 * old, 2 * old);
    blocks = moreBlocks;
    leastRatios = moreRatios;
    tails = moreTails;
    top += old;
  }

  private int takeBlock() {
    if (freeCount == 0) {
      growBlocks();
    }
    return free[--freeCount];
  }

  private void growBlocks() {
    int old = firsts.length;
    ratios = Arrays.copyOf(ratios, 2 * old * STRIDE);
    sums = Arrays.copyOf(sums, 4 * old * STRIDE);
    alphas = Arrays.copyOf(alphas, 2 * old * STRIDE);
    jobs = Arrays.copyOf(jobs, 2 * old * STRIDE);
    firsts = Arrays.copyOf(firsts, 2 * old);
    Arrays.fill(firsts, old, 2 * old, CAPACITY);
    free = new int[2 * old];
    for (int block = 2 * old - 1; block >= old; block--) {
      free[freeCount++] = block;
    }
  }

  @Override
  public long releaseTick() {
    return size == 0 ? NEVER : workedTo + alphas[head()] - 1;
  }

  @Override
  public long release() {
    workedTo = releaseTick() + 1;
    int head = head();
    long job = jobs[head];
    takeOut(top, head);
    return job;
  }

  @Override
  public boolean remove(long job, long tick) {
    for (int entry = top; entry < blocks.length; entry++) {
      int base = blocks[entry] * STRIDE;
      for (int slot = base + firsts[blocks[entry]]; slot < base + CAPACITY; slot++) {
        if (jobs[slot] == job) {
          work(tick);
          takeOut(entry, slot);
          return true;
        }
      }
    }
    return false;
  }

  /** Takes a job out; for the head nothing has to move. */
  private void takeOut(int entry, int slot) {
    int block = blocks[entry];
    int first = block * STRIDE + firsts[block]++;
    long time = sums[2 * slot] - sums[2 * slot + 2];
    long weight = sums[2 * slot + 1] - sums[2 * slot + 3];
    for (int i = slot; i > first; i--) {
      ratios[i] = ratios[i - 1];
      alphas[i] = alphas[i - 1];
      jobs[i] = jobs[i - 1];
      sums[2 * i] = sums[2 * i - 2] - time;
      sums[2 * i + 1] = sums[2 * i - 1] - weight;
    }
    addToTails(entry, -time, -weight);
    size--;
    if (firsts[block] == CAPACITY) {
      dropEntry(entry);
    } else {
      leastRatios[entry] = ratios[block * STRIDE + CAPACITY - 1];
    }
  }

  private void dropEntry(int entry) {
    free[freeCount++] = blocks[entry];
    int count = entry - top;
    System.arraycopy(blocks, top, blocks, top + 1, count);
    System.arraycopy(leastRatios, top, leastRatios, top + 1, count);
    System.arraycopy(tails, 2 * top, tails, 2 * top + 2, 2 * count);
    top++;
  }

  @Override
  public long[] jobs() {
    long[] result = new long[size];
    int count = 0;
    for (int entry = top; entry < blocks.length; entry++) {
      int first = firsts[blocks[entry]];
      int length = CAPACITY - first;
      System.arraycopy(jobs, blocks[entry] * STRIDE + first, result, count, length);
      count += length;
    }
    return result;
  }

  private int head() {
    return blocks[top] * STRIDE + firsts[blocks[top]];
  }

  /** Gives the head the work of the ticks before one. */
  private void work(long tick) {
    if (size > 0) {
      int head = head();
      long units = tick - workedTo;
      long worn = units * ratios[head];
      sums[2 * head] -= units;
      sums[2 * head + 1] -= worn;
      tails[2 * top] -= units;
      tails[2 * top + 1] -= worn;
      alphas[head] -= units;
    }
    workedTo = tick;
  }
}
