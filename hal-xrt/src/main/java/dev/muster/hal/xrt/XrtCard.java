package dev.muster.hal.xrt;

import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Worker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the workers of one card from one thread, which makes every native call for it.
 *
 * <p>Requests are served in order, except that a run may pass runs that wait for a busy unit. A
 * request that needs another image waits until the card has drained, and what came after it waits
 * too. Events are reported under this object's lock, so that nothing follows a loss; their receiver
 * must not block.
 */
final class XrtCard implements Runnable {
  private static final long SPIN_NANOS = 20_000;
  private static final long LONGEST_PARK_NANOS = 1_000_000;
  private static final int MOST_ERRORS_IN_A_ROW = 3;
  private static final double LOAD_WEIGHT = 0.3;

  private sealed interface Request permits Ready, Load, Run {
    Worker worker();
  }

  private record Ready(Worker worker) implements Request {}

  private record Load(Worker worker, Path image) implements Request {}

  private record Run(Worker worker, @Nullable Path image, KernelCall call, long runId)
      implements Request {}

  /** Holds what a started run needs when it ends. */
  private static final class Active {
    final Run request;
    final XrtKernel kernel;
    final @Nullable XrtBuffer[] buffers;
    final long startNanos = System.nanoTime();
    final CardMeter.@Nullable Mark mark;
    boolean alone;

    Active(Run request, XrtKernel kernel, CardMeter.@Nullable Mark mark, boolean alone) {
      this.request = request;
      this.kernel = kernel;
      this.buffers = new XrtBuffer[request.call.arguments().size()];
      this.mark = mark;
      this.alone = alone;
    }
  }

  private final String id;
  private final Supplier<XrtDevice> opener;
  private final Hal.Events events;
  private final long runLimitNanos;
  private final long callLimitNanos;
  private final @Nullable CardMeter meter;
  private final Thread thread;

  // Guarded by this.
  private final Map<Long, Worker> workers = new TreeMap<>();
  private final Deque<Request> requests = new ArrayDeque<>();
  private boolean failed;
  private boolean closing;
  private boolean started;

  // The thread's own.
  private final List<Active> active = new ArrayList<>();
  private @Nullable XrtDevice device;
  private @Nullable Path image;
  private int errorsInARow;

  private volatile long callSinceNanos;
  private volatile boolean inCall;
  private volatile long loadNanos = XrtHal.DEFAULT_LOAD_NANOS;
  private volatile boolean loadSeen;
  private volatile boolean closedInOrder;

  XrtCard(
      String id,
      Supplier<XrtDevice> opener,
      Hal.Events events,
      long runLimitNanos,
      long callLimitNanos,
      @Nullable CardMeter meter) {
    this.id = id;
    this.opener = opener;
    this.events = events;
    this.runLimitNanos = runLimitNanos;
    this.callLimitNanos = callLimitNanos;
    this.meter = meter;
    thread = Thread.ofPlatform().daemon().name("muster-xrt-" + id).unstarted(this);
  }

  String id() {
    return id;
  }

  @Nullable CardMeter meter() {
    return meter;
  }

  long loadNanos() {
    return loadNanos;
  }

  // ---------------------------------------------------------------- from the command thread

  synchronized boolean isUsable() {
    return !failed && !closing;
  }

  synchronized int workerCount() {
    return workers.size();
  }

