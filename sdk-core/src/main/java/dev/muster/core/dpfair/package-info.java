/**
 * Places periodic tasks on accelerator cards, slice after slice, with the least power.
 *
 * <p>Times are whole microseconds and powers whole microwatts in this package, because the rounding
 * rules of the algorithms are stated in them.
 */
@NullMarked
package dev.muster.core.dpfair;

import org.jspecify.annotations.NullMarked;
