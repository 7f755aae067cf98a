package dev.muster.core.live;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Queues the events that a HAL reports from inside a command, on the scheduler's own thread; grows,
 * because that thread must never wait for itself.
 */
final class EventRing {
  private byte[] kinds = new byte[64];
  private @Nullable Object[] workers = new Object[64];
  private long[] runIds = new long[64];
  private @Nullable Object[] firsts = new Object[64];
  private @Nullable Object[] seconds = new Object[64];
  private int head;
  private int size;

  void add(byte kind, Object worker, long runId, @Nullable Object first, @Nullable Object second) {
    if (size == kinds.length) {
      grow();
    }
    int slot = (head + size++) & (kinds.length - 1);
    kinds[slot] = kind;
    workers[slot] = worker;
    runIds[slot] = runId;
    firsts[slot] = first;
    seconds[slot] = second;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Hands the oldest event to a receiver. */
  void deliverTo(Receiver receiver) {
    int slot = head;
    Object worker = workers[slot];
    Object first = firsts[slot];
    Object second = seconds[slot];
    if (size == 0 || worker == null) {
      throw new IllegalStateException("no event is queued");
    }
    workers[slot] = null;
    firsts[slot] = null;
    seconds[slot] = null;
    head = (head + 1) & (kinds.length - 1);
    size--;
    receiver.receive(kinds[slot], worker, runIds[slot], first, second);
  }

  private void grow() {
    int old = kinds.length;
    kinds = Arrays.copyOf(kinds, 2 * old);
    workers = Arrays.copyOf(workers, 2 * old);
    runIds = Arrays.copyOf(runIds, 2 * old);
    firsts = Arrays.copyOf(firsts, 2 * old);
    seconds = Arrays.copyOf(seconds, 2 * old);
    for (int i = 0; i < head; i++) {
      kinds[old + i] = kinds[i];
      workers[old + i] = workers[i];
      runIds[old + i] = runIds[i];
      firsts[old + i] = firsts[i];
      seconds[old + i] = seconds[i];
      workers[i] = null;
      firsts[i] = null;
      seconds[i] = null;
    }
  }

  /** Takes one event. */
  interface Receiver {
    void receive(
        byte kind, Object worker, long runId, @Nullable Object first, @Nullable Object second);
  }
}
