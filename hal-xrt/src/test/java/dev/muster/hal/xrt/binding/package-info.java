/** Tests the bindings against the installed headers. */
@NullMarked
package dev.muster.hal.xrt.binding;

import org.jspecify.annotations.NullMarked;
