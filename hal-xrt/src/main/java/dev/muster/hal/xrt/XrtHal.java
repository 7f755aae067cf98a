package dev.muster.hal.xrt;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on Alveo cards through XRT.
 *
 * <p>A card is one region: an image replaces all of it. Its workers are lanes that share the image;
 * a worker's run takes a free compute unit of the kernel it calls, so a switch between kernels of
 * one image costs nothing. A load, or a run whose image another worker replaced, waits until the
 * card has drained and then takes seconds; what was learned about that is {@link #expectedLoad}.
 *
 * <p>A run that passes the run limit fails as TIMED_OUT, and its card is lost with all its workers:
 * XRT cannot stop a compute unit. Nothing is called on a lost card, and Muster never resets one.
 *
 * <p>Commands come from one thread. Receivers of events must not block.
 */
public final class XrtHal implements Hal {
  static final long DEFAULT_LOAD_NANOS = 8_000_000_000L;
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final long WATCH_NANOS = 50_000_000;
  private static final long SAMPLE_NANOS = 1_000_000_000;
  private static final int MAX_LANES = 1024;

  private record Key(String application, String variant) {}

  private final XrtOptions options;
  private final int lanes;
  private final int noopCards;
  private final @Nullable Set<String> only;
  private final Duration runLimit;
  private final Duration callLimit;
  private final Path sysfs;
  private final Map<Key, Function<@Nullable Object, KernelCall>> calls;
  private final Map<Long, XrtCard> cardOf = new ConcurrentHashMap<>();
  private volatile List<XrtCard> cards = List.of();
  private @Nullable Events events;
  private @Nullable Thread watcher;
  private volatile boolean closed;

  private XrtHal(Builder b) {
    options = b.options;
    lanes = b.lanes;
    noopCards = b.noopCards;
    only = b.only;
    runLimit = b.runLimit;
    callLimit = b.callLimit;
    sysfs = b.sysfs;
    calls = Map.copyOf(b.calls);
  }

  /** Starts to describe a HAL over all cards that the options lead to. */
  public static Builder builder(XrtOptions options) {
    return new Builder(options);
  }

  @Override
  public String name() {
    return "xrt";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.ELASTIC_WORKERS, Capability.REGIONS, Capability.VARIANTS);
  }

  /** Returns the id of the card that serves a worker, which is its PCIe address. */
  @Override
  public String deviceId(Worker worker) {
    XrtCard card = cardOf.get(worker.id());
    return card == null ? "xrt:unassigned" : card.id();
  }

  /** Returns the ids of the cards; empty before the HAL is open. */
  public List<String> cardIds() {
    return cards.stream().map(XrtCard::id).toList();
  }

  /**
   * Returns how long the next load on a card is expected to take: 8 s at first, then a mean of what
   * its loads took, the latest with weight 0.3.
   *
   * @throws InvalidInputException if there is no such card
   */
  public Duration expectedLoad(String cardId) {
    for (XrtCard card : cards) {
      if (card.id().equals(cardId)) {
        return Duration.ofNanos(card.loadNanos());
      }
    }
    throw InvalidInputException.of("card", cardId, "must be one of " + cardIds(), "correct it");
  }

  @Override
  public void open(Events receiver) {
    if (events != null) {
      throw new IllegalStateException("the XRT HAL is open already");
    }
    XrtLibrary library = XrtLibrary.open(options);
    events = receiver;
    List<XrtCard> found = new ArrayList<>();
    if (library.mode() == XrtMode.HARDWARE) {
      for (PciCard card : PciCard.find(sysfs)) {
        CardMeter meter = card.powerWatts().isEmpty() ? null : new CardMeter(card::powerWatts);
        add(found, card.bdf(), () -> XrtDevice.open(library, card.bdf()), receiver, meter);
      }
    } else {
      int count = library.mode() == XrtMode.NOOP ? noopCards : library.deviceCount();
      for (int i = 0; i < count; i++) {
        int index = i;
        String id = XrtDevice.emulatedId(library, index);
        add(found, id, () -> XrtDevice.openEmulated(library, index), receiver, null);
      }
    }
    if (found.isEmpty()) {
      throw new DeviceException(
          DeviceException.Kind.UNAVAILABLE,
          "no card "
              + (only == null ? "" : "of " + only + " ")
              + "found by XRT "
              + library.version()
              + " in mode "
              + library.mode()
              + "; looked for devices with driver xocl in "
              + sysfs
              + ". Load the driver (modprobe xocl), and see ./muster devices",
          null);
    }
    cards = List.copyOf(found);
    Thread thread = Thread.ofPlatform().daemon().name("muster-xrt-watch").unstarted(this::watch);
    watcher = thread;
    thread.start();
  }

  private void add(
      List<XrtCard> found,
      String id,
      Supplier<XrtDevice> opener,
      Events receiver,
      @Nullable CardMeter meter) {
    if (only == null || only.contains(id)) {
      found.add(new XrtCard(id, opener, receiver, runLimit.toNanos(), callLimit.toNanos(), meter));
    }
  }

  /** Looks after calls that do not come back, and after the sensors. */
  private void watch() {
    long sampledNanos = System.nanoTime() - SAMPLE_NANOS;
    while (!closed) {
      long now = System.nanoTime();
      boolean sample = now - sampledNanos >= SAMPLE_NANOS;
      for (XrtCard card : cards) {
        card.watch(now);
        CardMeter meter = card.meter();
        if (sample && meter != null) {
          meter.sample(System.nanoTime());
        }
      }
      if (sample) {
        sampledNanos = now;
      }
      LockSupport.parkNanos(this, WATCH_NANOS);
    }
  }

  @Override
  public void provision(Worker worker) {
    Events receiver = requireOpen(worker, "provision");
    XrtCard card =
        cards.stream()
            .filter(one -> one.isUsable() && one.workerCount() < lanes)
            .min(XrtCard.LEAST_BUSY)
            .orElse(null);
    if (card == null) {
      receiver.lost(
          worker,
          new DeviceException(
              DeviceException.Kind.UNAVAILABLE,
              "no lane is free on "
                  + cardIds()
                  + " with "
                  + lanes
                  + " per card; declare the worker type with fewer workers",
              null));
      return;
    }
    cardOf.put(worker.id(), card);
    card.provision(worker);
  }

  @Override
  public void load(Worker worker, Variant variant) {
    XrtCard card = held(worker, "load");
    String image = variant.image();
    if (image == null) {
      Objects.requireNonNull(events).loaded(worker);
    } else {
      card.load(worker, Path.of(image));
    }
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    XrtCard card = held(worker, "run");
    KernelCall call;
    try {
      call = call(task, variant);
    } catch (RuntimeException e) {
      Objects.requireNonNull(events).failed(worker, runId, e);
      return;
    }
    String image = variant.image();
    card.run(worker, image == null ? null : Path.of(image), call, runId);
  }

  private KernelCall call(Task task, Variant variant) {
    Application application = task.application();
    Object payload = task.payload();
    Function<@Nullable Object, KernelCall> binding =
        calls.get(new Key(application.name(), variant.id()));
    if (binding != null) {
      return binding.apply(payload);
    }
    if (payload instanceof KernelCall call) {
      return call;
    }
    throw InvalidInputException.of(
        "payload of application \"" + application.name() + '"',
        payload == null ? null : payload.getClass().getName(),
        "must be a KernelCall",
        "attach one, or bind a function that makes one in XrtHal.builder");
  }

  @Override
  public void cancel(Worker worker, long runId) {
    XrtCard card = cardOf.get(worker.id());
    if (card != null) {
      card.cancel(runId);
    }
  }

  @Override
  public void release(Worker worker) {
    XrtCard card = held(worker, "release");
    cardOf.remove(worker.id());
    card.release(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    closed = true;
    LockSupport.unpark(watcher);
    cards.forEach(XrtCard::close);
    long endNanos = System.nanoTime() + timeout.toNanos();
    List<String> left = new ArrayList<>();
    for (XrtCard card : cards) {
      try {
        if (!card.awaitClosed(endNanos - System.nanoTime())) {
          left.add(card.id());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        left.add(card.id());
      }
    }
    return List.copyOf(left);
  }

  private Events requireOpen(Worker worker, String command) {
    Events receiver = events;
    if (closed || receiver == null) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          deviceId(worker)
              + ": "
              + command
              + (closed ? " after close; open a new XRT HAL" : " before open; open the HAL first"),
          null);
    }
    return receiver;
  }

  private XrtCard held(Worker worker, String command) {
    requireOpen(worker, command);
    XrtCard card = cardOf.get(worker.id());
    if (card == null) {
      throw new DeviceException(
          DeviceException.Kind.CLOSED,
          "xrt: " + command + " on worker " + worker.id() + ", which is not up; provision one",
          null);
    }
    return card;
  }

  /** Builds an {@link XrtHal}; every setter validates at once. */
  public static final class Builder {
    private final XrtOptions options;
    private final Map<Key, Function<@Nullable Object, KernelCall>> calls = new HashMap<>();
    private int lanes = 1;
    private int noopCards = 1;
    private @Nullable Set<String> only;
    private Duration runLimit = Duration.ofMinutes(1);
    private Duration callLimit = Duration.ofMinutes(2);
    private Path sysfs = PciCard.DEFAULT_ROOT;

    private Builder(XrtOptions options) {
      this.options = options;
    }

    /** Sets how many workers share a card: the number of compute units to keep busy. */
    public Builder lanesPerCard(int count) {
      lanes = count("lanes per card", count);
      return this;
    }

    /** Sets how many cards there are in noop mode, which accepts any number. */
    public Builder noopCards(int count) {
      noopCards = count("noop cards", count);
      return this;
    }

    /** Uses some cards only, named by their ids. */
    public Builder cards(Set<String> ids) {
      only = Set.copyOf(ids);
      return this;
    }

    /** Sets how long a run may take before it counts as hung; 60 s by default. */
    public Builder runLimit(Duration value) {
      runLimit = positive("run limit", value);
      return this;
    }

    /** Sets how long one native call may take, a load included; 120 s by default. */
    public Builder callLimit(Duration value) {
      callLimit = positive("call limit", value);
      return this;
    }

    /** Sets where cards and their sensors are looked for. */
    public Builder sysfs(Path root) {
      sysfs = root;
      return this;
    }

    /** Binds the function that makes a call from the payload, for one variant. */
    public Builder bind(
        String application, String variant, Function<@Nullable Object, KernelCall> call) {
      if (calls.putIfAbsent(new Key(application, variant), call) != null) {
        throw InvalidInputException.of(
            "call of application \"" + application + "\" variant",
            '"' + variant + '"',
            "must be bound once",
            "remove one of the bindings");
      }
      return this;
    }

    /** Builds the HAL, still closed. */
    public XrtHal build() {
      return new XrtHal(this);
    }

    private static int count(String what, int value) {
      if (value < 1 || value > MAX_LANES) {
        throw InvalidInputException.of(
            what, value, "must be between 1 and " + MAX_LANES, "correct it");
      }
      return value;
    }

    private static Duration positive(String what, Duration value) {
      if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
        throw InvalidInputException.of(
            what, value, "must be above 0 and at most " + LONGEST, "give a duration");
      }
      return value;
    }
  }
}
