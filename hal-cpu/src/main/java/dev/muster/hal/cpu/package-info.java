/** Runs tasks on threads and processes of the local machine. */
@NullMarked
package dev.muster.hal.cpu;

import org.jspecify.annotations.NullMarked;
