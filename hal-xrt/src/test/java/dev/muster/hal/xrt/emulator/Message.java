package dev.muster.hal.xrt.emulator;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/** Decodes and encodes the few protocol-buffer fields of the emulation's messages. */
final class Message {
  private static final byte[] NONE = {};
  private final Map<Integer, Long> numbers = new HashMap<>();
  private final Map<Integer, byte[]> bytes = new HashMap<>();

  private Message() {}

  static Message decode(byte[] data) {
    Message message = new Message();
    ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int tag = (int) varint(in);
      int field = tag >>> 3;
      switch (tag & 7) {
        case 0 -> message.numbers.put(field, varint(in));
        case 1 -> message.numbers.put(field, in.getLong());
        case 5 -> message.numbers.put(field, (long) in.getInt());
        case 2 -> {
          byte[] value = new byte[(int) varint(in)];
          in.get(value);
          message.bytes.put(field, value);
        }
        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
      }
    }
    return message;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value;
  }

  long number(int field) {
    return numbers.getOrDefault(field, 0L);
  }

  byte[] bytes(int field) {
    return bytes.getOrDefault(field, NONE);
  }

  /** Collects the fields of a reply. */
  static final class Reply {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Reply number(int field, long value) {
      varint((long) field << 3);
      varint(value);
      return this;
    }

    Reply bytes(int field, byte[] value) {
      varint(((long) field << 3) | 2);
      varint(value.length);
      out.writeBytes(value);
      return this;
    }

    byte[] encoded() {
      return out.toByteArray();
    }

    private void varint(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        out.write((int) ((rest & 0x7f) | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }
  }
}
