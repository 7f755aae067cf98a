package dev.muster.examples.apps;

import java.util.SplittableRandom;

/** Does one kind of real work on bytes, and can tell whether it was done right. */
interface App {
  /** Returns the name of the application. */
  String name();

  /** Makes an input; the same generator state makes the same bytes. */
  byte[] input(SplittableRandom random);

  /** Does the work; the same input gives the same bytes. */
  byte[] run(byte[] input);

  /** Checks an output in another way than it was computed. */
  boolean isRight(byte[] input, byte[] output);
}
