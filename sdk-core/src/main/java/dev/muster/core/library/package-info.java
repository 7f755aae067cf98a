/** Describes which designs of an application exist, and derives libraries of variants from them. */
@NullMarked
package dev.muster.core.library;

import org.jspecify.annotations.NullMarked;
