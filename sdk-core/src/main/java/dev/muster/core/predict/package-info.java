/** Learns run times from completed jobs and predicts those of submitted ones. */
@NullMarked
package dev.muster.core.predict;

import org.jspecify.annotations.NullMarked;
