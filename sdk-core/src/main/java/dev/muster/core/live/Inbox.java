package dev.muster.core.live;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries entries from many threads to one, in order, within a bound; can be sealed.
 *
 * <p>A ring of slots with a sequence number each (D. Vyukov's bounded queue, with one consumer): a
 * producer claims the next position with one compare-and-set of the tail and publishes the slot by
 * its sequence number; the consumer gives the slot back the same way. Sealing sets the sign bit of
 * the tail, so that a claim either happened before, and the consumer will see the entry, or fails.
 * No call allocates.
 */
final class Inbox {
  /** Names what became of an offer. */
  enum Offer {
    /** The consumer will see the entry. */
    ACCEPTED,
    /** There is no room now. */
    FULL,
    /** The inbox takes nothing any more. */
    SEALED
  }

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final long SEAL = Long.MIN_VALUE;

  /** Places the tail amid unused words, away from what the consumer writes. */
  private static final int TAIL = 16;

  private final int mask;
  private final long[] tail = new long[2 * TAIL];
  private final long[] sequence;
  private final byte[] kinds;
  private final @Nullable Object[] subjects;
  private final long[] numbers;
  private final @Nullable Object[] firsts;
  private final @Nullable Object[] seconds;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();

  private long head;

  /** Holds the entry that the last successful {@link #poll} took. */
  byte kind;

  @Nullable Object subject;
  long number;
  @Nullable Object first;
  @Nullable Object second;

  /** Creates an inbox with room for a power of two of entries. */
  Inbox(int capacity) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity " + capacity + " is not a power of two");
    }
    mask = capacity - 1;
    sequence = new long[capacity];
    for (int i = 0; i < capacity; i++) {
      sequence[i] = i;
    }
    kinds = new byte[capacity];
    subjects = new Object[capacity];
    numbers = new long[capacity];
    firsts = new Object[capacity];
    seconds = new Object[capacity];
  }

  /** Adds an entry if there is room. Lock-free; from any thread. */
  Offer offer(
      byte kind, Object subject, long number, @Nullable Object first, @Nullable Object second) {
    long position = (long) LONGS.getVolatile(tail, TAIL);
    while (true) {
      if (position < 0) {
        return Offer.SEALED;
      }
      int slot = (int) position & mask;
      long ahead = (long) LONGS.getAcquire(sequence, slot) - position;
      if (ahead == 0) {
        long seen = (long) LONGS.compareAndExchange(tail, TAIL, position, position + 1);
        if (seen == position) {
          kinds[slot] = kind;
          subjects[slot] = subject;
          numbers[slot] = number;
          firsts[slot] = first;
          seconds[slot] = second;
          LONGS.setRelease(sequence, slot, position + 1);
          return Offer.ACCEPTED;
        }
        position = seen;
      } else {
        long now = (long) LONGS.getVolatile(tail, TAIL);
        if (ahead < 0 && now == position) {
          return Offer.FULL;
        }
        position = now;
      }
    }
  }

  /**
   * Adds an entry, waiting for room if need be. An interrupt does not end the wait; the thread's
   * interrupt status is kept.
   *
   * @return false if the inbox is sealed
   */
  boolean put(
      byte kind, Object subject, long number, @Nullable Object first, @Nullable Object second) {
    Offer offer = offer(kind, subject, number, first, second);
    if (offer == Offer.FULL) {
      lock.lock();
      try {
        waiting.incrementAndGet(); // before the next try: whoever makes room after it sees us
        while ((offer = offer(kind, subject, number, first, second)) == Offer.FULL) {
          room.awaitUninterruptibly();
        }
        waiting.decrementAndGet();
      } finally {
        lock.unlock();
      }
    }
    return offer == Offer.ACCEPTED;
  }

  /** Takes the oldest entry into the fields of this object. By the consumer only. */
  boolean poll() {
    long position = head;
    int slot = (int) position & mask;
    if ((long) LONGS.getAcquire(sequence, slot) != position + 1) {
      return false;
    }
    kind = kinds[slot];
    subject = subjects[slot];
    number = numbers[slot];
    first = firsts[slot];
    second = seconds[slot];
    subjects[slot] = null;
    firsts[slot] = null;
    seconds[slot] = null;
    LONGS.setRelease(sequence, slot, position + mask + 1);
    head = position + 1;
    return true;
  }

  /** Forgets the entry that was taken, so that it can be collected. By the consumer only. */
  void clear() {
    subject = null;
    first = null;
    second = null;
  }

  /** Lets producers go on that wait for room; call it after taking entries. */
  void signalRoom() {
    VarHandle.fullFence(); // what was given back, before the look at who waits
    if (waiting.get() > 0) {
      lock.lock();
      try {
        room.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Tells whether an entry is ready to be taken. By the consumer only. */
  boolean hasEntry() {
    return (long) LONGS.getVolatile(sequence, (int) head & mask) == head + 1;
  }

  /** Refuses all further entries. Idempotent; from any thread. */
  void seal() {
    LONGS.getAndBitwiseOr(tail, TAIL, SEAL);
    lock.lock();
    try {
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Tells whether the inbox is sealed and every entry was taken. By the consumer only. */
  boolean isExhausted() {
    long position = (long) LONGS.getVolatile(tail, TAIL);
    return position < 0 && (position & ~SEAL) == head;
  }

  /** Returns how many entries were ever accepted. */
  long acceptedCount() {
    return (long) LONGS.getVolatile(tail, TAIL) & ~SEAL;
  }
}
