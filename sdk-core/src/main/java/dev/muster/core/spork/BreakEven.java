package dev.muster.core.spork;

import dev.muster.api.Objective;
import dev.muster.api.WorkerType;
import java.math.BigInteger;

/**
 * Weighs an accelerator against the base worker: rates, break-even load, and workers needed.
 *
 * <p>Spork, section 4.2 and equation 1. All arithmetic is exact. Let B, I and C be busy power, idle
 * power and price, index f the accelerator and c the base worker, and S the accelerator's speedup.
 * The rates (busy accelerator b_f, idle accelerator i_f, busy base b_c) are (B_f, I_f, B_c) for
 * energy, (C_f, C_f, C_c) for cost, and for weights (e, k) the sums {@code e*power*C_f +
 * k*price*B_f}, which value one busy accelerator equally in both terms.
 *
 * <p>The break-even load of an interval T_s is {@code floor(T_s * i_f * Sn / (Sn*b_c - Sd*(b_f -
 * i_f)))} of base-worker time: above it one more accelerator pays off. The paper states equation 1
 * in base-worker time and compares it with accelerator time in Algorithm 1; here both are
 * base-worker time.
 */
public final class BreakEven {
  private final BigInteger busyAccelerator;
  private final BigInteger idleAccelerator;
  private final BigInteger busyBase;
  private final long speedupNumerator;
  private final long speedupDenominator;
  private final long intervalNanos;
  private final long thresholdNanos;

  private BreakEven(
      WorkerType accelerator, WorkerType base, Objective objective, long intervalNanos) {
    this.intervalNanos = intervalNanos;
    speedupNumerator = (long) accelerator.speedupNumerator() * base.speedupDenominator();
    speedupDenominator = (long) accelerator.speedupDenominator() * base.speedupNumerator();
    Rate rate = Rate.of(accelerator, objective);
    long price = accelerator.priceMicrodollarsPerHour();
    busyAccelerator = rate.at(accelerator.busyPowerMilliwatts(), price);
    idleAccelerator = rate.at(accelerator.idlePowerMilliwatts(), price);
    busyBase = rate.at(base.busyPowerMilliwatts(), base.priceMicrodollarsPerHour());
    thresholdNanos = threshold();
  }

  /**
   * Creates the calculation for an interval.
   *
   * @param accelerator the type for the steady load
   * @param base the type for bursts
   * @param objective what to minimise
   * @param intervalNanos T_s, at least 1
   */
  public static BreakEven of(
      WorkerType accelerator, WorkerType base, Objective objective, long intervalNanos) {
    return new BreakEven(accelerator, base, objective, intervalNanos);
  }

  /**
   * Returns the load of an interval, in nanoseconds of base-worker time, above which one more
   * accelerator pays off; {@link Long#MAX_VALUE} if it never does.
   */
  public long thresholdNanos() {
    return thresholdNanos;
  }

  /**
   * Returns how many accelerators the load of an interval called for (Algorithm 1, lines 3-8).
   *
   * @param acceleratorNanos service time of the tasks given to accelerators
   * @param baseNanos service time of the tasks given to base workers
   */
  public int workersNeeded(long acceleratorNanos, long baseNanos) {
    BigInteger numerator = BigInteger.valueOf(speedupNumerator);
    BigInteger denominator = BigInteger.valueOf(speedupDenominator);
    BigInteger demand =
        BigInteger.valueOf(acceleratorNanos)
            .multiply(numerator)
            .divide(denominator)
            .add(BigInteger.valueOf(baseNanos))
            .multiply(denominator);
    BigInteger[] whole =
        demand.divideAndRemainder(BigInteger.valueOf(intervalNanos).multiply(numerator));
    long remainderNanos = whole[1].divide(denominator).longValueExact();
    int workers = whole[0].intValueExact();
    return remainderNanos > thresholdNanos ? workers + 1 : workers;
  }

  /** Returns the rate b_f of a busy accelerator. */
  BigInteger busyAccelerator() {
    return busyAccelerator;
  }

  /** Returns the rate i_f of an idle accelerator. */
  BigInteger idleAccelerator() {
    return idleAccelerator;
  }

  /** Returns floor(workers * S * b_c): the rate of serving so many accelerators' work on base. */
  BigInteger baseInsteadOf(long workers) {
    return busyBase
        .multiply(BigInteger.valueOf(workers * speedupNumerator))
        .divide(BigInteger.valueOf(speedupDenominator));
  }

  private long threshold() {
    BigInteger denominator =
        busyBase
            .multiply(BigInteger.valueOf(speedupNumerator))
            .subtract(
                busyAccelerator
                    .subtract(idleAccelerator)
                    .multiply(BigInteger.valueOf(speedupDenominator)));
    if (denominator.signum() <= 0) {
      return Long.MAX_VALUE;
    }
    BigInteger nanos =
        BigInteger.valueOf(intervalNanos)
            .multiply(idleAccelerator)
            .multiply(BigInteger.valueOf(speedupNumerator))
            .divide(denominator);
    return nanos.bitLength() > 63 ? Long.MAX_VALUE : nanos.longValueExact();
  }

  /** Combines power and price into one exact rate. */
  private record Rate(BigInteger powerFactor, BigInteger priceFactor) {
    static Rate of(WorkerType accelerator, Objective objective) {
      if (objective.costWeight() == 0) {
        return new Rate(BigInteger.ONE, BigInteger.ZERO);
      }
      if (objective.energyWeight() == 0) {
        return new Rate(BigInteger.ZERO, BigInteger.ONE);
      }
      return new Rate(
          BigInteger.valueOf(objective.energyWeight())
              .multiply(BigInteger.valueOf(accelerator.priceMicrodollarsPerHour())),
          BigInteger.valueOf(objective.costWeight())
              .multiply(BigInteger.valueOf(accelerator.busyPowerMilliwatts())));
    }

    BigInteger at(long milliwatts, long microdollarsPerHour) {
      return powerFactor
          .multiply(BigInteger.valueOf(milliwatts))
          .add(priceFactor.multiply(BigInteger.valueOf(microdollarsPerHour)));
    }
  }
}
