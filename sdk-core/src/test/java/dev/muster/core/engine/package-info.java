/** Tests the engine's own data structures. */
@NullMarked
package dev.muster.core.engine;

import org.jspecify.annotations.NullMarked;
