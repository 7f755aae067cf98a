/** Holds small real applications with CPU variants that compute, to run through the scheduler. */
@NullMarked
package dev.muster.examples.apps;

import org.jspecify.annotations.NullMarked;
