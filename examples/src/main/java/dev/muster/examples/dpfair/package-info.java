/** Reads and writes placement problems and plans, and reproduces the PADPS-FR paper. */
@NullMarked
package dev.muster.examples.dpfair;

import org.jspecify.annotations.NullMarked;
