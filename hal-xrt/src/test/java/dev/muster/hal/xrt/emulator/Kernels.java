package dev.muster.hal.xrt.emulator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Computes what the emulated compute units compute; the register offsets are the image's. */
public final class Kernels {
  private static final int FIRST = 0x10;
  private static final int SECOND = 0x1c;
  private static final int THIRD = 0x28;
  private static final int FOURTH = 0x34;
  private static final int FIFTH = 0x3c;

  private Kernels() {}

  static void run(String kernel, ByteBuffer registers, DeviceMemory memory) {
    switch (kernel) {
      case "vadd" -> vadd(registers, memory);
      case "kmeans" -> kmeans(registers, memory);
      case "lz4" -> lz4(registers, memory);
      case "scale" -> scale(registers, memory);
      default -> throw new IllegalArgumentException("no kernel " + kernel);
    }
  }

  private static void vadd(ByteBuffer registers, DeviceMemory memory) {
    int count = registers.getInt(FOURTH);
    ByteBuffer a = memory.view(registers.getLong(FIRST), 4 * count);
    ByteBuffer b = memory.view(registers.getLong(SECOND), 4 * count);
    ByteBuffer sum = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      sum.putInt(a.getInt(4 * i) + b.getInt(4 * i));
    }
    memory.write(registers.getLong(THIRD), sum.array());
  }

  /** One step: points and centroids are pairs of coordinates, the result is the nearest's index. */
  private static void kmeans(ByteBuffer registers, DeviceMemory memory) {
    int points = registers.getInt(FOURTH);
    int centroids = registers.getInt(FIFTH);
    int[] xy = ints(memory.view(registers.getLong(FIRST), 8 * points), 2 * points);
    int[] centres = ints(memory.view(registers.getLong(SECOND), 8 * centroids), 2 * centroids);
    ByteBuffer out = ByteBuffer.allocate(4 * points).order(ByteOrder.LITTLE_ENDIAN);
    for (int label : nearest(xy, centres)) {
      out.putInt(label);
    }
    memory.write(registers.getLong(THIRD), out.array());
  }

  private static int[] ints(ByteBuffer data, int count) {
    int[] values = new int[count];
    data.asIntBuffer().get(values);
    return values;
  }

  /** Returns the index of the nearest centre of each point, the first among equals. */
  public static int[] nearest(int[] points, int[] centres) {
    int[] labels = new int[points.length / 2];
    for (int p = 0; p < labels.length; p++) {
      long best = Long.MAX_VALUE;
      for (int c = 0; c < centres.length / 2; c++) {
        long dx = (long) points[2 * p] - centres[2 * c];
        long dy = (long) points[2 * p + 1] - centres[2 * c + 1];
        if (dx * dx + dy * dy < best) {
          best = dx * dx + dy * dy;
          labels[p] = c;
        }
      }
    }
    return labels;
  }

  /** Writes the compressed bytes to the second buffer and their count to the third. */
  private static void lz4(ByteBuffer registers, DeviceMemory memory) {
    byte[] packed = compress(memory.read(registers.getLong(FIRST), registers.getInt(FOURTH)));
    memory.write(registers.getLong(SECOND), packed);
    byte[] count =
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(packed.length).array();
    memory.write(registers.getLong(THIRD), count);
  }

  /**
   * Compresses in the manner of LZ4 with a window of 64 KB: pairs of literal run and match, each
   * length in one byte, the distance in two; a match length of 0 ends the data.
   */
  public static byte[] compress(byte[] data) {
    ByteBuffer out = ByteBuffer.allocate(data.length * 2 + 16).order(ByteOrder.LITTLE_ENDIAN);
    int[] last = new int[1 << 12];
    Arrays.fill(last, -1);
    int anchor = 0;
    int at = 0;
    while (at + 4 <= data.length) {
      int hash = hash(data, at);
      int candidate = last[hash];
      last[hash] = at;
      int length = candidate < 0 || at - candidate > 65535 ? 0 : match(data, candidate, at);
      if (length >= 4 || at - anchor == 255) {
        emit(out, data, anchor, at, length >= 4 ? length : 0, at - candidate);
        at += length >= 4 ? length : 0;
        anchor = at;
      } else {
        at++;
      }
    }
    while (anchor < data.length) {
      int end = Math.min(data.length, anchor + 255);
      emit(out, data, anchor, end, 0, 0);
      anchor = end;
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static int hash(byte[] data, int at) {
    int word = (data[at] & 255) | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24);
    return (word * 0x9e3779b1) >>> 20;
  }

  private static int match(byte[] data, int from, int at) {
    int length = 0;
    while (length < 255 && at + length < data.length && data[from + length] == data[at + length]) {
      length++;
    }
    return length;
  }

  private static void emit(ByteBuffer out, byte[] data, int from, int to, int match, int distance) {
    out.put((byte) (to - from)).put(data, from, to - from).put((byte) match);
    if (match > 0) {
      out.putShort((short) distance);
    }
  }

  /** Restores what {@link #compress} made. */
  public static byte[] expand(byte[] packed, int length) {
    byte[] data = new byte[length];
    ByteBuffer in = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (in.hasRemaining()) {
      int literals = in.get() & 255;
      in.get(data, at, literals);
      at += literals;
      int match = in.get() & 255;
      int distance = match == 0 ? 0 : in.getShort() & 0xffff;
      for (int i = 0; i < match; i++, at++) {
        data[at] = data[at - distance];
      }
    }
    return data;
  }

  private static void scale(ByteBuffer registers, DeviceMemory memory) {
    int count = registers.getInt(FOURTH);
    double factor = registers.getDouble(THIRD);
    ByteBuffer in = memory.view(registers.getLong(FIRST), 8 * count);
    ByteBuffer out = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      out.putDouble(in.getDouble(8 * i) * factor);
    }
    memory.write(registers.getLong(SECOND), out.array());
  }
}
