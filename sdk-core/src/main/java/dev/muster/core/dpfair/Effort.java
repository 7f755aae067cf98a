package dev.muster.core.dpfair;

/** Counts the steps of a search against its budget. */
final class Effort {
  /** Operations between two looks at the clock. */
  private static final long CLOCK_STRIDE = 4096;

  private final SearchBudget budget;
  private final long deadlineNanos;
  private long operations;
  private long packings;
  private long nextLook = CLOCK_STRIDE;
  private boolean late;

  Effort(SearchBudget budget) {
    this.budget = budget;
    deadlineNanos = budget.deadlineNanos();
  }

  void add(long steps) {
    operations += steps;
  }

  void addPacking() {
    packings++;
  }

  long operations() {
    return operations;
  }

  long packings() {
    return packings;
  }

  /** Tells whether the search has to stop. */
  boolean spent() {
    if (operations >= nextLook) {
      nextLook = operations + CLOCK_STRIDE;
      late = budget.clock().getAsLong() - deadlineNanos >= 0;
    }
    return late || operations >= budget.maxOperations();
  }
}
