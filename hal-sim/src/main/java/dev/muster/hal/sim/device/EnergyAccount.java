package dev.muster.hal.sim.device;

/**
 * Adds up energy in whole picojoules, by part.
 *
 * <p>Milliwatts times nanoseconds are picojoules, so every part is exact, and so is their sum. An
 * overflow, at about 9 MJ, throws {@link ArithmeticException}.
 */
public final class EnergyAccount {
  private long staticPicojoules;
  private long dynamicPicojoules;
  private long transferPicojoules;
  private long reconfigurePicojoules;

  /** Creates an empty account. */
  public static EnergyAccount create() {
    return new EnergyAccount();
  }

  private EnergyAccount() {}

  void chargeStatic(long milliwatts, long nanos) {
    staticPicojoules = plus(staticPicojoules, milliwatts, nanos);
  }

  void chargeDynamic(long milliwatts, long nanos) {
    dynamicPicojoules = plus(dynamicPicojoules, milliwatts, nanos);
  }

  void chargeTransfer(long picojoulesPerByte, long bytes) {
    transferPicojoules = plus(transferPicojoules, picojoulesPerByte, bytes);
  }

  void chargeReconfiguration(long milliwatts, long nanos) {
    reconfigurePicojoules = plus(reconfigurePicojoules, milliwatts, nanos);
  }

  private static long plus(long sum, long factor, long amount) {
    return Math.addExact(sum, Math.multiplyExact(factor, amount));
  }

  /** Returns the energy of the idle cards in pJ. */
  public long staticPicojoules() {
    return staticPicojoules;
  }

  /** Returns the energy of busy units in pJ. */
  public long dynamicPicojoules() {
    return dynamicPicojoules;
  }

  /** Returns the energy of transfers in pJ. */
  public long transferPicojoules() {
    return transferPicojoules;
  }

  /** Returns the energy of reconfigurations in pJ. */
  public long reconfigurePicojoules() {
    return reconfigurePicojoules;
  }

  /** Returns the sum of the parts in pJ. */
  public long totalPicojoules() {
    return Math.addExact(
        Math.addExact(staticPicojoules, dynamicPicojoules),
        Math.addExact(transferPicojoules, reconfigurePicojoules));
  }
}
