package dev.muster.hal.sim;

import dev.muster.api.Application;
import dev.muster.api.Capability;
import dev.muster.api.DeviceException;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.InvalidInputException;
import dev.muster.api.RejectReason;
import dev.muster.api.SchedulingPolicy;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.Engine;
import dev.muster.core.engine.EngineObserver;
import dev.muster.core.engine.Tally;
import dev.muster.core.engine.Usage;
import dev.muster.core.live.DecisionLines;
import dev.muster.core.live.EventLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recorded live run in simulation and compares every decision with the recorded one.
 *
 * <p>The events of the file ({@link EventLines}) drive an engine with a policy of the same kind, at
 * the recorded times; hardware is not involved. Same events, same decisions (law 2): a difference
 * means that something other than the events had a say.
 */
public final class Replay {
  private static final int MAX_LINE_CHARS = 4_096;
  private static final int MAX_NAMES = 10_000;

  /**
   * Holds what a replay found.
   *
   * @param policy name of the policy
   * @param events events replayed
   * @param decisions decisions that were the same
   * @param difference where a decision first differed, or {@code null}
   * @param complete whether the file reached its end; a run that was killed leaves none
   * @param tally tasks by outcome
   * @param usage what the fleet used, modelled from the recorded times
   */
  public record Result(
      String policy,
      long events,
      long decisions,
      @Nullable String difference,
      boolean complete,
      Tally tally,
      Usage usage) {}

  private final BufferedReader in;
  private final String file;
  private final Queue<String> decided = new ArrayDeque<>();
  private final Map<Long, Worker> workers = new HashMap<>();
  private final Map<Long, Task> tasks = new HashMap<>();
  private @Nullable String line;
  private long lineNumber;
  private long events;
  private long decisions;
  private long nowNanos;
  private @Nullable String difference;

  private Replay(Reader reader, String file) {
    in = new BufferedReader(reader);
    this.file = file;
  }

  /**
   * Replays a file.
   *
   * @param policies makes a fresh policy from the name in the file
   * @throws InvalidInputException if the file is not a recording
   */
  public static Result run(Path file, Function<String, SchedulingPolicy> policies)
      throws IOException {
    try (Reader reader = Files.newBufferedReader(file)) {
      return run(reader, String.valueOf(file.getFileName()), policies);
    }
  }

  /**
   * Replays what a reader yields.
   *
   * @param name of the source, for messages
   */
  public static Result run(Reader reader, String name, Function<String, SchedulingPolicy> policies)
      throws IOException {
    return new Replay(reader, name).replay(policies);
  }

  private Result replay(Function<String, SchedulingPolicy> policies) throws IOException {
    nextLine();
    if (!EventLines.HEADER.equals(line)) {
      throw invalid("is \"" + abbreviated() + '"', "must be the head of an event file");
    }
    nextLine();
    SchedulingPolicy policy = policies.apply(EventLines.name(fields("policy", 2)[1]));
    Engine engine = engine(policy);
    engine.start();
    compareDecisions();
    boolean complete = false;
    while (line != null && difference == null) {
      if (line.equals("end")) {
        complete = true;
        break;
      }
      String[] f = line.split("\t", -1);
      try {
        apply(engine, f);
      } catch (InvalidInputException | ArrayIndexOutOfBoundsException e) {
        throw invalid("is \"" + abbreviated() + '"', "is no event: " + e.getMessage());
      }
      events++;
      nextLine();
      compareDecisions();
    }
    return new Result(
        policy.name(), events, decisions, difference, complete, engine.tally(), engine.usage());
  }

  // ---------------------------------------------------------------- the head

