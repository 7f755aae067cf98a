/** Defines tasks, variants, workers, policies and the hardware abstraction layer. */
@NullMarked
package dev.muster.api;

import org.jspecify.annotations.NullMarked;
