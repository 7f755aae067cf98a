package dev.muster.hal.sim;

import dev.muster.core.engine.Tally;
import dev.muster.core.engine.Usage;

/**
 * Holds what one simulated run used and how its tasks ended. All figures are modelled.
 *
 * @param policy name of the policy
 * @param workload name of the workload
 * @param horizonNanos until when tasks arrived
 * @param endNanos when the last worker was gone
 * @param usage time, energy and cost by worker type
 * @param tally tasks by outcome
 */
public record SimulationResult(
    String policy, String workload, long horizonNanos, long endNanos, Usage usage, Tally tally) {}
