package dev.muster.hal.cpu;

import dev.muster.api.TaskBody;
import org.jspecify.annotations.Nullable;

/** Executes the runs of one worker: in the worker's own thread, or in a process behind it. */
interface Backend {
  /** Tells whether the code is called here, and not in a process that has its own. */
  boolean needsBody();

  /** Becomes ready for runs; called once, on the worker's thread. */
  void start() throws Exception;

  /** Executes a run, on the worker's thread. */
  @Nullable Object call(
      TaskBody body,
      String application,
      String variant,
      @Nullable Object payload,
      TaskBody.Control control)
      throws Exception;

  /** Makes the run in progress end early; from any thread, with the worker's thread as argument. */
  void interrupt(Thread thread);

  /** Tells whether further runs are possible. */
  boolean isAlive();

  /** Lets go of everything; idempotent, from any thread. */
  void stop();

  /** Returns the backend that calls bodies on the worker's thread. */
  static Backend thread() {
    return new Backend() {
      @Override
      public boolean needsBody() {
        return true;
      }

      @Override
      public void start() {}

      @Override
      public @Nullable Object call(
          TaskBody body,
          String application,
          String variant,
          @Nullable Object payload,
          TaskBody.Control control)
          throws Exception {
        return body.run(payload, control);
      }

      @Override
      public void interrupt(Thread thread) {
        thread.interrupt();
      }

      @Override
      public boolean isAlive() {
        return true;
      }

      @Override
      public void stop() {}
    };
  }
}
