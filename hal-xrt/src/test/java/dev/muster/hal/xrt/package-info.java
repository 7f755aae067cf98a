/** Tests the XRT layer: its pure parts here, its native parts in JVMs of their own. */
@NullMarked
package dev.muster.hal.xrt;

import org.jspecify.annotations.NullMarked;
