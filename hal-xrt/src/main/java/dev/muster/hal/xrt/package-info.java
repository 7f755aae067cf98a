/** Runs tasks on Alveo cards through the XRT native library. */
@NullMarked
package dev.muster.hal.xrt;

import org.jspecify.annotations.NullMarked;
