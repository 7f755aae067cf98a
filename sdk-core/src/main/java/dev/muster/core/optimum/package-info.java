/** Computes the best that any scheduler could do with perfect knowledge. */
@NullMarked
package dev.muster.core.optimum;

import org.jspecify.annotations.NullMarked;
