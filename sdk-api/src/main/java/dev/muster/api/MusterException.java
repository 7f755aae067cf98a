package dev.muster.api;

import org.jspecify.annotations.Nullable;

/** Signals every failure that Muster reports by exception; catch this to catch them all. */
public abstract sealed class MusterException extends RuntimeException
    permits InvalidInputException, UnsupportedException, DeviceException {
  private static final long serialVersionUID = 1L;

  MusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