  void provision(Worker worker) {
    boolean start;
    synchronized (this) {
      workers.put(worker.id(), worker);
      requests.add(new Ready(worker));
      start = !started;
      started = true;
    }
    if (start) {
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
  }

  void load(Worker worker, Path file) {
    add(new Load(worker, file));
  }

  void run(Worker worker, @Nullable Path file, KernelCall call, long runId) {
    add(new Run(worker, file, call, runId));
  }

  private void add(Request request) {
    synchronized (this) {
      if (!workers.containsKey(request.worker().id())) {
        return; // its loss was reported, which answers this too
      }
      requests.add(request);
    }
    LockSupport.unpark(thread);
  }

  /** Ends a run that has not been started; one that has been cannot be stopped. */
  synchronized void cancel(long runId) {
    for (Iterator<Request> i = requests.iterator(); i.hasNext(); ) {
      if (i.next() instanceof Run run && run.runId == runId) {
        i.remove();
        events.failed(
            run.worker,
            runId,
            new DeviceException(
                DeviceException.Kind.RUN_FAILED, id + ": the run was cancelled in time", null));
      }
    }
  }

  synchronized void release(Worker worker) {
    if (workers.remove(worker.id()) != null) {
      events.released(worker);
    }
  }

  // ---------------------------------------------------------------- from the watching thread

  /** Gives the card up if a native call does not come back. */
  void watch(long nowNanos) {
    if (inCall && nowNanos - callSinceNanos > callLimitNanos) {
      fail(
          new DeviceException(
              DeviceException.Kind.LOST,
              id
                  + ": a call into XRT has not returned for "
                  + callLimitNanos / 1_000_000
                  + " ms; the card is not used any more. See dmesg, reset the card (xbutil reset"
                  + " --device "
                  + id
                  + ") and start a new process",
              null));
    }
  }

  private synchronized void fail(DeviceException cause) {
    if (failed) {
      return;
    }
    failed = true;
    requests.clear();
    for (Worker worker : workers.values()) {
      events.lost(worker, cause);
    }
    workers.clear();
    LockSupport.unpark(thread);
  }

  /** Asks the thread to finish what runs, close the card and end. */
  void close() {
    synchronized (this) {
      closing = true;
      requests.clear();
      if (!started) {
        closedInOrder = true;
      }
    }
    LockSupport.unpark(thread);
  }

  /** Waits for the thread to end; tells whether the card was closed in order. */
  boolean awaitClosed(long nanos) throws InterruptedException {
    synchronized (this) {
      if (failed) {
        return false; // its thread may never come back
      }
    }
    if (!closedInOrder && nanos > 0) {
      thread.join(java.time.Duration.ofNanos(nanos));
    }
    return closedInOrder;
  }

  // ---------------------------------------------------------------- the card's thread

  @Override
  public void run() {
    long idleSince = System.nanoTime();
    long parkNanos = SPIN_NANOS;
    while (true) {
      inCall(true);
      boolean progress = pollActive();
      progress |= serveNext();
      inCall(false);
      synchronized (this) {
        if (failed || (closing && active.isEmpty())) {
          break;
        }
      }
      long now = System.nanoTime();
      if (progress) {
        idleSince = now;
        parkNanos = SPIN_NANOS;
      } else if (active.isEmpty()) {
        LockSupport.park(this);
      } else if (now - idleSince > SPIN_NANOS) {
        LockSupport.parkNanos(this, parkNanos);
        parkNanos = Math.min(2 * parkNanos, LONGEST_PARK_NANOS);
      }
    }
    shutDown();
  }

  private void inCall(boolean value) {
    if (value) {
      callSinceNanos = System.nanoTime();
    }
    inCall = value;
  }

  private void shutDown() {
    boolean orderly;
    synchronized (this) {
      orderly = !failed;
    }
    if (orderly) {
      inCall(true);
      if (device != null) {
        device.close();
      }
      inCall(false);
      closedInOrder = device == null || device.state() == XrtDevice.State.CLOSED;
    }
  }

  private boolean serveNext() {
    Request next = next();
    if (next == null) {
      return false;
    }
    try {
      switch (next) {
        case Ready ready -> {
          openDevice();
          emit(ready.worker, () -> events.ready(ready.worker));
        }
        case Load load -> {
          ensureImage(load.image);
          emit(load.worker, () -> events.loaded(load.worker));
        }
        case Run run -> start(run);
      }
    } catch (RuntimeException e) {
      answer(next, e);
    }
    return true;
  }

  /** Takes the first request that can be served now. */
  private synchronized @Nullable Request next() {
    for (Iterator<Request> i = requests.iterator(); i.hasNext(); ) {
      Request request = i.next();
      boolean servable =
          switch (request) {
            case Ready ready -> true;
            case Load load -> isLoaded(load.image) || active.isEmpty();
            case Run run -> isLoaded(run.image) ? hasFreeUnit(run) : active.isEmpty();
          };
      if (servable) {
        i.remove();
        return request;
      }
      boolean barrier =
          switch (request) {
            case Ready ready -> false;
            case Load load -> true;
            case Run run -> !isLoaded(run.image);
          };
      if (barrier) {
        return null;
      }
    }
    return null;
  }

  private boolean isLoaded(@Nullable Path file) {
    return file == null || file.equals(image);
  }

  /** Tells whether a run can start, or fail, at once. */
  private boolean hasFreeUnit(Run run) {
    XclbinFile loaded = device == null ? null : device.image().orElse(null);
    XclbinFile.Kernel kernel =
        loaded == null ? null : loaded.kernel(run.call.kernel()).orElse(null);
    return kernel == null || freeUnit(kernel) != null;
  }

  private XclbinFile.@Nullable ComputeUnit freeUnit(XclbinFile.Kernel kernel) {
    for (XclbinFile.ComputeUnit unit : kernel.units()) {
      String name = kernel.name() + ":{" + unit.name() + "}";
      if (active.stream().noneMatch(one -> one.kernel.name().equals(name))) {
        return unit;
      }
    }
    return null;
  }

  private XrtDevice openDevice() {
    XrtDevice opened = device;
    if (opened == null) {
      opened = opener.get();
      device = opened;
    }
    return opened;
  }

  private void ensureImage(Path file) {
    if (file.equals(image)) {
      return;
    }
    image = null;
    long start = System.nanoTime();
    if (openDevice().load(file)) {
      long took = System.nanoTime() - start;
      loadNanos = loadSeen ? (long) (LOAD_WEIGHT * took + (1 - LOAD_WEIGHT) * loadNanos) : took;
      loadSeen = true;
    }
    image = file;
  }

  private void start(Run run) {
    if (run.image != null) {
      ensureImage(run.image);
    }
    XrtDevice on = openDevice();
    String name = run.call.kernel();
    XclbinFile.Kernel kernel = on.image().flatMap(loaded -> loaded.kernel(name)).orElse(null);
    XclbinFile.ComputeUnit unit = kernel == null ? null : freeUnit(kernel);
    XrtKernel opened = on.kernel(name, unit == null ? name : unit.name());
    run.call.requireFits(opened.description());
    boolean alone = active.isEmpty();
    active.forEach(one -> one.alone = false);
    Active started = new Active(run, opened, meter == null ? null : meter.mark(), alone);
    try {
      setArguments(on, started);
      opened.run().start();
    } catch (RuntimeException e) {
      releaseBuffers(started);
      throw e;
    }
    active.add(started);
  }

  private static void setArguments(XrtDevice on, Active started) {
    XrtKernel kernel = started.kernel;
    List<KernelCall.Argument> arguments = started.request.call.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      int index = kernel.description().arguments().get(i).index();
      switch (arguments.get(i)) {
        case KernelCall.Int32 v -> kernel.run().argument(index, v.value());
        case KernelCall.Int64 v -> kernel.run().argument(index, v.value());
        case KernelCall.Real v -> kernel.run().argument(index, v.value());
        case KernelCall.Buffer b -> {
          XrtBuffer buffer = on.buffer(kernel.group(index), b.bytes());
          started.buffers[i] = buffer;
          long count = b.input().byteSize();
          MemorySegment.copy(b.input(), 0, buffer.memory(), 0, count);
          buffer.toDevice(count);
          kernel.run().argument(index, buffer);
        }
      }
    }
  }

