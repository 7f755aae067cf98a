package dev.muster.hal.xrt;

import java.nio.charset.StandardCharsets;

/** Holds the offsets and numbers of the xclbin container format ("axlf"), all little-endian. */
final class Axlf {
  static final byte[] MAGIC = "xclbin2\0".getBytes(StandardCharsets.US_ASCII);

  /** Signature length, key block and unique id come before the header. */
  static final int LENGTH_OFFSET = 304;

  static final int VERSION_PATCH_OFFSET = 328;
  static final int VERSION_MAJOR_OFFSET = 330;
  static final int VERSION_MINOR_OFFSET = 331;
  static final int MODE_OFFSET = 332;
  static final int PLATFORM_OFFSET = 352;
  static final int PLATFORM_BYTES = 64;
  static final int UUID_OFFSET = 416;
  static final int SECTION_COUNT_OFFSET = 448;
  static final int SECTIONS_OFFSET = 456;
  static final int SECTION_BYTES = 40;
  static final int SECTION_NAME_BYTES = 16;

  static final int BITSTREAM = 0;
  static final int EMBEDDED_METADATA = 2;
  static final int MEMORY_TOPOLOGY = 6;
  static final int CONNECTIVITY = 7;
  static final int UNIT_LAYOUT = 8;

  /** A count and padding, then type, used, padding, size in KB, address, tag. */
  static final int MEMORY_BYTES = 40;

  static final int MEMORY_TAG_BYTES = 16;

  /** Type, properties, base address, name. */
  static final int UNIT_BYTES = 80;

  static final int UNIT_NAME_BYTES = 64;
  static final int CONNECTION_BYTES = 12;

  static final int MODE_HW_EMU = 4;
  static final int MODE_SW_EMU = 5;
  static final int MODE_HW_EMU_PR = 6;
  static final int MODE_MAX = 7;

  private Axlf() {}
}
