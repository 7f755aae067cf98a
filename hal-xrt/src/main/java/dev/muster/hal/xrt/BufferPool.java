package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keeps buffers for further use, by memory group and power of two of their size. Confined. */
final class BufferPool {
  private static final long SMALLEST = 4096;
  private static final long LARGEST = 1L << 30;

  /** Bounds what is kept idle; the rest is freed at once. */
  private static final int MAX_IDLE_PER_SIZE = 64;

  private final XrtDevice device;
  private final Map<Long, Deque<XrtBuffer>> idle = new TreeMap<>();
  private final List<XrtBuffer> inUse = new ArrayList<>();
  private int idleCount;

  BufferPool(XrtDevice device) {
    this.device = device;
  }

  XrtBuffer take(int group, long bytes) {
    if (bytes < 1 || bytes > LARGEST) {
      throw InvalidInputException.of(
          device.id() + ": buffer (bytes)", bytes, "must be between 1 and " + LARGEST, "split it");
    }
    long size = Math.max(SMALLEST, Long.highestOneBit(2 * bytes - 1));
    Deque<XrtBuffer> same = idle.get(key(group, size));
    XrtBuffer buffer;
    if (same == null || same.isEmpty()) {
      buffer = XrtBuffer.allocate(device, group, size);
    } else {
      buffer = same.pop();
      buffer.taken();
      idleCount--;
    }
    inUse.add(buffer);
    return buffer;
  }

  void give(XrtBuffer buffer) {
    inUse.remove(buffer);
    Deque<XrtBuffer> same =
        idle.computeIfAbsent(key(buffer.group(), buffer.bytes()), k -> new ArrayDeque<>());
    if (same.size() == MAX_IDLE_PER_SIZE) {
      buffer.free();
    } else {
      buffer.pooled();
      same.push(buffer);
      idleCount++;
    }
  }

  int count() {
    return inUse.size() + idleCount;
  }

  void freeIdle() {
    idle.values().forEach(same -> same.forEach(XrtBuffer::free));
    idle.clear();
    idleCount = 0;
  }

  void freeAll() {
    freeIdle();
    inUse.forEach(XrtBuffer::free);
    inUse.clear();
  }

  private static long key(int group, long size) {
    return ((long) group << 32) | size;
  }
}
