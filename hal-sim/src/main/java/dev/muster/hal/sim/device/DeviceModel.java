package dev.muster.hal.sim.device;

import dev.muster.api.Footprint;

/**
 * Describes a card or a host; a copy of a preset, edited, describes yours.
 *
 * <p>Equations: a DMA transfer takes {@code latency + bytes / bandwidth} alone, and transfers that
 * share the link share its bandwidth equally; both directions share it unless it is full duplex. A
 * reconfiguration takes {@code fixed + bytes / bandwidth}. Power is {@code static + sum over units
 * (dynamic * activity) + transfers + reconfiguration}, where activity is the share of full speed at
 * which a unit advances, so a run's dynamic energy does not depend on how long memory stalls it.
 *
 * @param name a short name
 * @param clockKilohertz clock of the kernels in kHz
 * @param pcieLatencyNanos set-up time of a DMA transfer in ns
 * @param pcieBytesPerMicro bandwidth of the link, per direction if full duplex, in bytes/us (MB/s)
 * @param pcieFullDuplex whether the directions do not disturb each other
 * @param memoryBanks number of DDR or HBM banks
 * @param bankBytesPerMicro bandwidth of a bank in bytes/us (MB/s)
 * @param reconfigureFixedNanos fixed part of a reconfiguration in ns
 * @param reconfigureBytesPerMicro configuration bandwidth in bytes/us (MB/s)
 * @param imageBytes size of an image of the whole device in bytes
 * @param reconfigurePerRegion whether one region is loaded while others run
 * @param staticMilliwatts power of the idle device in mW
 * @param unitMilliwatts dynamic power of a busy compute unit in mW
 * @param transferPicojoulesPerByte energy of a transferred byte in pJ
 * @param reconfigureMilliwatts power of a reconfiguration on top of static in mW
 * @param cores cores of a host, 0 for a card
 * @param capacity fabric resources; BRAM in 18 Kb units
 */
public record DeviceModel(
    String name,
    long clockKilohertz,
    long pcieLatencyNanos,
    long pcieBytesPerMicro,
    boolean pcieFullDuplex,
    int memoryBanks,
    long bankBytesPerMicro,
    long reconfigureFixedNanos,
    long reconfigureBytesPerMicro,
    long imageBytes,
    boolean reconfigurePerRegion,
    long staticMilliwatts,
    long unitMilliwatts,
    long transferPicojoulesPerByte,
    long reconfigureMilliwatts,
    int cores,
    Footprint capacity) {
  private static final long MAX_RATE = 1L << 30;
  private static final long MAX_NANOS = 1L << 50;

  /** Checks the ranges. */
  public DeviceModel {
    KernelModel.require("clock (kHz)", clockKilohertz, 1, 10_000_000);
    KernelModel.require("PCIe latency (ns)", pcieLatencyNanos, 0, MAX_NANOS);
    KernelModel.require("PCIe bandwidth (MB/s)", pcieBytesPerMicro, 1, MAX_RATE);
    KernelModel.require("memory banks", memoryBanks, 1, 1_024);
    KernelModel.require("bank bandwidth (MB/s)", bankBytesPerMicro, 1, MAX_RATE);
    KernelModel.require("fixed reconfiguration (ns)", reconfigureFixedNanos, 0, MAX_NANOS);
    KernelModel.require("configuration bandwidth (MB/s)", reconfigureBytesPerMicro, 1, MAX_RATE);
    KernelModel.require("image size (bytes)", imageBytes, 0, 1L << 40);
    KernelModel.require("static power (mW)", staticMilliwatts, 0, 1_000_000_000);
    KernelModel.require("unit power (mW)", unitMilliwatts, 0, 1_000_000_000);
    KernelModel.require("transfer energy (pJ/byte)", transferPicojoulesPerByte, 0, 1_000_000);
    KernelModel.require("reconfiguration power (mW)", reconfigureMilliwatts, 0, 1_000_000_000);
    KernelModel.require("cores", cores, 0, 4_096);
  }

  /** Returns the time of a transfer that has the link to itself, latency included, in ns. */
  public long transferNanos(long bytes) {
    return pcieLatencyNanos + bytesToNanos(bytes, pcieBytesPerMicro);
  }

  /** Returns the time to load an image of some bytes in ns. */
  public long reconfigureNanos(long bytes) {
    return reconfigureFixedNanos + bytesToNanos(bytes, reconfigureBytesPerMicro);
  }

  /** Returns the bytes of an image of one of some equal regions; the whole image if device-wide. */
  public long regionImageBytes(int regions) {
    return reconfigurePerRegion ? Math.ceilDiv(imageBytes, regions) : imageBytes;
  }

  private static long bytesToNanos(long bytes, long bytesPerMicro) {
    KernelModel.require("bytes", bytes, 0, 1L << 53);
    return Math.ceilDiv(bytes * 1_000, bytesPerMicro);
  }
}
