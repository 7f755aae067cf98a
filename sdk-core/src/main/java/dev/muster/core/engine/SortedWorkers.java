package dev.muster.core.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps workers sorted by the time they become available, ties by descending id.
 *
 * <p>A floor query therefore yields the latest-available worker with the lowest id. The sorted
 * sequence is cut into blocks of at most {@value #BLOCK} workers. A query gallops from where the
 * last one ended, since queries come at growing times with similar slack. An efficient-first
 * dispatcher takes a worker from where the full ones begin and puts it at their end; so a block has
 * room on both sides, and what is moved is the shorter side. Nothing is allocated except when the
 * fleet grows.
 *
 * <p>Query O(log n); insert, remove and rekey O(log n + {@value #BLOCK} + n / {@value #BLOCK}).
 */
final class SortedWorkers {
  static final int BLOCK = 256;

  /** Holds a run of the sorted sequence in positions {@code from} to {@code to - 1}. */
  private static final class Block {
    final int[] slots = new int[2 * BLOCK];
    int from;
    int to;

    int first() {
      return slots[from];
    }

    boolean isFull() {
      return to - from == BLOCK;
    }

    void insertAt(int position, int slot) {
      int at = position;
      if (to == slots.length) {
        at -= from;
        compact();
      }
      shiftRight(at, to);
      slots[at] = slot;
      to++;
    }

    void removeAt(int position) {
      if (position - from < to - position) {
        shiftRight(from, position);
        from++;
      } else {
        to--;
        System.arraycopy(slots, position + 1, slots, position, to - position);
      }
    }

    /** Moves a slot from a position to before a later one, shifting what is fewer. */
    void move(int position, int before, int slot) {
      if (position - from + to - before < before - position) {
        removeAt(position);
        insertAt(before, slot);
      } else {
        System.arraycopy(slots, position + 1, slots, position, before - position - 1);
        slots[before - 1] = slot;
      }
    }

    /** Moves the slots in [start, end) to the next position. */
    private void shiftRight(int start, int end) {
      System.arraycopy(slots, start, slots, start + 1, end - start);
    }

    /** Makes room behind the last slot; positions change. */
    private void compact() {
      System.arraycopy(slots, from, slots, 0, to - from);
      to -= from;
      from = 0;
    }
  }

  private final WorkerTable table;
  private Block[] blocks = {new Block()};

  /** Holds the key of each worker by slot, so that only slots have to be moved. */
  private long[] keys = new long[64];

  /** Holds the first key of each block. */
  private long[] firstKeys = new long[1];

  private int blockCount = 1;
  private int size;

  /** Remembers where the last query found its worker; an assignment usually follows. */
  private int hitBlock;

  private int hitPosition;

  SortedWorkers(WorkerTable table) {
    this.table = table;
  }

  int size() {
    return size;
  }

  /** Returns the worker with the smallest key (ties: highest id); there must be one. */
  WorkerState first() {
    return table.at(blocks[0].first());
  }

  /** Returns the worker with the largest key at most the limit (ties: lowest id), or null. */
  @Nullable WorkerState floor(long limit) {
    if (size == 0 || firstKeys[0] > limit) {
      return null;
    }
    int b = blockCount == 1 ? 0 : floorBlock(limit);
    Block block = blocks[b];
    int position = floorPosition(block, limit);
    hitBlock = b;
    hitPosition = position;
    return table.at(block.slots[position]);
  }

  void insert(WorkerState worker, long key) {
    if (worker.slot >= keys.length) {
      keys = Arrays.copyOf(keys, Math.max(keys.length * 2, worker.slot + 1));
    }
    keys[worker.slot] = key;
    int b = size == 0 ? 0 : blockFor(key, worker.id);
    if (blocks[b].isFull()) {
      split(b);
      b = blockFor(key, worker.id);
    }
    Block block = blocks[b];
    block.insertAt(lowerBound(block, key, worker.id), worker.slot);
    size++;
    firstKeys[b] = keys[block.first()];
  }

  void remove(WorkerState worker, long key) {
    locate(worker, key);
    removeHit();
  }

  /** Moves a worker from its old key to a new one. */
  void rekey(WorkerState worker, long oldKey, long newKey) {
    locate(worker, oldKey);
    int b = hitBlock;
    if (newKey > oldKey && (b + 1 == blockCount || newKey < firstKeys[b + 1])) {
      moveRight(blocks[b], hitPosition, worker, newKey);
      firstKeys[b] = keys[blocks[b].first()];
    } else {
      removeHit();
      insert(worker, newKey);
    }
  }

  private void moveRight(Block block, int from, WorkerState worker, long newKey) {
    keys[worker.slot] = newKey;
    if (from + 1 == block.to || isAfter(block.slots[from + 1], newKey, worker.id)) {
      return;
    }
    int at = block.to; // a worker that was just given a task belongs near the end
    while (isAfter(block.slots[at - 1], newKey, worker.id)) {
      at--;
    }
    block.move(from, at, worker.slot);
  }

  private void removeHit() {
    Block block = blocks[hitBlock];
    block.removeAt(hitPosition);
    size--;
    if (block.from < block.to) {
      firstKeys[hitBlock] = keys[block.first()];
    } else {
      block.from = 0;
      block.to = 0;
      if (blockCount > 1) {
        blockCount--;
        System.arraycopy(blocks, hitBlock + 1, blocks, hitBlock, blockCount - hitBlock);
        System.arraycopy(firstKeys, hitBlock + 1, firstKeys, hitBlock, blockCount - hitBlock);
        blocks[blockCount] = block; // kept for the next split
      }
    }
    hitBlock = 0;
    hitPosition = 0;
  }

  private void split(int b) {
    if (blockCount == blocks.length) {
      blocks = Arrays.copyOf(blocks, blockCount * 2);
      firstKeys = Arrays.copyOf(firstKeys, blockCount * 2);
      for (int i = blockCount; i < blocks.length; i++) {
        blocks[i] = new Block();
      }
    }
    Block spare = blocks[blockCount];
    System.arraycopy(blocks, b + 1, blocks, b + 2, blockCount - b - 1);
    System.arraycopy(firstKeys, b + 1, firstKeys, b + 2, blockCount - b - 1);
    blocks[b + 1] = spare;
    blockCount++;
    Block block = blocks[b];
    int middle = (block.from + block.to) >>> 1;
    spare.from = 0;
    spare.to = block.to - middle;
    System.arraycopy(block.slots, middle, spare.slots, 0, spare.to);
    block.to = middle;
    firstKeys[b + 1] = keys[spare.first()];
  }

  /** Sets the hit to the place of a worker. */
  private void locate(WorkerState worker, long key) {
    Block hit = blocks[hitBlock];
    if (hitPosition >= hit.from && hitPosition < hit.to && hit.slots[hitPosition] == worker.slot) {
      return;
    }
    if (size > 0) {
      int b = blockFor(key, worker.id);
      Block block = blocks[b];
      int position = lowerBound(block, key, worker.id);
      if (position < block.to && block.slots[position] == worker.slot) {
        hitBlock = b;
        hitPosition = position;
        return;
      }
    }
    throw new IllegalStateException("worker " + worker.id + " is not indexed at " + key);
  }

  /** Returns the block where (key, id) belongs: the last one that does not start after it. */
  private int blockFor(long key, long id) {
    if (blockCount == 1 || firstKeys[0] > key) {
      return 0;
    }
    int b = floorBlock(key);
    while (b > 0 && firstKeys[b] == key && table.at(blocks[b].first()).id < id) {
      b--;
    }
    return b;
  }

  /** Returns the last block whose first key is at most the limit; the first block's must be. */
  private int floorBlock(long limit) {
    int low = 0;
    int high = blockCount;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (firstKeys[middle] <= limit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns the last position in a block whose key is at most the limit; the first's must be.
   * Gallops from the last hit: O(log d) in the distance d from it.
   */
  private int floorPosition(Block block, long limit) {
    int[] slots = block.slots;
    int low = Math.max(block.from, Math.min(hitPosition, block.to - 1));
    int high;
    int step = 1;
    if (keys[slots[low]] <= limit) {
      high = low + 1;
      while (high < block.to && keys[slots[high]] <= limit) {
        low = high;
        step <<= 1;
        high = low + step;
      }
      high = Math.min(high, block.to);
    } else {
      high = low;
      low--;
      while (keys[slots[low]] > limit) {
        high = low;
        step <<= 1;
        low = Math.max(block.from, high - step);
      }
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (keys[slots[middle]] <= limit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the position in a block where (key, id) belongs. */
  private int lowerBound(Block block, long key, long id) {
    int low = block.from;
    int length = block.to - block.from;
    while (length > 0) {
      int half = length >>> 1;
      int middle = low + half;
      if (isBefore(block.slots[middle], key, id)) {
        low = middle + 1;
        length -= half + 1;
      } else {
        length = half;
      }
    }
    return low;
  }

  /** Tells whether the worker in a slot belongs before (key, id). */
  private boolean isBefore(int slot, long key, long id) {
    long other = keys[slot];
    return other < key || (other == key && table.at(slot).id > id);
  }

  /** Tells whether the worker in a slot belongs after (key, id). */
  private boolean isAfter(int slot, long key, long id) {
    long other = keys[slot];
    return other > key || (other == key && table.at(slot).id < id);
  }
}
