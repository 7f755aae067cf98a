package dev.muster.api;

/**
 * Reports input that was refused before any work started.
 *
 * <p>The message always has four parts, in this order: the thing, the value it had, the limit it
 * broke, and the next step. Build one with {@link #of}.
 */
public final class InvalidInputException extends MusterException {
  private static final long serialVersionUID = 1L;

  private InvalidInputException(String message) {
    super(message, null);
  }

  /**
   * Creates the exception from its four parts.
   *
   * @param thing what was refused, e.g. {@code "trace.csv line 3, column m17"}
   * @param value the value as given; {@code null} prints as {@code null}
   * @param limit the rule that was broken, e.g. {@code "must be finite and >= 0"}
   * @param nextStep what the caller should do, e.g. {@code "correct the cell"}
   */
  public static InvalidInputException of(
      String thing,
      @org.jspecify.annotations.Nullable Object value,
      String limit,
      String nextStep) {
    return new InvalidInputException(thing + ": " + value + " " + limit + "; " + nextStep);
  }
}
