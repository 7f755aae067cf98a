package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.Origin;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Holds what one tool report says of one design.
 *
 * @param source the file, for messages
 * @param name top function, kernel or compute unit
 * @param part device or platform, if the report names it
 * @param clockPicos period the design was estimated or routed for, empty when not in the report
 * @param latencyCycles worst-case cycles of one run, empty when the tool could not tell
 * @param used counts of resources used
 * @param available counts of resources there are, if the report says
 * @param origin how far the figures can be trusted
 */
public record DesignReport(
    String source,
    String name,
    @Nullable String part,
    OptionalLong clockPicos,
    OptionalLong latencyCycles,
    Footprint used,
    @Nullable Footprint available,
    Origin origin) {
  /**
   * Returns the time of one run in nanoseconds, rounded up.
   *
   * @throws InvalidInputException if the report has no latency or no clock
   */
  public long latencyNanos() {
    if (latencyCycles.isEmpty() || clockPicos.isEmpty()) {
      throw InvalidInputException.of(
          source + " latency of " + name,
          latencyCycles.isEmpty() ? "undef" : "no clock",
          "gives no execution time",
          "bound the loops with a tripcount, or give the measured time with --exec-ms");
    }
    long picos = Math.multiplyExact(latencyCycles.getAsLong(), clockPicos.getAsLong());
    return (picos + 999) / 1000;
  }
}
