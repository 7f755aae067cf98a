package dev.muster.hal.xrt;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Reads pieces of a file or array; never maps, so that a file that shrinks cannot crash us. */
interface ByteSource {
  /** Returns the length in bytes. */
  long length() throws IOException;

  /** Returns a copy of a piece that lies within the length, in little-endian order. */
  ByteBuffer read(long offset, int bytes) throws IOException;

  /** Reads from an open file. */
  static ByteSource of(FileChannel channel) {
    return new ByteSource() {
      @Override
      public long length() throws IOException {
        return channel.size();
      }

      @Override
      public ByteBuffer read(long offset, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
          if (channel.read(buffer, offset + buffer.position()) < 0) {
            throw new EOFException("the file became shorter while it was read");
          }
        }
        return buffer.flip();
      }
    };
  }

  /** Reads from an array. */
  static ByteSource of(byte[] image) {
    return new ByteSource() {
      @Override
      public long length() {
        return image.length;
      }

      @Override
      public ByteBuffer read(long offset, int bytes) {
        return ByteBuffer.wrap(image, Math.toIntExact(offset), bytes)
            .slice()
            .order(ByteOrder.LITTLE_ENDIAN);
      }
    };
  }
}
