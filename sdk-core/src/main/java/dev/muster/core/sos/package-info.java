/** Implements stochastic online scheduling by virtual schedules, as published and improved. */
@NullMarked
package dev.muster.core.sos;

import org.jspecify.annotations.NullMarked;
