package dev.muster.examples.apps;

import java.util.SplittableRandom;

/** Blurs a grey image with a box of 5 by 5 pixels, in two passes; the border is left out. */
final class ImageBlur implements App {
  private static final int SIDE = 320;
  private static final int BOX = 5;
  private static final int OUT = SIDE - BOX + 1;

  @Override
  public String name() {
    return "image-blur";
  }

  @Override
  public byte[] input(SplittableRandom random) {
    byte[] image = new byte[SIDE * SIDE];
    random.nextBytes(image);
    return image;
  }

  @Override
  public byte[] run(byte[] input) {
    int[] rows = new int[SIDE * OUT];
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < OUT; x++) {
        int sum = 0;
        for (int i = 0; i < BOX; i++) {
          sum += input[y * SIDE + x + i] & 0xff;
        }
        rows[y * OUT + x] = sum;
      }
    }
    byte[] blurred = new byte[OUT * OUT];
    for (int y = 0; y < OUT; y++) {
      for (int x = 0; x < OUT; x++) {
        int sum = 0;
        for (int i = 0; i < BOX; i++) {
          sum += rows[(y + i) * OUT + x];
        }
        blurred[y * OUT + x] = (byte) (sum / (BOX * BOX));
      }
    }
    return blurred;
  }

  @Override
  public boolean isRight(byte[] input, byte[] output) {
    for (int at = 0; at < OUT * OUT; at++) {
      int sum = 0;
      for (int i = 0; i < BOX * BOX; i++) {
        sum += input[(at / OUT + i / BOX) * SIDE + at % OUT + i % BOX] & 0xff;
      }
      if (output[at] != (byte) (sum / (BOX * BOX))) {
        return false;
      }
    }
    return output.length == OUT * OUT;
  }
}
