/** Owns tasks, fleet, timers and ledger, and turns events into commands. */
@NullMarked
package dev.muster.core.engine;

import org.jspecify.annotations.NullMarked;
