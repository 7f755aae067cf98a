package dev.muster.core.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps workers sorted by the time they become available, ties by descending id.
 *
 * <p>A floor query therefore yields the latest-available worker with the lowest id. The sorted
 * sequence is cut into blocks of at most {@value #BLOCK} entries, each a pair of primitive arrays:
 * a query is two binary searches, and an assignment moves entries within a block or two. A fleet
 * that fits one block has a flat sorted array. Nothing is allocated except when the fleet grows.
 *
 * <p>Query O(log n); insert, remove and rekey O(log n + {@value #BLOCK} + n / {@value #BLOCK}).
 */
final class SortedWorkers {
  static final int BLOCK = 256;

  /** Holds a run of the sorted sequence. */
  private static final class Block {
    final long[] keys = new long[BLOCK];
    final int[] slots = new int[BLOCK];
    int size;
  }

  private final WorkerTable table;
  private Block[] blocks = {new Block()};

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
    return table.at(blocks[0].slots[0]);
  }

  /** Returns the worker with the largest key at most the limit (ties: lowest id), or null. */
  @Nullable WorkerState floor(long limit) {
    if (size == 0 || firstKeys[0] > limit) {
      return null;
    }
    int b = floorIndex(firstKeys, blockCount, limit);
    Block block = blocks[b];
    int position = floorIndex(block.keys, block.size, limit);
    hitBlock = b;
    hitPosition = position;
    return table.at(block.slots[position]);
  }

  void insert(WorkerState worker, long key) {
    int b = size == 0 ? 0 : blockFor(key, worker.id);
    if (blocks[b].size == BLOCK) {
      split(b);
      b = blockFor(key, worker.id);
    }
    Block block = blocks[b];
    int position = lowerBound(block, key, worker.id);
    int tail = block.size - position;
    System.arraycopy(block.keys, position, block.keys, position + 1, tail);
    System.arraycopy(block.slots, position, block.slots, position + 1, tail);
    block.keys[position] = key;
    block.slots[position] = worker.slot;
    block.size++;
    size++;
    firstKeys[b] = block.keys[0];
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
      firstKeys[b] = blocks[b].keys[0];
    } else {
      removeHit();
      insert(worker, newKey);
    }
  }

  private void moveRight(Block block, int from, WorkerState worker, long newKey) {
    long[] keys = block.keys;
    int[] slots = block.slots;
    int to = block.size - 1; // a worker that was just given a task belongs near the end
    while (to > from
        && (keys[to] > newKey || (keys[to] == newKey && table.at(slots[to]).id < worker.id))) {
      to--;
    }
    System.arraycopy(keys, from + 1, keys, from, to - from);
    System.arraycopy(slots, from + 1, slots, from, to - from);
    keys[to] = newKey;
    slots[to] = worker.slot;
  }

  private void removeHit() {
    Block block = blocks[hitBlock];
    block.size--;
    size--;
    int tail = block.size - hitPosition;
    System.arraycopy(block.keys, hitPosition + 1, block.keys, hitPosition, tail);
    System.arraycopy(block.slots, hitPosition + 1, block.slots, hitPosition, tail);
    if (block.size > 0) {
      firstKeys[hitBlock] = block.keys[0];
    } else if (blockCount > 1) {
      blockCount--;
      System.arraycopy(blocks, hitBlock + 1, blocks, hitBlock, blockCount - hitBlock);
      System.arraycopy(firstKeys, hitBlock + 1, firstKeys, hitBlock, blockCount - hitBlock);
      blocks[blockCount] = block; // kept for the next split
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
    int half = block.size / 2;
    spare.size = block.size - half;
    System.arraycopy(block.keys, half, spare.keys, 0, spare.size);
    System.arraycopy(block.slots, half, spare.slots, 0, spare.size);
    block.size = half;
    firstKeys[b + 1] = spare.keys[0];
  }

  /** Sets the hit to the place of a worker. */
  private void locate(WorkerState worker, long key) {
    Block hit = blocks[hitBlock];
    if (hitPosition < hit.size && hit.slots[hitPosition] == worker.slot) {
      return;
    }
    if (size > 0) {
      int b = blockFor(key, worker.id);
      Block block = blocks[b];
      int position = lowerBound(block, key, worker.id);
      if (position < block.size && block.slots[position] == worker.slot) {
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
    int b = floorIndex(firstKeys, blockCount, key);
    while (b > 0 && firstKeys[b] == key && table.at(blocks[b].slots[0]).id < id) {
      b--;
    }
    return b;
  }

  /**
   * Returns the last of {@code count} positions whose key is at most the limit; the first key must
   * be.
   *
   * <p>Looks at the last key, then gallops from the first: under light load every worker meets the
   * limit, under full load hardly one does.
   */
  private static int floorIndex(long[] keys, int count, long limit) {
    if (keys[count - 1] <= limit) {
      return count - 1;
    }
    int low = 0;
    int high = 1;
    while (high < count && keys[high] <= limit) {
      low = high;
      high <<= 1;
    }
    high = Math.min(high, count - 1);
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (keys[middle] <= limit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the position in a block where (key, id) belongs. */
  private int lowerBound(Block block, long key, long id) {
    int low = 0;
    int length = block.size;
    while (length > 0) {
      int half = length >>> 1;
      int middle = low + half;
      long other = block.keys[middle];
      if (other < key || (other == key && table.at(block.slots[middle]).id > id)) {
        low = middle + 1;
        length -= half + 1;
      } else {
        length = half;
      }
    }
    return low;
  }
}
