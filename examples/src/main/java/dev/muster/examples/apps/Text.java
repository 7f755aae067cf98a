package dev.muster.examples.apps;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Makes text that compresses about as well as log files do. */
final class Text {
  private static final String[] WORDS = {
    "request",
    "accepted",
    "worker",
    "fpga",
    "cpu",
    "deadline",
    "queue",
    "latency",
    "ready",
    "spin-up"
  };

  private Text() {}

  static byte[] of(SplittableRandom random, int bytes) {
    StringBuilder text = new StringBuilder(bytes + 32);
    while (text.length() < bytes) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(' ').append(random.nextInt(1000));
      text.append(random.nextInt(8) == 0 ? '\n' : ' ');
    }
    return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
  }
}
