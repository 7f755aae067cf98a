/** Measures decisions of the QoS policies. */
@NullMarked
package dev.muster.benchmarks.qos;

import org.jspecify.annotations.NullMarked;
