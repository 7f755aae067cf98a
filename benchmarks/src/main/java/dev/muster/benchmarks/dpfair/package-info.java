/** Measures the placers of periodic tasks. */
@NullMarked
package dev.muster.benchmarks.dpfair;

import org.jspecify.annotations.NullMarked;
