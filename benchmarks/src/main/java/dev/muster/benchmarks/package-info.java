/** Measures the hot paths with JMH. */
@NullMarked
package dev.muster.benchmarks;

import org.jspecify.annotations.NullMarked;
