/** Compares schedulers over regions, as the paper's evaluation does. */
@NullMarked
package dev.muster.examples.qos;

import org.jspecify.annotations.NullMarked;
