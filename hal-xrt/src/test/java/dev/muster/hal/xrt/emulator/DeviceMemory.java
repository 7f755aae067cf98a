package dev.muster.hal.xrt.emulator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds the card's memory in pages, apart from the host's: what is not copied is not seen. */
final class DeviceMemory {
  private static final int PAGE_BITS = 16;
  private static final int PAGE = 1 << PAGE_BITS;
  private final Map<Long, byte[]> pages = new ConcurrentHashMap<>();

  void write(long address, byte[] data) {
    for (int done = 0; done < data.length; ) {
      int offset = (int) ((address + done) & (PAGE - 1));
      int count = Math.min(data.length - done, PAGE - offset);
      byte[] page = pages.computeIfAbsent((address + done) >>> PAGE_BITS, key -> new byte[PAGE]);
      System.arraycopy(data, done, page, offset, count);
      done += count;
    }
  }

  byte[] read(long address, int bytes) {
    byte[] data = new byte[bytes];
    for (int done = 0; done < bytes; ) {
      int offset = (int) ((address + done) & (PAGE - 1));
      int count = Math.min(bytes - done, PAGE - offset);
      byte[] page = pages.get((address + done) >>> PAGE_BITS);
      if (page != null) {
        System.arraycopy(page, offset, data, done, count);
      }
      done += count;
    }
    return data;
  }

  ByteBuffer view(long address, int bytes) {
    return ByteBuffer.wrap(read(address, bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  void clear() {
    pages.clear();
  }
}
