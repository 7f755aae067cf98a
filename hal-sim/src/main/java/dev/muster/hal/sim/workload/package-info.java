/** Generates workloads and reads traces. */
@NullMarked
package dev.muster.hal.sim.workload;

import org.jspecify.annotations.NullMarked;
