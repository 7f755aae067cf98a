/** Implements the Spork scheduler, as published and improved. */
@NullMarked
package dev.muster.core.spork;

import org.jspecify.annotations.NullMarked;
