/** Measures the live scheduler beside the JDK's own executors. */
@NullMarked
package dev.muster.benchmarks.live;

import org.jspecify.annotations.NullMarked;
