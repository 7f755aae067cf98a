/** Offers the muster command and small programs that use the SDK. */
@NullMarked
package dev.muster.examples;

import org.jspecify.annotations.NullMarked;
