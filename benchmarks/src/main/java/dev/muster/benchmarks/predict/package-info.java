/** Measures prediction and training of run times. */
@NullMarked
package dev.muster.benchmarks.predict;

import org.jspecify.annotations.NullMarked;