  private Engine engine(SchedulingPolicy policy) throws IOException {
    nextLine();
    String[] limits = fields("limits", 3);
    nextLine();
    List<WorkerType> types = new ArrayList<>();
    while (line != null && line.startsWith("type\t")) {
      types.add(EventLines.workerType(fields("type", 17)));
      nextNamed(types.size());
    }
    SilentHal hal = new SilentHal();
    if (line != null && line.startsWith("ahead\t")) {
      String[] ahead = fields("ahead", types.size() + 1);
      for (int i = 0; i < types.size(); i++) {
        hal.runAhead.put(types.get(i).name(), EventLines.integer(ahead[i + 1]));
      }
      nextLine();
    }
    List<Application> applications = new ArrayList<>();
    while (line != null && line.startsWith("app\t")) {
      String name = EventLines.name(fields("app", 2)[1]);
      List<Variant> variants = new ArrayList<>();
      nextLine();
      while (line != null && line.startsWith("variant\t")) {
        variants.add(EventLines.variant(fields("variant", 14)));
        nextNamed(variants.size());
      }
      applications.add(new Application(name, variants));
      if (applications.size() > MAX_NAMES) {
        throw invalid("lists more than " + MAX_NAMES + " applications", "must list fewer");
      }
    }
    return Engine.builder(policy, hal)
        .workerTypes(types)
        .applications(applications)
        .workloadCapabilities(EnumSet.allOf(Capability.class))
        .maxOpenTasks(EventLines.integer(limits[1]))
        .maxAttempts(EventLines.integer(limits[2]))
        .observer(new Watcher())
        .build();
  }

  private String[] fields(String record, int count) {
    String[] f = line == null ? new String[] {""} : line.split("\t", -1);
    if (!f[0].equals(record) || f.length != count) {
      throw invalid(
          "is \"" + abbreviated() + '"', "must be a \"" + record + "\" record of " + count);
    }
    return f;
  }

  private void nextNamed(int soFar) throws IOException {
    if (soFar > MAX_NAMES) {
      throw invalid("lists more than " + MAX_NAMES + " names", "must list fewer");
    }
    nextLine();
  }

  private void nextLine() throws IOException {
    StringBuilder text = new StringBuilder();
    int c;
    while ((c = in.read()) >= 0 && c != '\n') {
      if (text.length() == MAX_LINE_CHARS) {
        line = text.toString();
        lineNumber++;
        throw invalid("is longer than " + MAX_LINE_CHARS, "must be shorter");
      }
      text.append((char) c);
    }
    line = c < 0 && text.isEmpty() ? null : text.toString();
    lineNumber++;
  }

  // ---------------------------------------------------------------- events and decisions

  private void apply(Engine engine, String[] f) {
    long time = EventLines.number(f[0]);
    if (time < nowNanos || f[1].length() != 1) {
      throw invalid("is \"" + abbreviated() + '"', "must not go back in time");
    }
    nowNanos = time;
    switch (f[1].charAt(0)) {
      case 'S' ->
          engine.submit(
              time,
              EventLines.integer(f[2]),
              EventLines.number(f[3]),
              EventLines.number(f[4]),
              EventLines.integer(f[5]),
              null);
      case 'C' -> {
        Task task = tasks.get(EventLines.number(f[2]));
        if (task != null) {
          engine.cancel(task, task.id(), time);
        }
      }
      case 'T' -> engine.fireTimers(time);
      case 'E' -> engine.endInstant(time);
      case 'D' -> engine.drain(time);
      case 'V' -> recalibrate(engine, f);
      default -> {
        engine.advanceTo(time);
        halEvent(engine.events(), f);
      }
    }
  }

  private static void recalibrate(Engine engine, String[] f) {
    int application = EventLines.integer(f[2]);
    engine.replaceVariant(
        application,
        engine.variant(application, EventLines.name(f[3])).toBuilder()
            .fixed(Duration.ofNanos(EventLines.number(f[4])))
            .speedup(EventLines.integer(f[5]), EventLines.integer(f[6]))
            .build());
  }

  private void halEvent(Hal.Events to, String[] f) {
    Worker worker = workers.get(EventLines.number(f[2]));
    if (worker == null) {
      throw invalid("names worker " + f[2], "must name one that was provisioned");
    }
    switch (f[1].charAt(0)) {
      case 'r' -> to.ready(worker);
      case 'l' -> to.loaded(worker);
      case 'x' -> to.loadFailed(worker, failure(f[3]));
      case 'c' -> to.completed(worker, EventLines.number(f[3]), null, null);
      case 'f' -> to.failed(worker, EventLines.number(f[3]), failure(f[4]));
      case 'g' -> to.lost(worker, failure(f[3]));
      case 'd' -> to.released(worker);
      default ->
          throw invalid("is \"" + abbreviated() + '"', "must be an event this version knows");
    }
  }

  private Throwable failure(String kind) {
    if (kind.equals(EventLines.OTHER_FAILURE)) {
      return new RecordedFailure();
    }
    for (DeviceException.Kind known : DeviceException.Kind.values()) {
      if (known.name().equals(kind)) {
        return new DeviceException(known, "recorded failure of a device", null);
      }
    }
    throw invalid("names the failure " + kind, "must name a kind of device failure");
  }

