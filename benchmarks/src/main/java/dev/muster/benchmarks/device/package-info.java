/** Measures the detailed simulator of cards. */
@NullMarked
package dev.muster.benchmarks.device;

import org.jspecify.annotations.NullMarked;
