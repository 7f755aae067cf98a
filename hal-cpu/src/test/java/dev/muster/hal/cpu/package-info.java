/** Tests the CPU HAL. */
@NullMarked
package dev.muster.hal.cpu;

import org.jspecify.annotations.NullMarked;
