/** Drives the engine in real time, inside a host application. */
@NullMarked
package dev.muster.core.live;

import org.jspecify.annotations.NullMarked;
