package dev.muster.api;

import java.util.Map;

/** Creates a {@link Hal}; found by {@link java.util.ServiceLoader} on the class and module path. */
public interface HalProvider {
  /** Names the version of this SPI; a provider built for another one is refused. */
  int SPI_VERSION = 1;

  /** Returns the name by which a host asks for the layer, e.g. {@code "sim"}. */
  String name();

  /** Returns the SPI version the provider was built for. */
  default int spiVersion() {
    return SPI_VERSION;
  }

  /**
   * Creates the layer without opening it.
   *
   * @param options documented by each provider
   * @throws InvalidInputException if an option is unknown or out of range
   */
  Hal create(Map<String, String> options);
}
