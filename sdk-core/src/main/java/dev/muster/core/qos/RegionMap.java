package dev.muster.core.qos;

import dev.muster.api.InvalidInputException;
import dev.muster.api.SchedulingContext;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerPool;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Knows which blocks of a layout are workers now, and turns free slots into the block asked for.
 *
 * <p>A block becomes a worker when it is claimed: idle workers that share a slot with it are
 * released first, so that no slot ever belongs to two workers (POL-5). A worker stays, with its
 * design loaded, until its slots are needed for another block.
 */
final class RegionMap {
  final RegionLayout layout;
  final WorkerPool[] pools;
  final long[] masks;

  /** Holds the first block of each kind, and the number of blocks at the end. */
  final int[] firstOfKind;

  final @Nullable Worker[] workers;

  /** Holds the variant that was last given to the worker of a block. */
  final @Nullable Variant[] configured;

  final long[] slotUsedNanos;
  long busySlots;
  private int[] blockBySlot = new int[16];

  RegionMap(RegionLayout layout, List<WorkerPool> fleet) {
    this.layout = layout;
    List<RegionLayout.Block> blocks = layout.blocks();
    pools = new WorkerPool[layout.kinds().size()];
    firstOfKind = new int[pools.length + 1];
    for (int kind = 0; kind < pools.length; kind++) {
      pools[kind] = poolNamed(layout.kinds().get(kind).name(), fleet);
    }
    masks = new long[blocks.size()];
    for (int block = 0; block < masks.length; block++) {
      masks[block] = blocks.get(block).mask();
      firstOfKind[blocks.get(block).kind() + 1] = block + 1;
    }
    workers = new Worker[masks.length];
    configured = new Variant[masks.length];
    slotUsedNanos = new long[layout.slots()];
    Arrays.fill(slotUsedNanos, -1);
    Arrays.fill(blockBySlot, -1);
  }

  private static WorkerPool poolNamed(String name, List<WorkerPool> fleet) {
    for (WorkerPool pool : fleet) {
      if (pool.type().name().equals(name)) {
        return pool;
      }
    }
    throw InvalidInputException.of(
        "worker types",
        fleet.stream().map(p -> p.type().name()).toList(),
        "must include \"" + name + '"',
        "take the types from RegionFleet.of with the layout of the policy");
  }

  long allSlots() {
    return -1L >>> (RegionLayout.MAX_SLOTS - layout.slots());
  }

  boolean isFree(int block) {
    return (masks[block] & busySlots) == 0;
  }

  /** Returns the block of a worker, or -1 if it is not of a region. */
  int blockOf(Worker worker) {
    int slot = worker.slot();
    int block = slot < blockBySlot.length ? blockBySlot[slot] : -1;
    Worker holder = block < 0 ? null : workers[block];
    return holder != null && holder.id() == worker.id() ? block : -1;
  }

  /**
   * Makes a free block a busy worker.
   *
   * @param fresh whether a worker that has the same design loaded must not be used again
   * @return the worker, or null if the fleet refused it
   */
  @Nullable Worker claim(int block, Variant variant, boolean fresh, SchedulingContext context) {
    for (int other = 0; other < masks.length; other++) {
      Worker worker = workers[other];
      if (worker != null && (masks[other] & masks[block]) != 0) {
        boolean isSame = other == block && !(fresh && isLoaded(worker, variant));
        if (!isSame) {
          context.release(worker);
        }
      }
    }
    Worker worker = workers[block];
    if (worker == null) {
      int kind = layout.blocks().get(block).kind();
      worker = context.provision(pools[kind]);
      if (worker == null && releaseIdle(kind, context)) {
        worker = context.provision(pools[kind]);
      }
      if (worker == null) {
        return null;
      }
      adopt(block, worker);
    }
    configured[block] = variant;
    busySlots |= masks[block];
    for (long rest = masks[block]; rest != 0; rest &= rest - 1) {
      slotUsedNanos[Long.numberOfTrailingZeros(rest)] = context.nowNanos();
    }
    return worker;
  }

  /** Gives an idle worker of a kind back, where the fleet has fewer than the layout has blocks. */
  private boolean releaseIdle(int kind, SchedulingContext context) {
    for (int block = firstOfKind[kind]; block < firstOfKind[kind + 1]; block++) {
      Worker worker = workers[block];
      if (worker != null && isFree(block)) {
        context.release(worker);
        return true;
      }
    }
    return false;
  }

  /** Returns how long it takes to load a design into a block. */
  long loadNanos(int block) {
    return pools[layout.blocks().get(block).kind()].type().loadNanos();
  }

  private static boolean isLoaded(Worker worker, Variant variant) {
    String image = variant.image();
    return image != null && image.equals(worker.image());
  }

  private void adopt(int block, Worker worker) {
    int slot = worker.slot();
    if (slot >= blockBySlot.length) {
      int old = blockBySlot.length;
      blockBySlot = Arrays.copyOf(blockBySlot, Math.max(old * 2, slot + 1));
      Arrays.fill(blockBySlot, old, blockBySlot.length, -1);
    }
    blockBySlot[slot] = block;
    workers[block] = worker;
  }

  /** Notes that the worker of a block has nothing left to do. */
  void vacate(int block) {
    busySlots &= ~masks[block];
  }

  /** Forgets a worker that was released or lost. */
  void forget(Worker worker) {
    int block = blockOf(worker);
    if (block >= 0) {
      vacate(block);
      workers[block] = null;
      configured[block] = null;
    }
  }

  /** Keeps idle reclamation away from the regions, or lets it have them. */
  void keep(boolean value, SchedulingContext context) {
    for (WorkerPool pool : pools) {
      context.keep(pool, value ? layout.slots() : 0);
    }
  }
}
