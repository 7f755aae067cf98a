/** Reads what HLS and Vitis report, and builds variant libraries from it. */
@NullMarked
package dev.muster.examples.hls;

import org.jspecify.annotations.NullMarked;
