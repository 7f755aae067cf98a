/** Emulates a card as a process in which kernels really execute. */
@NullMarked
package dev.muster.hal.xrt.emulator;

import org.jspecify.annotations.NullMarked;
