package dev.muster.hal.sim;

import java.util.Arrays;

/**
 * Orders the pending events of worker slots, at most one per slot, by time.
 *
 * <p>Events at one instant come in the order they were scheduled. The queue is a sorted sequence
 * cut into blocks of at most {@value #BLOCK} entries. Simulated completions are scheduled nearly in
 * the order they happen, so an event is inserted from the back and usually belongs there; the first
 * one is taken from the front by moving an offset.
 *
 * <p>Take O(1) amortised, schedule O(d + n / {@value #BLOCK}) where d, at most {@value #BLOCK}, is
 * the distance from the end of its block; nothing is allocated except when the queue grows.
 */
final class EventQueue {
  static final int BLOCK = 256;
  static final long NEVER = Long.MAX_VALUE;

  /** Says how many entries are moved one by one before a search and a bulk move pay off. */
  private static final int NEARBY = 16;

  /** Holds a run of the sequence in positions {@code from} to {@code to - 1}. */
  private static final class Block {
    final long[] times = new long[BLOCK];
    final int[] slots = new int[BLOCK];
    int from;
    int to;
  }

  private Block[] blocks = {new Block()};
  private int blockCount = 1;
  private long nextTime = NEVER;

  /** Holds the time of each slot's event, or {@link #NEVER}. */
  private long[] timeOf = new long[64];

  EventQueue() {
    Arrays.fill(timeOf, NEVER);
  }

  /** Returns the time of the next event, or {@link #NEVER}. O(1). */
  long nextTime() {
    return nextTime;
  }

  private void findNextTime() {
    Block first = blocks[0];
    nextTime = first.from < first.to ? first.times[first.from] : NEVER;
  }

  /** Takes the next event, which must exist, and returns its slot. */
  int take() {
    Block first = blocks[0];
    int slot = first.slots[first.from++];
    timeOf[slot] = NEVER;
    dropIfEmpty(0);
    findNextTime();
    return slot;
  }

  /** Tells whether a slot has an event pending. */
  boolean isPending(int slot) {
    return slot < timeOf.length && timeOf[slot] != NEVER;
  }

  /** Schedules the event of a slot, in place of the one it may have. */
  void schedule(int slot, long time) {
    if (slot >= timeOf.length) {
      int old = timeOf.length;
      timeOf = Arrays.copyOf(timeOf, Math.max(old * 2, slot + 1));
      Arrays.fill(timeOf, old, timeOf.length, NEVER);
    } else if (timeOf[slot] != NEVER) {
      cancel(slot);
    }
    timeOf[slot] = time;
    int b = blockCount - 1;
    while (b > 0 && blocks[b].times[blocks[b].from] > time) {
      b--;
    }
    Block block = blocks[b];
    if (block.to == BLOCK) {
      if (block.from > 0) {
        compact(block);
      } else {
        split(b);
        if (blocks[b + 1].times[0] <= time) {
          b++;
        }
        block = blocks[b];
      }
    }
    insert(block, slot, time);
    nextTime = Math.min(nextTime, time);
  }

  /** Drops the event of a slot, if it has one. */
  void cancel(int slot) {
    long time = slot < timeOf.length ? timeOf[slot] : NEVER;
    if (time == NEVER) {
      return;
    }
    timeOf[slot] = NEVER;
    for (int b = 0; b < blockCount; b++) {
      Block block = blocks[b];
      if (block.times[block.to - 1] >= time) {
        for (int i = block.from; i < block.to; i++) {
          if (block.slots[i] == slot) {
            remove(block, i);
            dropIfEmpty(b);
            findNextTime();
            return;
          }
        }
      }
    }
    throw new IllegalStateException("slot " + slot + " has no event at " + time);
  }

  private static void insert(Block block, int slot, long time) {
    long[] times = block.times;
    int[] slots = block.slots;
    int at = block.to;
    int nearby = Math.max(block.from, at - NEARBY);
    while (at > nearby && times[at - 1] > time) {
      times[at] = times[at - 1];
      slots[at] = slots[at - 1];
      at--;
    }
    if (at > block.from && times[at - 1] > time) {
      int to = upperBound(times, block.from, at, time);
      System.arraycopy(times, to, times, to + 1, at - to);
      System.arraycopy(slots, to, slots, to + 1, at - to);
      at = to;
    }
    times[at] = time;
    slots[at] = slot;
    block.to++;
  }

  /** Returns the first position in [from, to) whose time is after the given one, or {@code to}. */
  private static int upperBound(long[] times, int from, int to, long time) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static void remove(Block block, int at) {
    System.arraycopy(block.times, at + 1, block.times, at, block.to - at - 1);
    System.arraycopy(block.slots, at + 1, block.slots, at, block.to - at - 1);
    block.to--;
  }

  private static void compact(Block block) {
    int size = block.to - block.from;
    System.arraycopy(block.times, block.from, block.times, 0, size);
    System.arraycopy(block.slots, block.from, block.slots, 0, size);
    block.from = 0;
    block.to = size;
  }

  private void split(int b) {
    if (blockCount == blocks.length) {
      blocks = Arrays.copyOf(blocks, blockCount * 2);
      for (int i = blockCount; i < blocks.length; i++) {
        blocks[i] = new Block();
      }
    }
    Block spare = blocks[blockCount];
    System.arraycopy(blocks, b + 1, blocks, b + 2, blockCount - b - 1);
    blocks[b + 1] = spare;
    blockCount++;
    Block block = blocks[b];
    int half = BLOCK / 2;
    System.arraycopy(block.times, half, spare.times, 0, BLOCK - half);
    System.arraycopy(block.slots, half, spare.slots, 0, BLOCK - half);
    spare.from = 0;
    spare.to = BLOCK - half;
    block.to = half;
  }

  private void dropIfEmpty(int b) {
    Block block = blocks[b];
    if (block.from < block.to) {
      return;
    }
    block.from = 0;
    block.to = 0;
    if (blockCount > 1) {
      blockCount--;
      System.arraycopy(blocks, b + 1, blocks, b, blockCount - b);
      blocks[blockCount] = block; // kept for the next split
    }
  }
}
