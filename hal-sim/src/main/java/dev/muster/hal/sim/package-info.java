/** Simulates devices and their faults with one event queue and a virtual clock. */
@NullMarked
package dev.muster.hal.sim;

import org.jspecify.annotations.NullMarked;
