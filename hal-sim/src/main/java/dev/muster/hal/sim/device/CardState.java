package dev.muster.hal.sim.device;

import java.util.Arrays;

/**
 * Follows the phases of one card's regions as a fluid: rates change only when a phase begins or
 * ends.
 *
 * <p>A phase has an amount of work in nanoseconds at full speed. A fixed phase always runs at rate
 * 1; n transfers in a direction (or on the link, if it is not full duplex) run at 1/n each; a
 * computation that needs b bytes of memory a nanosecond and is granted g runs at {@code min(1,
 * g/b)}, grants being max-min fair in its memory pool. With R regions and B banks there are {@code
 * min(R, B)} pools of {@code B / pools} banks each; region r uses pool {@code r mod pools}. A phase
 * ends at the first whole nanosecond at which its work is done.
 *
 * <p>O(R) per change, O(R^2) where memory is short. For use by one thread.
 */
public final class CardState {
  /** Says how a phase advances. */
  public enum Phase {
    /** Waits for its work's time. */
    FIXED(0),
    /** Moves bytes to the card. */
    TO_CARD(1),
    /** Moves bytes from the card. */
    FROM_CARD(2),
    /** Computes, and stalls when memory is short. */
    COMPUTE(3);

    private final byte code;

    Phase(int code) {
      this.code = (byte) code;
    }
  }

  private static final byte IDLE = -1;

  private final boolean fullDuplex;
  private final int regions;
  private final int pools;
  private final double poolBytesPerNano;
  private final byte[] kind;
  private final double[] left;
  private final double[] rate;
  private final long[] end;
  private final double[] demand;
  private final double[] demands;
  private final double[] shares;
  private long lastNanos;
  private int nextRegion = -1;
  private long nextNanos = Long.MAX_VALUE;

  private CardState(DeviceModel model, int regions) {
    this.regions = regions;
    fullDuplex = model.pcieFullDuplex();
    pools = Math.min(regions, model.memoryBanks());
    poolBytesPerNano = model.bankBytesPerMicro() * (double) model.memoryBanks() / pools / 1_000;
    kind = new byte[regions];
    Arrays.fill(kind, IDLE);
    left = new double[regions];
    rate = new double[regions];
    end = new long[regions];
    demand = new double[regions];
    demands = new double[regions];
    shares = new double[regions];
  }

  /** Creates an idle card of 1 to 64 regions. */
  public static CardState of(DeviceModel model, int regions) {
    KernelModel.require("regions", regions, 1, 64);
    return new CardState(model, regions);
  }

  /**
   * Begins a phase on an idle region.
   *
   * @param nowNanos the time, never before the last call's
   * @param workNanos work in ns at full speed, at least 0
   * @param bytesPerNano memory that a computation needs in bytes/ns; 0 for other phases
   */
  public void begin(long nowNanos, int region, Phase phase, double workNanos, double bytesPerNano) {
    advance(nowNanos);
    kind[region] = phase.code;
    left[region] = workNanos;
    demand[region] = phase == Phase.COMPUTE ? bytesPerNano : 0;
    rate[region] = 0;
    settle();
  }

  /** Ends a region's phase, finished or not, and returns the work in ns that was left. */
  public double end(long nowNanos, int region) {
    advance(nowNanos);
    kind[region] = IDLE;
    demand[region] = 0;
    settle();
    return left[region];
  }

  /** Returns the region whose phase ends first, the lowest on a tie, or -1. O(1). */
  public int nextRegion() {
    return nextRegion;
  }

  /** Returns when that is, or {@link Long#MAX_VALUE}. O(1). */
  public long nextNanos() {
    return nextNanos;
  }

  /** Returns the rate at which a region's phase advances, 0 to 1. */
  public double rate(int region) {
    return kind[region] == IDLE ? 0 : rate[region];
  }

  private void advance(long nowNanos) {
    if (nowNanos == lastNanos) {
      return;
    }
    double passed = nowNanos - lastNanos;
    for (int i = 0; i < regions; i++) {
      if (kind[i] != IDLE) {
        left[i] = nowNanos >= end[i] ? 0 : Math.max(0, left[i] - passed * rate[i]);
      }
    }
    lastNanos = nowNanos;
  }

  private void settle() {
    int in = 0;
    int out = 0;
    boolean memory = false;
    for (int i = 0; i < regions; i++) {
      in += kind[i] == 1 ? 1 : 0;
      out += kind[i] == 2 ? 1 : 0;
      memory |= demand[i] > 0;
    }
    if (!fullDuplex) {
      in += out;
      out = in;
    }
    nextRegion = -1;
    nextNanos = Long.MAX_VALUE;
    for (int pool = 0; memory && pool < pools; pool++) {
      grant(pool);
    }
    for (int i = 0; i < regions; i++) {
      if (kind[i] != IDLE) {
        double now =
            switch (kind[i]) {
              case 1 -> 1.0 / in;
              case 2 -> 1.0 / out;
              case 3 -> demand[i] > 0 ? Math.min(1, shares[i] / demand[i]) : 1;
              default -> 1;
            };
        if (now != rate[i]) {
          rate[i] = now;
          // A millionth of a nanosecond is rounding, not work.
          end[i] = lastNanos + (long) Math.ceil(left[i] / now - 1e-6);
        }
        if (end[i] < nextNanos) {
          nextNanos = end[i];
          nextRegion = i;
        }
      }
    }
  }

  /** Shares one pool; the demands of other pools count as 0. */
  private void grant(int pool) {
    double wanted = 0;
    for (int i = pool; i < regions; i += pools) {
      wanted += demand[i];
    }
    if (wanted <= poolBytesPerNano) {
      for (int i = pool; i < regions; i += pools) {
        shares[i] = demand[i];
      }
      return;
    }
    double[] poolShares = new double[regions];
    Arrays.fill(demands, 0);
    for (int i = pool; i < regions; i += pools) {
      demands[i] = demand[i];
    }
    MaxMinFair.share(poolBytesPerNano, demands, poolShares);
    for (int i = pool; i < regions; i += pools) {
      shares[i] = poolShares[i];
    }
  }
}
