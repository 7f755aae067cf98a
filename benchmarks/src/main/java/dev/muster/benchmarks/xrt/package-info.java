/** Measures the XRT layer against the same calls made from C. */
@NullMarked
package dev.muster.benchmarks.xrt;

import org.jspecify.annotations.NullMarked;
