package dev.muster.hal.xrt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.InvalidInputException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class XclbinProperties {
  private static final byte[] CARD = TestImages.first(XclbinFile.Mode.CARD).banks(2).toBytes();
  private static final byte[] EMULATED =
      TestImages.second(XclbinFile.Mode.SOFTWARE_EMULATION).toBytes();

  /** Whatever the bytes, the reader answers with a description or with a typed error. */
  @Property(tries = 20_000)
  void mutatedImagesAreReadOrRefusedWithATypedError(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int mutations) {
    Random random = new Random(seed);
    byte[] image = (random.nextBoolean() ? CARD : EMULATED).clone();
    for (int i = 0; i < mutations; i++) {
      image = mutate(image, random);
    }
    try {
      XclbinFile file = XclbinFile.parse("mutated", image);
      assertThat(file.kernels()).allSatisfy(kernel -> assertThat(kernel.units()).isNotEmpty());
    } catch (InvalidInputException e) {
      assertThat(e.getMessage()).startsWith("mutated: ");
    }
  }

  /** Of a prefix of an image nothing is believed. */
  @Property
  void cutImagesAreRefused(@ForAll @IntRange(min = 0, max = 3000) int length) {
    byte[] cut = Arrays.copyOf(CARD, Math.min(length, CARD.length - 1));
    boolean refused = false;
    try {
      XclbinFile.parse("cut", cut);
    } catch (InvalidInputException e) {
      refused = true;
    }
    assertThat(refused).isTrue();
  }

  private static byte[] mutate(byte[] image, Random random) {
    int at = random.nextInt(image.length);
    switch (random.nextInt(6)) {
      case 0 -> image[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> image[at] = (byte) random.nextInt();
      case 2 -> { // a number of the header or of the section table
        int field = random.nextInt(Math.min(image.length, 700)) / 4 * 4;
        int[] extremes = {-1, 0, Integer.MIN_VALUE, Integer.MAX_VALUE, image.length, 65536};
        int value = extremes[random.nextInt(extremes.length)];
        for (int i = 0; i < 4 && field + i < image.length; i++) {
          image[field + i] = (byte) (value >> (8 * i));
        }
      }
      case 3 -> {
        int from = random.nextInt(image.length);
        int bytes = Math.min(random.nextInt(64), image.length - Math.max(from, at));
        System.arraycopy(image, from, image, at, bytes);
      }
      case 4 -> Arrays.fill(image, at, Math.min(image.length, at + random.nextInt(32)), (byte) 0);
      default -> {
        return random.nextInt(8) == 0 ? Arrays.copyOf(image, Math.max(1, at)) : image;
      }
    }
    return image;
  }
}
