/** Binds the C functions of XRT and of the C library that the layer calls. */
@NullMarked
package dev.muster.hal.xrt.binding;

import org.jspecify.annotations.NullMarked;
