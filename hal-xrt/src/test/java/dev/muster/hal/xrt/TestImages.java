package dev.muster.hal.xrt;

import java.util.UUID;

/** Holds the images of the tests. */
final class TestImages {
  static final UUID FIRST = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
  static final UUID SECOND = UUID.fromString("10112233-4455-6677-8899-aabbccddeeff");

  private TestImages() {}

  /** Returns an image with two units of vadd and one of kmeans. */
  static XclbinWriter first(XclbinFile.Mode mode) {
    return XclbinWriter.create(FIRST, mode)
        .kernel("vadd", 2, "int*", "int*", "int*", "unsigned int")
        .kernel("kmeans", 1, "int*", "int*", "int*", "unsigned int", "unsigned int");
  }

  /** Returns an image with one unit of lz4 and one of scale. */
  static XclbinWriter second(XclbinFile.Mode mode) {
    return XclbinWriter.create(SECOND, mode)
        .kernel("lz4", 1, "char*", "char*", "int*", "unsigned int")
        .kernel("scale", 1, "double*", "double*", "double", "unsigned int");
  }
}
