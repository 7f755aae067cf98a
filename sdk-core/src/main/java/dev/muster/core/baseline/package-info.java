/** Implements the simple schedulers that the others are compared with. */
@NullMarked
package dev.muster.core.baseline;

import org.jspecify.annotations.NullMarked;
