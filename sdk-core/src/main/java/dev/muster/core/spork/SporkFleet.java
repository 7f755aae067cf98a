package dev.muster.core.spork;

import dev.muster.api.WorkerType;
import java.time.Duration;
import java.util.List;

/**
 * Holds the default worker types of the Spork evaluation (Table 6).
 *
 * <p>CPU: spin-up and spin-down 5 ms, 150 W busy, 30 W idle, $0.668 per hour. FPGA: spin-up 10 s,
 * spin-down 100 ms, twice as fast, 50 W busy, 20 W idle, $0.982 per hour. A worker is reclaimed
 * after idling as long as it takes to spin up.
 */
public final class SporkFleet {
  private SporkFleet() {}

  /** Returns the base worker type, named {@code "cpu"}. */
  public static WorkerType cpu() {
    return WorkerType.builder("cpu")
        .spinUp(Duration.ofMillis(5))
        .spinDown(Duration.ofMillis(5))
        .speedup(1)
        .power(150, 30)
        .price(0.668)
        .build();
  }

  /** Returns the accelerator type, named {@code "fpga"}. */
  public static WorkerType fpga() {
    return WorkerType.builder("fpga")
        .spinUp(Duration.ofSeconds(10))
        .spinDown(Duration.ofMillis(100))
        .speedup(2)
        .power(50, 20)
        .price(0.982)
        .build();
  }

  /** Returns both types, the base type first. */
  public static List<WorkerType> types() {
    return List.of(cpu(), fpga());
  }
}
