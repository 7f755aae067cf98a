/** Checks policies and HALs against their contracts. */
@NullMarked
package dev.muster.testkit;

import org.jspecify.annotations.NullMarked;
