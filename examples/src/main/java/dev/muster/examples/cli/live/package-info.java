/** Holds the commands that run the live scheduler and replay what it did. */
@NullMarked
package dev.muster.examples.cli.live;

import org.jspecify.annotations.NullMarked;
