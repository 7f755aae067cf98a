package dev.muster.hal.sim.workload;

/**
 * Derives independent random streams from one root seed and a name each.
 *
 * <p>A stream is SplitMix64 (Steele, Lea and Flood, 2014) whose state starts at {@code mix(seed +
 * g) xor h}: {@code mix} is the generator's output function, g its increment 0x9e3779b97f4a7c15,
 * and h the 64-bit FNV-1a hash of the name, taken over UTF-16 code units. So adding a stream never
 * changes another one. Logarithms are {@link StrictMath}'s: results are the same on every machine.
 */
public final class RandomStreams {
  private final long seed;

  private RandomStreams(long seed) {
    this.seed = seed;
  }

  /** Creates the streams of a root seed. */
  public static RandomStreams of(long seed) {
    return new RandomStreams(seed);
  }

  /** Returns the root seed. */
  public long seed() {
    return seed;
  }

  /** Returns a new stream from its beginning; the same name gives the same numbers. */
  public Stream stream(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return new Stream(Stream.mix(seed + 0x9e3779b97f4a7c15L) ^ hash);
  }

  /** Draws numbers; for use by one thread at a time. */
  public static final class Stream {
    private long state;

    private Stream(long state) {
      this.state = state;
    }

    /** Draws 64 random bits. */
    public long nextLong() {
      state += 0x9e3779b97f4a7c15L;
      return mix(state);
    }

    /** Draws a number in [0, 1) with 53 random bits. */
    public double nextDouble() {
      return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Draws a coin. */
    public boolean nextBoolean() {
      return nextLong() < 0;
    }

    /** Draws an exponentially distributed number of mean 1, from 0 to 37. */
    public double nextExponential() {
      return -StrictMath.log(1 - nextDouble());
    }

    private static long mix(long value) {
      long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }
  }
}
