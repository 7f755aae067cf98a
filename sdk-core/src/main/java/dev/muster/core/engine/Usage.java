package dev.muster.core.engine;

import dev.muster.api.WorkerType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * Accounts for what the workers of a fleet used up to a time, in exact integers.
 *
 * <p>Times are integrated at state changes, never sampled. Energy is {@code spinUp*B + spinDown*B +
 * load*B + sum(busy*P) + idle*I} and cost is {@code (spinUp + alive + spinDown)*C} per type (Spork,
 * section 5.1: spin-up and spin-down draw busy power, and occupation is what costs money).
 *
 * @param pools one entry per worker type, in the order of the fleet
 */
public record Usage(List<Pool> pools) {
  private static final BigDecimal PICOJOULES_PER_JOULE = new BigDecimal("1e12");
  private static final BigDecimal UNITS_PER_DOLLAR = new BigDecimal("3.6e18");

  /** Creates an account. */
  public Usage {
    pools = List.copyOf(pools);
  }

  /** Returns the energy of all pools in picojoules (milliwatt nanoseconds). */
  public BigInteger energyPicojoules() {
    return pools.stream().map(Pool::energyPicojoules).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Returns the cost of all pools in microdollar-nanoseconds per hour; 3.6e18 make a dollar. */
  public BigInteger costUnits() {
    return pools.stream().map(Pool::costUnits).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Returns the energy of all pools in joules. */
  public double energyJoules() {
    return joules(energyPicojoules());
  }

  /** Returns the cost of all pools in dollars. */
  public double costDollars() {
    return dollars(costUnits());
  }

  /** Converts picojoules to joules. */
  public static double joules(BigInteger picojoules) {
    return new BigDecimal(picojoules).divide(PICOJOULES_PER_JOULE).doubleValue();
  }

  /** Converts cost units to dollars. */
  public static double dollars(BigInteger costUnits) {
    return new BigDecimal(costUnits)
        .divide(UNITS_PER_DOLLAR, java.math.MathContext.DECIMAL128)
        .doubleValue();
  }

  /**
   * Accounts for one pool.
   *
   * @param type the worker type
   * @param provisioned workers provisioned (spin-ups)
   * @param lost workers lost
   * @param completed tasks completed
   * @param missed tasks completed after their deadline
   * @param spinUpNanos time spent spinning up
   * @param aliveNanos time between ready and release or loss
   * @param loadNanos time spent loading images, within alive
   * @param spinDownNanos time spent spinning down
   * @param busy time spent running tasks, by power, within alive
   */
  public record Pool(
      WorkerType type,
      long provisioned,
      long lost,
      long completed,
      long missed,
      long spinUpNanos,
      long aliveNanos,
      long loadNanos,
      long spinDownNanos,
      List<Busy> busy) {
    /** Creates an account. */
    public Pool {
      busy = List.copyOf(busy);
    }

    /** Returns the time spent running tasks. */
    public long busyNanos() {
      return busy.stream().mapToLong(Busy::nanos).sum();
    }

    /** Returns the time spent ready with nothing to do. */
    public long idleNanos() {
      return aliveNanos - loadNanos - busyNanos();
    }

    /** Returns the energy of spinning up and down, in picojoules. */
    public BigInteger transitionEnergyPicojoules() {
      return product(spinUpNanos + spinDownNanos, type.busyPowerMilliwatts());
    }

    /** Returns the energy of loading images, in picojoules. */
    public BigInteger loadEnergyPicojoules() {
      return product(loadNanos, type.busyPowerMilliwatts());
    }

    /** Returns the energy of running tasks, in picojoules. */
    public BigInteger busyEnergyPicojoules() {
      BigInteger sum = BigInteger.ZERO;
      for (Busy part : busy) {
        sum = sum.add(product(part.nanos(), part.powerMilliwatts()));
      }
      return sum;
    }

    /** Returns the energy of idling, in picojoules. */
    public BigInteger idleEnergyPicojoules() {
      return product(idleNanos(), type.idlePowerMilliwatts());
    }

    /** Returns the energy, in picojoules. */
    public BigInteger energyPicojoules() {
      return transitionEnergyPicojoules()
          .add(loadEnergyPicojoules())
          .add(busyEnergyPicojoules())
          .add(idleEnergyPicojoules());
    }

    /** Returns the cost, in microdollar-nanoseconds per hour. */
    public BigInteger costUnits() {
      return product(spinUpNanos, type.priceMicrodollarsPerHour())
          .add(product(aliveNanos, type.priceMicrodollarsPerHour()))
          .add(product(spinDownNanos, type.priceMicrodollarsPerHour()));
    }

    private static BigInteger product(long a, long b) {
      return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }
  }

  /**
   * Sums running time at one power.
   *
   * @param powerMilliwatts the power
   * @param nanos the time
   */
  public record Busy(long powerMilliwatts, long nanos) {}
}
