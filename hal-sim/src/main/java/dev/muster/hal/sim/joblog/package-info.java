/** Reads and generates logs of batch jobs, with what was known at submission kept apart. */
@NullMarked
package dev.muster.hal.sim.joblog;

import org.jspecify.annotations.NullMarked;
