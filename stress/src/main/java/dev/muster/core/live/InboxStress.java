package dev.muster.core.live;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Tries the interleavings of the scheduler's inbox. */
public final class InboxStress {
  private InboxStress() {}

  /** Holds that two producers' entries both arrive, once and whole, whoever is first. */
  @JCStressTest
  @Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "both arrive whole")
  @Outcome(expect = Expect.FORBIDDEN, desc = "an entry is lost, doubled or torn")
  @State
  public static class Offers {
    private final Inbox inbox = new Inbox(2);
    private int sum;
    private int torn;

    @Actor
    public void first() {
      inbox.offer((byte) 1, "1", 1, null, null);
    }

    @Actor
    public void second() {
      inbox.offer((byte) 2, "2", 2, null, null);
    }

    private void take() {
      if (inbox.poll()) {
        sum += inbox.kind;
        if (inbox.number != inbox.kind || !String.valueOf(inbox.kind).equals(inbox.subject)) {
          torn++;
        }
      }
    }

    @Arbiter
    public void rest(II_Result r) {
      take();
      take();
      take();
      r.r1 = sum;
      r.r2 = torn;
    }
  }

  /** Holds that entries arrive once and whole at a consumer that looks for them meanwhile. */
  @JCStressTest
  @Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "both arrive whole")
  @Outcome(expect = Expect.FORBIDDEN, desc = "an entry is lost, doubled or torn")
  @State
  public static class OfferAgainstPoll {
    private final Inbox inbox = new Inbox(2);
    private int sum;
    private int torn;

    @Actor
    public void producer() {
      inbox.offer((byte) 1, "1", 1, null, null);
      inbox.offer((byte) 2, "2", 2, null, null);
    }

    @Actor
    public void consumer() {
      take();
      take();
    }

    private void take() {
      if (inbox.poll()) {
        sum += inbox.kind;
        if (inbox.number != inbox.kind || !String.valueOf(inbox.kind).equals(inbox.subject)) {
          torn++;
        }
      }
    }

    @Arbiter
    public void rest(II_Result r) {
      take();
      take();
      take();
      r.r1 = sum;
      r.r2 = torn;
    }
  }

  /** Holds that a full inbox refuses and that room given back is used once. */
  @JCStressTest
  @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "refused: no room yet")
  @Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "accepted into the room given back")
  @Outcome(expect = Expect.FORBIDDEN, desc = "an entry is lost or overwritten")
  @State
  public static class FullInbox {
    private final Inbox inbox = new Inbox(2);
    private int taken;

    public FullInbox() {
      inbox.offer((byte) 0, "a", 0, null, null);
      inbox.offer((byte) 0, "b", 0, null, null);
    }

    @Actor
    public void producer(II_Result r) {
      r.r1 = inbox.offer((byte) 0, "c", 0, null, null) == Inbox.Offer.ACCEPTED ? 1 : 0;
    }

    @Actor
    public void consumer() {
      taken += inbox.poll() ? 1 : 0;
    }

    @Arbiter
    public void rest(II_Result r) {
      while (inbox.poll()) {
        taken++;
      }
      r.r2 = taken;
    }
  }

  /** Holds that closing against submitting loses nothing that was accepted. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "both refused")
  @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "one accepted, and drained")
  @Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "both accepted, and drained")
  @Outcome(expect = Expect.FORBIDDEN, desc = "accepted but not drained, or the other way round")
  @State
  public static class CloseAgainstSubmit {
    private final Inbox inbox = new Inbox(2);

    @Actor
    public void producer(III_Result r) {
      r.r1 = inbox.offer((byte) 0, "1", 0, null, null) == Inbox.Offer.ACCEPTED ? 1 : 0;
      r.r2 = inbox.offer((byte) 0, "2", 0, null, null) == Inbox.Offer.ACCEPTED ? 1 : 0;
    }

    @Actor
    public void scheduler(III_Result r) {
      inbox.seal();
      int drained = 0;
      while (!inbox.isExhausted()) {
        drained += inbox.poll() ? 1 : 0;
      }
      r.r3 = drained;
    }
  }
}
