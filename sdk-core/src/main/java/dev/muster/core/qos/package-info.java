/** Schedules tasks with deadlines over the regions of a device, choosing among variants. */
@NullMarked
package dev.muster.core.qos;

import org.jspecify.annotations.NullMarked;