  /** Holds the recorded decisions against what the engine just decided. */
  private void compareDecisions() throws IOException {
    while (line != null && line.startsWith("=")) {
      String mine = decided.poll();
      if (!line.equals(mine)) {
        difference =
            file + " line " + lineNumber + ": recorded " + shown(line) + ", now " + shown(mine);
        return;
      }
      decisions++;
      nextLine();
    }
    String more = decided.poll();
    if (more != null && line != null && !line.equals("end")) {
      difference = file + " line " + lineNumber + ": recorded nothing, now " + shown(more);
    }
    decided.clear();
  }

  private static String shown(@Nullable String decision) {
    return decision == null ? "nothing" : decision.replace('\t', ' ');
  }

  private String abbreviated() {
    String text = line == null ? "the end of the file" : line;
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }

  private InvalidInputException invalid(String value, String limit) {
    return InvalidInputException.of(
        file + " line " + lineNumber, value, limit, "record the run again");
  }

  /** Stands for a failure of user code. */
  private static final class RecordedFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RecordedFailure() {
      super("recorded failure", null, false, false);
    }
  }

  /** Collects decisions and follows who exists. */
  private final class Watcher implements EngineObserver {
    private final DecisionLines lines = new DecisionLines(text -> decided.add(text.toString()));

    @Override
    public void onSubmitted(Task task, long now) {
      tasks.put(task.id(), task);
    }

    @Override
    public void onProvisioned(Worker worker, long now) {
      workers.put(worker.id(), worker);
      lines.onProvisioned(worker, now);
    }

    @Override
    public void onAssigned(Task task, Worker worker, Variant variant, long now) {
      lines.onAssigned(task, worker, variant, now);
    }

    @Override
    public void onLoading(Worker worker, Variant variant, long now) {
      lines.onLoading(worker, variant, now);
    }

    @Override
    public void onStarted(Task task, Worker worker, Variant variant, long now) {
      lines.onStarted(task, worker, variant, now);
    }

    @Override
    public void onReclaimed(Task task, Worker worker, long now) {
      lines.onReclaimed(task, worker, now);
    }

    @Override
    public void onGone(Worker worker, long busyNanos, long now) {
      lines.onGone(worker, busyNanos, now);
    }

    @Override
    public void onCompleted(
        Task task,
        Worker worker,
        Variant variant,
        long startNanos,
        long finishNanos,
        @Nullable Object result,
        @Nullable EnergyReading energy) {
      tasks.remove(task.id());
      lines.onCompleted(task, worker, variant, startNanos, finishNanos, result, energy);
    }

    @Override
    public void onRejected(Task task, RejectReason reason, long now) {
      tasks.remove(task.id());
      lines.onRejected(task, reason, now);
    }

    @Override
    public void onFailed(Task task, Throwable cause, long now) {
      tasks.remove(task.id());
      lines.onFailed(task, cause, now);
    }

    @Override
    public void onCancelled(Task task, long now) {
      tasks.remove(task.id());
      lines.onCancelled(task, now);
    }
  }

  /** Takes every command; the recorded events are the answers. */
  private static final class SilentHal implements Hal {
    final Map<String, Integer> runAhead = new HashMap<>();

    @Override
    public int runAhead(WorkerType type) {
      return runAhead.getOrDefault(type.name(), 0);
    }

    @Override
    public boolean withdraw(Worker worker, long runId) {
      return true; // a cancellation is recorded when it takes effect
    }

    @Override
    public String name() {
      return "replay";
    }

    @Override
    public Set<Capability> capabilities() {
      return EnumSet.allOf(Capability.class);
    }

    @Override
    public String deviceId(Worker worker) {
      return "replay:" + worker.id();
    }

    @Override
    public void open(Events events) {}

    @Override
    public void provision(Worker worker) {}

    @Override
    public void load(Worker worker, Variant variant) {}

    @Override
    public void run(Worker worker, Task task, Variant variant, long runId) {}

    @Override
    public void cancel(Worker worker, long runId) {}

    @Override
    public void release(Worker worker) {}

    @Override
    public List<String> close(Duration timeout) {
      return List.of();
    }
  }
}