  private boolean pollActive() {
    boolean progress = false;
    for (int i = active.size() - 1; i >= 0; i--) {
      Active one = active.get(i);
      XrtRun run = one.kernel.run();
      if (run.poll() == XrtRun.State.RUNNING) {
        if (System.nanoTime() - one.startNanos > runLimitNanos) {
          DeviceException hung = run.quarantine(runLimitNanos);
          emit(
              one.request.worker, () -> events.failed(one.request.worker, one.request.runId, hung));
          fail(hung);
          return true;
        }
      } else {
        active.remove(i);
        finish(one, run.state() == XrtRun.State.READY);
        progress = true;
      }
    }
    return progress;
  }

  private void finish(Active one, boolean successful) {
    Run run = one.request;
    try {
      if (!successful) {
        if (++errorsInARow == MOST_ERRORS_IN_A_ROW) {
          fail(
              new DeviceException(
                  DeviceException.Kind.LOST,
                  id + ": " + errorsInARow + " runs in a row ended in error; see dmesg",
                  null));
        }
        throw new DeviceException(
            DeviceException.Kind.RUN_FAILED,
            id + ": " + one.kernel.name() + " ended in error; see dmesg and the kernel's log",
            null);
      }
      errorsInARow = 0;
      Map<Integer, byte[]> outputs = outputs(one);
      EnergyReading energy =
          meter == null || one.mark == null || !one.alone
              ? null
              : meter.since(one.mark, System.nanoTime() - one.startNanos);
      releaseBuffers(one);
      emit(
          run.worker,
          () -> events.completed(run.worker, run.runId, new KernelResult(outputs), energy));
    } catch (RuntimeException e) {
      releaseBuffers(one);
      answer(run, e);
    }
  }

  private static Map<Integer, byte[]> outputs(Active one) {
    Map<Integer, byte[]> outputs = new TreeMap<>();
    List<KernelCall.Argument> arguments = one.request.call.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      XrtBuffer buffer = one.buffers[i];
      if (arguments.get(i) instanceof KernelCall.Buffer b
          && b.outputBytes() > 0
          && buffer != null) {
        buffer.fromDevice(b.outputBytes());
        byte[] bytes = new byte[b.outputBytes()];
        MemorySegment.copy(buffer.memory(), 0, MemorySegment.ofArray(bytes), 0, bytes.length);
        outputs.put(i, bytes);
      }
    }
    return outputs;
  }

  private static void releaseBuffers(Active one) {
    for (int i = 0; i < one.buffers.length; i++) {
      XrtBuffer buffer = one.buffers[i];
      if (buffer != null) {
        one.buffers[i] = null;
        buffer.release();
      }
    }
  }

  private void answer(Request request, RuntimeException cause) {
    Worker worker = request.worker();
    switch (request) {
      case Ready ready ->
          emit(
              worker,
              () -> {
                workers.remove(worker.id());
                events.lost(worker, cause);
              });
      case Load load -> emit(worker, () -> events.loadFailed(worker, cause));
      case Run run -> emit(worker, () -> events.failed(worker, run.runId, cause));
    }
  }

  /** Reports an event unless the worker's loss was reported. */
  private synchronized void emit(Worker worker, Runnable event) {
    if (workers.containsKey(worker.id())) {
      event.run();
    }
  }

  static final Comparator<XrtCard> LEAST_BUSY =
      Comparator.comparingInt(XrtCard::workerCount).thenComparing(XrtCard::id);
}
