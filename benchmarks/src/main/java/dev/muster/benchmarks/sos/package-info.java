/** Measures decisions of stochastic online scheduling. */
@NullMarked
package dev.muster.benchmarks.sos;

import org.jspecify.annotations.NullMarked;
