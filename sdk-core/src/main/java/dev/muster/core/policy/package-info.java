/** Provides the building blocks that any scheduling policy is composed of. */
@NullMarked
package dev.muster.core.policy;

import org.jspecify.annotations.NullMarked;
