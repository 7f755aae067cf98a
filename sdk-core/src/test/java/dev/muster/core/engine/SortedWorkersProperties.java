package dev.muster.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.WorkerType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Holds the index of workers to what a sorted set would answer. */
final class SortedWorkersProperties {
  /** Pairs a worker with its key, in the order of the index. */
  private record Entry(long key, WorkerState worker) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      return Comparator.comparingLong(Entry::key)
          .thenComparing(e -> e.worker.id, Comparator.reverseOrder())
          .compare(this, other);
    }
  }

  private final WorkerTable table = new WorkerTable();
  private final PoolState pool =
      new PoolState(0, WorkerType.builder("cpu").build(), new PoolState.Clock(), table);

  /**
   * Mixes what an engine does: workers come, go, are given tasks (their key grows, mostly to near
   * the end), and are late; keys often coincide.
   */
  @Property(tries = 300)
  void answersLikeASortedSet(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 900) int most, @ForAll boolean growing) {
    SplittableRandom random = new SplittableRandom(seed);
    SortedWorkers index = new SortedWorkers(table);
    TreeSet<Entry> oracle = new TreeSet<>();
    List<Entry> entries = new ArrayList<>();
    long now = 0;
    for (int step = 0; step < 4_000; step++) {
      now += random.nextInt(3);
      if (entries.isEmpty() || (entries.size() < most && random.nextInt(4) == 0)) {
        WorkerState worker = new WorkerState(step, table.takeSlot(), pool, now, now);
        table.put(worker);
        add(index, oracle, entries, new Entry(now + random.nextInt(200), worker));
      } else if (random.nextInt(20) == 0) {
        Entry entry = entries.remove(random.nextInt(entries.size()));
        oracle.remove(entry);
        index.remove(entry.worker, entry.key);
        table.freeSlot(entry.worker.slot);
      } else {
        long limit = now + random.nextInt(300);
        Entry floor = floor(oracle, limit);
        assertThat(index.floor(limit)).isSameAs(floor == null ? null : floor.worker);
        Entry old = floor == null ? entries.get(random.nextInt(entries.size())) : floor;
        long key = old.key + (growing ? random.nextInt(40) : random.nextInt(400) - 200);
        index.rekey(old.worker, old.key, key);
        oracle.remove(old);
        Entry moved = new Entry(key, old.worker);
        oracle.add(moved);
        entries.set(entries.indexOf(old), moved);
      }
      assertThat(index.size()).isEqualTo(oracle.size());
      if (!oracle.isEmpty()) {
        assertThat(index.first()).isSameAs(oracle.first().worker);
      }
    }
  }

  private static void add(
      SortedWorkers index, NavigableSet<Entry> oracle, List<Entry> entries, Entry entry) {
    index.insert(entry.worker, entry.key);
    oracle.add(entry);
    entries.add(entry);
  }

  private static @Nullable Entry floor(NavigableSet<Entry> oracle, long limit) {
    for (Entry entry : oracle.descendingSet()) {
      if (entry.key <= limit) {
        return entry;
      }
    }
    return null;
  }
}
