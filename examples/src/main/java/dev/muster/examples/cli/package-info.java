/** Holds one class per subcommand of the muster command, and what they share. */
@NullMarked
package dev.muster.examples.cli;

import org.jspecify.annotations.NullMarked;
