package dev.muster.api;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one variant: the code a HAL runs on one of its own threads.
 *
 * <p>A host binds one body per application and variant in a {@link Registry} and hands it to the
 * HAL. Whatever a body throws ends its task as {@link Outcome.Failed} and harms nobody else. A body
 * that may run long asks {@link Control#isCancelled()} now and then, or blocks only in calls that
 * an interrupt ends.
 */
@FunctionalInterface
public interface TaskBody {
  /**
   * Works on what the host attached to the task.
   *
   * @param payload the task's payload, if any
   * @param control tells whether the result is still wanted
   * @return the result, reachable from {@link Outcome.Completed}
   * @throws Exception to fail the task with it as the cause
   */
  @Nullable Object run(@Nullable Object payload, Control control) throws Exception;

  /** Tells a running body about its run; valid on the body's own thread until it returns. */
  interface Control {
    /** Tells whether the run was cancelled or passed its time limit. */
    boolean isCancelled();
  }

  /**
   * Returns a body for applications whose payload is the code itself: it calls a {@link Callable}
   * or runs a {@link Runnable}.
   */
  static TaskBody callable() {
    return (payload, control) -> {
      if (payload instanceof Callable<?> callable) {
        return callable.call();
      }
      if (payload instanceof Runnable runnable) {
        runnable.run();
        return null;
      }
      throw InvalidInputException.of(
          "task payload",
          payload == null ? null : payload.getClass().getName(),
          "must be a Callable or a Runnable",
          "attach one, or bind a body that takes the payload");
    };
  }

  /** Binds bodies to applications and variants; immutable, safe for all threads. */
  final class Registry {
    private final Map<Key, TaskBody> bodies;
    private final @Nullable TaskBody otherwise;

    private record Key(String application, String variant) {}

    private Registry(Map<Key, TaskBody> bodies, @Nullable TaskBody otherwise) {
      this.bodies = Map.copyOf(bodies);
      this.otherwise = otherwise;
    }

    /** Starts an empty registry. */
    public static Builder builder() {
      return new Builder();
    }

    /** Returns a registry whose tasks carry their code as payload (see {@link #callable}). */
    public static Registry ofCallables() {
      return builder().otherwise(TaskBody.callable()).build();
    }

    /** Returns the body of a variant, or {@code null} if none is bound. */
    public @Nullable TaskBody body(Application application, Variant variant) {
      TaskBody body = bodies.get(new Key(application.name(), variant.id()));
      return body == null ? otherwise : body;
    }

    /** Collects bindings. */
    public static final class Builder {
      private final Map<Key, TaskBody> bodies = new HashMap<>();
      private @Nullable TaskBody otherwise;

      private Builder() {}

      /**
       * Binds the code of one variant.
       *
       * @throws InvalidInputException if the variant has a body already
       */
      public Builder bind(String application, String variant, TaskBody body) {
        Objects.requireNonNull(body, "body");
        if (bodies.putIfAbsent(new Key(application, variant), body) != null) {
          throw InvalidInputException.of(
              "body of application \"" + application + "\" variant",
              '"' + variant + '"',
              "must be bound once",
              "remove one of the bindings");
        }
        return this;
      }

      /** Sets the body of every variant that has none of its own. */
      public Builder otherwise(TaskBody body) {
        otherwise = Objects.requireNonNull(body, "body");
        return this;
      }

      /** Builds the registry. */
      public Registry build() {
        return new Registry(bodies, otherwise);
      }
    }
  }
}
