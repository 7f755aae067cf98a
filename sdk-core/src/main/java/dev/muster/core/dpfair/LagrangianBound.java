package dev.muster.core.dpfair;

/**
 * Bounds the cost of completing a choice of variants from below, in whole numbers.
 *
 * <p>Every plan's demands add up to at most the capacity, so for a price u >= 0 per microsecond its
 * cost is at least sum(cost + u * demand) - u * capacity, and each task's term is at least its
 * minimum over the variants. The best price is where the cheapest variants just fit, the slope of
 * the linear relaxation ({@link VariantHulls#price}); half and twice that serve prefixes that left
 * it. Prices are fractions with a power of two below, chosen so that no sum overflows.
 */
final class LagrangianBound {
  private static final int MAX_SHIFT = 20;

  private final SliceModel model;
  private final int shift;
  private final long capacity;
  private final long[] prices;

  /** Least priced cost of the tasks from k on, by price and k. */
  private final long[][] rest;

  /** Least demand of the tasks from k on. */
  private final long[] leastDemand;

  LagrangianBound(SliceModel model, VariantHulls hulls) {
    this.model = model;
    capacity = model.capacity();
    long costs = 0;
    long demands = capacity;
    for (int k = 0; k < model.tasks; k++) {
      costs += maxMagnitude(model.cost[k]);
      demands += maxMagnitude(model.demand[k]);
    }
    shift = Math.clamp(Long.numberOfLeadingZeros(costs | 1) - 4, 0, MAX_SHIFT);
    long most = (Long.MAX_VALUE >> 2) / demands;
    long best = (long) Math.min(hulls.price(capacity) * (1L << shift), (double) most);
    prices = new long[] {0, best / 2, best, Math.min(most, best * 2)};
    rest = new long[prices.length][model.tasks + 1];
    leastDemand = new long[model.tasks + 1];
    for (int k = model.tasks - 1; k >= 0; k--) {
      long least = Long.MAX_VALUE;
      for (long demand : model.demand[k]) {
        least = Math.min(least, demand);
      }
      leastDemand[k] = leastDemand[k + 1] + least;
      for (int p = 0; p < prices.length; p++) {
        rest[p][k] = rest[p][k + 1] + leastPriced(k, prices[p]);
      }
    }
  }

  private long leastPriced(int task, long price) {
    long least = Long.MAX_VALUE;
    for (int v = 0; v < model.cost[task].length; v++) {
      least = Math.min(least, (model.cost[task][v] << shift) + price * model.demand[task][v]);
    }
    return least;
  }

  private static long maxMagnitude(long[] values) {
    long most = 0;
    for (long value : values) {
      most = Math.max(most, Math.abs(value));
    }
    return most;
  }

  /** Tells whether tasks from k on can fit beside what the ones before demand. */
  boolean fits(int task, long demandBefore) {
    return demandBefore + leastDemand[task] <= capacity;
  }

  /** Returns the least cost of any plan whose tasks before k cost and demand what is given. */
  long of(int task, long costBefore, long demandBefore) {
    long best = Long.MIN_VALUE;
    for (int p = 0; p < prices.length; p++) {
      long priced = (costBefore << shift) + rest[p][task] + prices[p] * (demandBefore - capacity);
      best = Math.max(best, priced);
    }
    long floorOfNegative = -best >> shift;
    return -floorOfNegative; // rounded up
  }
}
