package dev.muster.core.sos;

/**
 * Learns what a {@link SosEngine} decides, in the order of virtual time.
 *
 * <p>Called from inside the engine's methods; it must not call back into the engine.
 */
public interface SosListener {
  /** Ignores everything. */
  SosListener NONE =
      new SosListener() {
        @Override
        public void onAssigned(long job, int machine, long tick, long cost) {}

        @Override
        public void onReleased(long job, int machine, long tick) {}
      };

  /**
   * Learns that a job was assigned to a machine's virtual schedule.
   *
   * @param cost what the decision minimised, in units of {@code 2^-shift} weight ticks
   */
  void onAssigned(long job, int machine, long tick, long cost);

  /** Learns that a job left its virtual schedule and is committed to the machine's FIFO. */
  void onReleased(long job, int machine, long tick);
}
