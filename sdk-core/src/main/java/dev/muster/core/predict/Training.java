package dev.muster.core.predict;

/** Runs the training of a model, at once or later and on another thread. */
@FunctionalInterface
public interface Training {
  /**
   * Takes a run.
   *
   * @return whether it was accepted; if not, it never runs
   */
  boolean start(Runnable run);

  /** Returns one that trains at once, on the caller's thread: for simulations, which repeat. */
  static Training atOnce() {
    return run -> {
      run.run();
      return true;
    };
  }
}
