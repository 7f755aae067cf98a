/** Tests the live scheduler. */
@NullMarked
package dev.muster.core.live;

import org.jspecify.annotations.NullMarked;
