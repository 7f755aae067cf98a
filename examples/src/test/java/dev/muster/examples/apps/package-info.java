/** Tests the example applications. */
@NullMarked
package dev.muster.examples.apps;

import org.jspecify.annotations.NullMarked;
