package dev.muster.core.live;

import dev.muster.api.Application;
import dev.muster.api.DeviceException;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import dev.muster.api.WorkerType;
import dev.muster.core.engine.EngineObserver;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records everything that enters an engine, in order and with its time, and what it decides; the
 * format is in {@link EventLines}. Replaying the file on an engine with the same policy gives the
 * same decisions.
 *
 * <p>Recording runs on the scheduler thread and costs it some hundred nanoseconds an event. Should
 * writing fail, recording ends with a warning and scheduling goes on.
 */
public final class EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  private final StringBuilder line = new StringBuilder(128);
  private @Nullable Writer writer;

  private EventLog(Writer writer) {
    this.writer = writer;
  }

  /** Creates a recording in a file, replacing it. */
  public static EventLog to(Path file) throws IOException {
    return new EventLog(Files.newBufferedWriter(file));
  }

  /** Creates a recording to a writer, which is closed at the end. */
  public static EventLog to(Writer writer) {
    return new EventLog(writer);
  }

  /** Returns the observer that adds the decisions. */
  EngineObserver decisions() {
    return new DecisionLines(this::write);
  }

  void begin(
      String policy,
      int maxOpenTasks,
      int maxAttempts,
      List<WorkerType> types,
      int[] runAhead,
      List<Application> applications) {
    write(EventLines.HEADER);
    write(EventLines.appendName(start("policy\t"), policy));
    write(start("limits\t").append(maxOpenTasks).append('\t').append(maxAttempts));
    for (WorkerType type : types) {
      write(EventLines.append(start(""), type));
    }
    start("ahead");
    for (int runs : runAhead) {
      line.append('\t').append(runs);
    }
    write(line);
    for (Application application : applications) {
      write(EventLines.appendName(start("app\t"), application.name()));
      for (Variant variant : application.variants()) {
        write(EventLines.append(start(""), variant));
      }
    }
  }

  void submit(int application, long sizeNanos, long deadlineNanos, int weight, long nowNanos) {
    StringBuilder fields = event(nowNanos, 'S').append('\t').append(application);
    fields.append('\t').append(sizeNanos).append('\t').append(deadlineNanos);
    write(fields.append('\t').append(weight));
  }

  void cancel(long taskId, long nowNanos) {
    write(event(nowNanos, 'C').append('\t').append(taskId));
  }

  void timers(long nowNanos) {
    write(event(nowNanos, 'T'));
  }

  void instantEnd(long nowNanos) {
    write(event(nowNanos, 'E'));
  }

  void drain(long nowNanos) {
    write(event(nowNanos, 'D'));
  }

  void calibrated(int application, Variant variant, long nowNanos) {
    StringBuilder fields = event(nowNanos, 'V').append('\t').append(application).append('\t');
    EventLines.appendName(fields, variant.id()).append('\t').append(variant.fixedNanos());
    fields.append('\t').append(variant.speedupNumerator());
    write(fields.append('\t').append(variant.speedupDenominator()));
  }

  void halEvent(byte kind, Worker worker, long runId, @Nullable Object first, long nowNanos) {
    StringBuilder fields = event(nowNanos, letter(kind)).append('\t').append(worker.id());
    if (kind == HalEvent.COMPLETED || kind == HalEvent.FAILED) {
      fields.append('\t').append(runId);
    }
    if (kind == HalEvent.LOAD_FAILED || kind == HalEvent.FAILED || kind == HalEvent.LOST) {
      fields
          .append('\t')
          .append(first instanceof DeviceException e ? e.kind().name() : EventLines.OTHER_FAILURE);
    }
    write(fields);
  }

  void end() {
    write("end");
    Writer open = writer;
    writer = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.warn("The recording may be incomplete: closing it failed.", e);
      }
    }
  }

  private static char letter(byte kind) {
    return switch (kind) {
      case HalEvent.READY -> 'r';
      case HalEvent.LOADED -> 'l';
      case HalEvent.LOAD_FAILED -> 'x';
      case HalEvent.COMPLETED -> 'c';
      case HalEvent.FAILED -> 'f';
      case HalEvent.LOST -> 'g';
      case HalEvent.RELEASED -> 'd';
      default -> throw new IllegalStateException("no HAL event has the number " + kind);
    };
  }

  private StringBuilder start(String text) {
    line.setLength(0);
    return line.append(text);
  }

  private StringBuilder event(long nowNanos, char letter) {
    line.setLength(0);
    return line.append(nowNanos).append('\t').append(letter);
  }

  private void write(CharSequence text) {
    Writer to = writer;
    if (to == null) {
      return;
    }
    try {
      to.append(text).append('\n');
    } catch (IOException e) {
      writer = null;
      LOG.warn("Recording ends here: writing failed.", e);
    }
  }
}
