package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** Refuses to read more than so many characters. */
final class LimitedReader extends FilterReader {
  private final String thing;
  private final long limit;
  private long left;

  LimitedReader(Reader in, long limit, String thing) {
    super(in);
    this.thing = thing;
    this.limit = limit;
    left = limit;
  }

  @Override
  public int read() throws IOException {
    int c = super.read();
    count(c < 0 ? 0 : 1);
    return c;
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int n = super.read(buffer, offset, length);
    count(Math.max(n, 0));
    return n;
  }

  private void count(int n) {
    left -= n;
    if (left < 0) {
      throw InvalidInputException.of(
          thing + " size",
          "over " + limit + " characters",
          "must be at most " + limit,
          "split the file");
    }
  }
}
