/** Models cards and hosts in cycles, bytes and picojoules: what scheduling can tell apart. */
@NullMarked
package dev.muster.hal.sim.device;

import org.jspecify.annotations.NullMarked;
