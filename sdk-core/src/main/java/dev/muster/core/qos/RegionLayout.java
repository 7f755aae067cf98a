package dev.muster.core.qos;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides a device into slots, and lists the blocks of adjacent slots that can serve as a region.
 *
 * <p>Blocks of equal capacity are of one kind; kinds come by increasing area, and each becomes one
 * worker type. Two blocks that share a slot are never workers at the same time.
 */
public final class RegionLayout {
  /** Bounds the slots, so that a set of them fits a long. */
  public static final int MAX_SLOTS = 64;

  private final int slots;
  private final List<Kind> kinds;
  private final List<Block> blocks;

  private RegionLayout(int slots, List<Kind> kinds, List<Block> blocks) {
    this.slots = slots;
    this.kinds = List.copyOf(kinds);
    this.blocks = List.copyOf(blocks);
  }

  /**
   * Describes blocks that share a capacity.
   *
   * @param name the name of their worker type
   * @param capacity what one offers
   * @param area what one takes of the device, in any unit that compares between kinds
   */
  public record Kind(String name, Footprint capacity, long area) {}

  /**
   * Describes one region a device can have.
   *
   * @param kind index in {@link #kinds()}
   * @param firstSlot lowest slot
   * @param slots number of adjacent slots, at least 1
   */
  public record Block(int kind, int firstSlot, int slots) {
    /** Returns the slots as a set of bits. */
    public long mask() {
      return (-1L >>> (MAX_SLOTS - slots)) << firstSlot;
    }
  }

  /** Divides a device into equal regions, as the paper does; M2, M3, M4 have 1, 2 and 4. */
  public static RegionLayout symmetric(LibraryDevice device, int regions) {
    requireSlots(regions);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      blocks.add(new Block(0, i, 1));
    }
    return new RegionLayout(
        regions, List.of(new Kind("region", device.share(1, regions), 1)), blocks);
  }

  /**
   * Divides a device into equal slots of which 2, 4, 8, ... adjacent and aligned ones can merge.
   *
   * @param slots a power of two
   */
  public static RegionLayout mergeable(LibraryDevice device, int slots) {
    requireSlots(slots);
    if (Integer.bitCount(slots) != 1) {
      throw InvalidInputException.of(
          "mergeable slots", slots, "must be a power of two", "use 4, 8 or 16");
    }
    List<Kind> kinds = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    for (int width = 1; width <= slots; width *= 2) {
      for (int first = 0; first < slots; first += width) {
        blocks.add(new Block(kinds.size(), first, width));
      }
      kinds.add(new Kind("region-x" + width, device.share(width, slots), width));
    }
    return new RegionLayout(slots, kinds, blocks);
  }

  /**
   * Divides a device into regions of different sizes that never merge, the smallest first.
   *
   * @throws InvalidInputException if together they exceed the device
   */
  public static RegionLayout asymmetric(LibraryDevice device, List<Footprint> regions) {
    requireSlots(regions.size());
    Footprint sum = regions.stream().reduce(Footprint.NONE, Footprint::plus);
    if (!sum.fitsIn(device.total())) {
      throw InvalidInputException.of(
          "asymmetric regions", sum, "must fit " + device + " together", "shrink some of them");
    }
    List<Footprint> sorted = new ArrayList<>(regions);
    sorted.sort(java.util.Comparator.comparingLong((Footprint f) -> area(f, device)));
    List<Kind> kinds = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      if (i == 0 || !sorted.get(i).equals(sorted.get(i - 1))) {
        kinds.add(new Kind("region-" + kinds.size(), sorted.get(i), area(sorted.get(i), device)));
      }
      blocks.add(new Block(kinds.size() - 1, i, 1));
    }
    return new RegionLayout(sorted.size(), kinds, blocks);
  }

  /** Returns the number of slots. */
  public int slots() {
    return slots;
  }

  /** Returns the kinds of regions, by increasing area. */
  public List<Kind> kinds() {
    return kinds;
  }

  /** Returns every region the device can have, by kind, then first slot. */
  public List<Block> blocks() {
    return blocks;
  }

  /** Returns the largest share of any resource, in thousandths, at least 1. */
  private static long area(Footprint region, LibraryDevice device) {
    Footprint total = device.total();
    long share = Math.max(1, region.lut() * 1000 / total.lut());
    share = Math.max(share, total.ff() == 0 ? 0 : region.ff() * 1000 / total.ff());
    share = Math.max(share, total.bram() == 0 ? 0 : region.bram() * 1000 / total.bram());
    return Math.max(share, total.dsp() == 0 ? 0 : region.dsp() * 1000 / total.dsp());
  }

  private static void requireSlots(int slots) {
    if (slots < 1 || slots > MAX_SLOTS) {
      throw InvalidInputException.of(
          "regions", slots, "must be between 1 and " + MAX_SLOTS, "correct the number");
    }
  }
}
