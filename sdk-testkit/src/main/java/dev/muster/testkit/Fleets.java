package dev.muster.testkit;

import dev.muster.api.WorkerType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generates fleets for properties. */
public final class Fleets {
  private Fleets() {}

  /**
   * Generates two types named {@code cpu} and {@code fpga}, often with a third: latencies from 0,
   * odd speeds, any power and price, sometimes few workers.
   */
  public static Arbitrary<List<WorkerType>> any() {
    return Combinators.combine(
            type("cpu", 0, 10_000),
            type("fpga", 100_000, 1_000_000),
            type("gpu", 100_000, 1_000_000),
            Arbitraries.of(2, 3))
        .as(
            (cpu, fpga, gpu, count) -> {
              List<WorkerType> types = new ArrayList<>(List.of(cpu, fpga, gpu));
              return types.subList(0, count);
            });
  }

  /**
   * Generates one type.
   *
   * @param leastSpinUpNanos least spin-up time; periodic policies decide as often as that
   * @param mostNanos greatest latency of any kind
   */
  public static Arbitrary<WorkerType> type(String name, int leastSpinUpNanos, int mostNanos) {
    Arbitrary<Long> latency = Arbitraries.longs().between(0, mostNanos);
    Arbitrary<Integer> term = Arbitraries.integers().between(1, 5);
    return Combinators.combine(
            latency.list().ofSize(4),
            term,
            term,
            Arbitraries.integers().between(0, 200),
            Arbitraries.integers().between(0, 100),
            Arbitraries.integers().between(0, 3_000),
            Arbitraries.of(1, 2, 5, Integer.MAX_VALUE))
        .as(
            (latencies, up, down, busy, idle, price, most) ->
                WorkerType.builder(name)
                    .spinUp(Duration.ofNanos(Math.max(leastSpinUpNanos, latencies.get(0))))
                    .spinDown(Duration.ofNanos(latencies.get(1)))
                    .idleTimeout(Duration.ofNanos(latencies.get(2)))
                    .load(Duration.ofNanos(latencies.get(3)))
                    .speedup(up, down)
                    .power(busy, idle)
                    .price(price / 1e3)
                    .maxWorkers(most)
                    .build());
  }
}
