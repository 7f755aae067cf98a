/** Runs tasks on local threads and reads their power where the system offers it. */
@NullMarked
package dev.muster.hal.cpu;

import org.jspecify.annotations.NullMarked;
