package dev.muster.hal.sim.device;

import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Simulates cards under virtual time with transfers, memory and loading as on a card.
 *
 * <p>Worker slot s is region {@code s mod R} of card {@code s / R}. A run moves its bytes in,
 * computes for what its variant says at full speed, and moves its bytes out; the phases of a card's
 * regions slow each other down as {@link CardState} says. A load takes {@link
 * DeviceModel#reconfigureNanos}. If it is device-wide it first waits for the card's other regions
 * to drain, and what starts on them meanwhile waits for it; the image it writes holds the other
 * regions' kernels too, so those stay loaded.
 *
 * <p>Energy is exact in {@link #energy()}; static power counts for cards with a worker up. Run
 * reports carry no reading, so the engine's ledger goes on modelling its own.
 *
 * <p>Events at one instant come by card and region. An event costs O(R + log cards) while memory
 * suffices.
 */
public final class DetailedSimHal implements Hal {
  private static final long NOBODY = -1;
  private static final byte NONE = 0;
  private static final byte READY = 1;
  private static final byte LOADING = 2;
  private static final byte LATENCY_IN = 3;
  private static final byte MOVING_IN = 4;
  private static final byte COMPUTING = 5;
  private static final byte LATENCY_OUT = 6;
  private static final byte MOVING_OUT = 7;
  private static final byte CANCELLED = 8;
  private static final byte GONE = 9;
  private static final byte RUN_WAITS = 10;
  private static final byte LOAD_WAITS = 11;

  private final DeviceModel model;
  private final int regions;
  private final WorkModel work;
  private final long loadNanos;
  private final EnergyAccount energy = EnergyAccount.create();
  private final TimeHeap heap = new TimeHeap();
  private @Nullable Events events;
  private boolean closed;
  private long nowNanos;

  private CardState[] cards = new CardState[0];
  private int[] held = new int[0];
  private long[] upSince = new long[0];
  private byte[] kind = new byte[0];
  private @Nullable Worker[] workers = new Worker[0];
  private long[] workerIds = new long[0];
  private long[] runIds = new long[0];
  private long[] bytesIn = new long[0];
  private long[] bytesOut = new long[0];
  private long[] memory = new long[0];
  private long[] service = new long[0];
  private int[] units = new int[0];

  private DetailedSimHal(DeviceModel model, int regions, WorkModel work) {
    KernelModel.require("regions", regions, 1, 64);
    this.model = model;
    this.regions = regions;
    this.work = work;
    loadNanos = model.reconfigureNanos(model.regionImageBytes(regions));
  }

  /**
   * Creates a fleet of equal cards.
   *
   * @param model the card
   * @param regions regions of each card, 1 to 64
   * @param work what tasks demand beyond computing
   */
  public static DetailedSimHal of(DeviceModel model, int regions, WorkModel work) {
    return new DetailedSimHal(model, regions, work);
  }

  /** Returns when the next event or change of phase is due, or {@link Long#MAX_VALUE}. O(1). */
  public long nextEventNanos() {
    return heap.minTime();
  }

  /** Sets the time of the command that follows. */
  public void advanceTo(long nanos) {
    nowNanos = nanos;
  }

  /** Ends the phase that is due, and reports the event if it was the last of its command. */
  public void deliver() {
    nowNanos = heap.minTime();
    int card = heap.minCard();
    int slot = card * regions + cards[card].nextRegion();
    Events to = openEvents();
    Worker worker = worker(slot);
    byte ended = kind[slot];
    finishPhase(slot);
    switch (ended) {
      case LATENCY_IN -> begin(slot, MOVING_IN, CardState.Phase.TO_CARD, pcie(bytesIn[slot]));
      case MOVING_IN -> compute(slot);
      case LATENCY_OUT -> begin(slot, MOVING_OUT, CardState.Phase.FROM_CARD, pcie(bytesOut[slot]));
      case COMPUTING -> {
        if (bytesOut[slot] > 0) {
          begin(slot, LATENCY_OUT, CardState.Phase.FIXED, (double) model.pcieLatencyNanos());
        } else {
          complete(to, worker, slot);
        }
      }
      case MOVING_OUT -> complete(to, worker, slot);
      case READY -> to.ready(worker);
      case LOADING -> {
        startWaiting(card);
        to.loaded(worker);
      }
      case CANCELLED -> {
        startWaiting(card);
        to.failed(
            worker, runIds[slot], fault(worker, DeviceException.Kind.RUN_FAILED, "cancelled"));
      }
      case GONE -> {
        clear(slot);
        to.lost(worker, fault(worker, DeviceException.Kind.LOST, "taken away"));
      }
      default -> throw new IllegalStateException("no event is due");
    }
  }

  /** Returns the energy so far; call {@link #settle} first to bring static energy up to date. */
  public EnergyAccount energy() {
    return energy;
  }

  /** Charges static energy up to a time. */
  public void settle(long nanos) {
    for (int card = 0; card < cards.length; card++) {
      if (held[card] > 0) {
        energy.chargeStatic(model.staticMilliwatts(), nanos - upSince[card]);
        upSince[card] = nanos;
      }
    }
  }

  @Override
  public String name() {
    return "sim";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.ELASTIC_WORKERS, Capability.REGIONS);
  }

  @Override
  public String deviceId(Worker worker) {
    return "sim:" + model.name() + "-" + worker.type().name() + "-" + worker.id();
  }

  @Override
  public void open(Events value) {
    if (events != null) {
      throw new IllegalStateException("the simulated fleet is open already");
    }
    events = value;
  }

  @Override
  public void provision(Worker worker) {
    requireOpen(worker, "provision");
    int slot = worker.slot();
    if (slot >= kind.length) {
      grow(Math.max(cards.length * 2, slot / regions + 1));
    }
    workers[slot] = worker;
    workerIds[slot] = worker.id();
    int card = slot / regions;
    if (held[card]++ == 0) {
      upSince[card] = nowNanos;
    }
    begin(slot, READY, CardState.Phase.FIXED, (double) Math.max(0, worker.readyNanos() - nowNanos));
  }

  /** Takes a worker away, as a card that drops off its bus; what it was doing is lost. */
  public void lose(Worker worker) {
    requireHeld(worker, "lose");
    abort(worker.slot(), GONE);
  }

  @Override
  public void load(Worker worker, Variant variant) {
    requireIdle(worker, "load");
    int slot = worker.slot();
    kind[slot] = LOAD_WAITS;
    startWaiting(slot / regions);
  }

  @Override
  public void run(Worker worker, Task task, Variant variant, long runId) {
    requireIdle(worker, "run");
    int slot = worker.slot();
    runIds[slot] = runId;
    bytesIn[slot] = work.bytesIn(task, variant);
    bytesOut[slot] = work.bytesOut(task, variant);
    memory[slot] = work.memoryBytes(task, variant);
    service[slot] = variant.serviceNanos(task.sizeNanos());
    units[slot] = variant.units();
    kind[slot] = RUN_WAITS;
    if (model.reconfigurePerRegion() || !loadOn(slot / regions)) {
      startRun(slot);
    }
  }

  @Override
  public void cancel(Worker worker, long runId) {
    int slot = worker.slot();
    if (slot < kind.length
        && workerIds[slot] == worker.id()
        && runIds[slot] == runId
        && ((kind[slot] >= LATENCY_IN && kind[slot] <= MOVING_OUT) || kind[slot] == RUN_WAITS)) {
      abort(slot, CANCELLED);
    }
  }

  @Override
  public void release(Worker worker) {
    requireHeld(worker, "release");
    clear(worker.slot());
    openEvents().released(worker);
  }

  @Override
  public List<String> close(Duration timeout) {
    for (int slot = 0; slot < kind.length; slot++) {
      if (workerIds[slot] != NOBODY) {
        clear(slot);
      }
    }
    closed = true;
    return List.of();
  }

  private void complete(Events to, Worker worker, int slot) {
    startWaiting(slot / regions);
    to.completed(worker, runIds[slot], null, null);
  }

  private void startRun(int slot) {
    if (bytesIn[slot] > 0) {
      begin(slot, LATENCY_IN, CardState.Phase.FIXED, (double) model.pcieLatencyNanos());
    } else {
      compute(slot);
    }
  }

  private void compute(int slot) {
    kind[slot] = COMPUTING;
    double bytesPerNano = service[slot] == 0 ? 0 : (double) memory[slot] / service[slot];
    cards[slot / regions].begin(
        nowNanos, slot % regions, CardState.Phase.COMPUTE, (double) service[slot], bytesPerNano);
    reschedule(slot / regions);
  }

  private double pcie(long bytes) {
    return bytes * 1_000.0 / model.pcieBytesPerMicro();
  }

  private void begin(int slot, byte what, CardState.Phase phase, double nanos) {
    kind[slot] = what;
    cards[slot / regions].begin(nowNanos, slot % regions, phase, nanos, 0);
    reschedule(slot / regions);
  }

  /** Ends a region's phase and charges the part of it that was done. */
  private void finishPhase(int slot) {
    int card = slot / regions;
    double left = cards[card].end(nowNanos, slot % regions);
    byte ended = kind[slot];
    kind[slot] = NONE;
    reschedule(card);
    switch (ended) {
      case COMPUTING ->
          energy.chargeDynamic(
              units[slot] * model.unitMilliwatts(), service[slot] - (long) Math.ceil(left));
      case MOVING_IN -> chargeTransfer(bytesIn[slot], left);
      case MOVING_OUT -> chargeTransfer(bytesOut[slot], left);
      case LOADING ->
          energy.chargeReconfiguration(
              model.reconfigureMilliwatts(), loadNanos - (long) Math.ceil(left));
      default -> {
        // Waiting costs nothing beyond static power.
      }
    }
  }

  private void chargeTransfer(long bytes, double leftNanos) {
    long left = (long) Math.ceil(leftNanos * model.pcieBytesPerMicro() / 1_000);
    energy.chargeTransfer(model.transferPicojoulesPerByte(), bytes - Math.min(bytes, left));
  }

  private void abort(int slot, byte what) {
    finishPhase(slot);
    begin(slot, what, CardState.Phase.FIXED, 0);
  }

  /** Starts what waits on a card: one load once nothing runs, or else the runs. */
  private void startWaiting(int card) {
    if (model.reconfigurePerRegion()) {
      startLoads(card, regions);
    } else if (!busy(card)) {
      if (loadOn(card)) {
        startLoads(card, 1);
        return;
      }
      for (int slot = card * regions; slot < (card + 1) * regions; slot++) {
        if (kind[slot] == RUN_WAITS) {
          startRun(slot);
        }
      }
    }
  }

  private void startLoads(int card, int most) {
    int started = 0;
    for (int slot = card * regions; slot < (card + 1) * regions && started < most; slot++) {
      if (kind[slot] == LOAD_WAITS) {
        begin(slot, LOADING, CardState.Phase.FIXED, (double) loadNanos);
        started++;
      }
    }
  }

  private boolean busy(int card) {
    for (int slot = card * regions; slot < (card + 1) * regions; slot++) {
      if (kind[slot] >= LOADING && kind[slot] <= MOVING_OUT) {
        return true;
      }
    }
    return false;
  }

  private boolean loadOn(int card) {
    for (int slot = card * regions; slot < (card + 1) * regions; slot++) {
      if (kind[slot] == LOADING || kind[slot] == LOAD_WAITS) {
        return true;
      }
    }
    return false;
  }

  private void clear(int slot) {
    int card = slot / regions;
    finishPhase(slot);
    workers[slot] = null;
    workerIds[slot] = NOBODY;
    if (--held[card] == 0) {
      energy.chargeStatic(model.staticMilliwatts(), nowNanos - upSince[card]);
    }
    startWaiting(card);
  }

  private void reschedule(int card) {
    heap.set(card, cards[card].nextNanos());
  }

  private void grow(int newCards) {
    int oldCards = cards.length;
    int oldSlots = kind.length;
    int slots = newCards * regions;
    cards = Arrays.copyOf(cards, newCards);
    for (int card = oldCards; card < newCards; card++) {
      cards[card] = CardState.of(model, regions);
    }
    held = Arrays.copyOf(held, newCards);
    upSince = Arrays.copyOf(upSince, newCards);
    heap.grow(newCards);
    kind = Arrays.copyOf(kind, slots);
    workers = Arrays.copyOf(workers, slots);
    workerIds = Arrays.copyOf(workerIds, slots);
    Arrays.fill(workerIds, oldSlots, slots, NOBODY);
    runIds = Arrays.copyOf(runIds, slots);
    bytesIn = Arrays.copyOf(bytesIn, slots);
    bytesOut = Arrays.copyOf(bytesOut, slots);
    memory = Arrays.copyOf(memory, slots);
    service = Arrays.copyOf(service, slots);
    units = Arrays.copyOf(units, slots);
  }

  private Worker worker(int slot) {
    Worker worker = workers[slot];
    if (worker == null) {
      throw new IllegalStateException("slot " + slot + " holds no worker");
    }
    return worker;
  }

  private Events openEvents() {
    Events to = events;
    if (to == null) {
      throw new IllegalStateException("the simulated fleet is not open");
    }
    return to;
  }

  private DeviceException fault(Worker worker, DeviceException.Kind why, String what) {
    return new DeviceException(why, deviceId(worker) + ": " + what, null);
  }

  private void requireOpen(Worker worker, String command) {
    if (closed) {
      throw fault(
          worker,
          DeviceException.Kind.CLOSED,
          command + " after close; open a new simulated fleet");
    }
  }

  private void requireHeld(Worker worker, String command) {
    requireOpen(worker, command);
    if (worker.slot() >= kind.length || workerIds[worker.slot()] != worker.id()) {
      throw fault(
          worker,
          DeviceException.Kind.CLOSED,
          command + " on a worker that is not up; provision one");
    }
  }

  private void requireIdle(Worker worker, String command) {
    requireHeld(worker, command);
    if (kind[worker.slot()] != NONE) {
      throw fault(
          worker,
          DeviceException.Kind.BUSY,
          command + " before the last command was answered; wait for it");
    }
  }
}
