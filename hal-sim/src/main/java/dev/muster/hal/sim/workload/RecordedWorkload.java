package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import dev.muster.api.Task;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Holds every task of a workload in primitive columns, ready to be replayed without any generation.
 *
 * <p>For benchmarks, whose measured part should not draw random numbers, and for explicit tasks. A
 * task costs 8 to 40 bytes: a column whose values are all equal costs nothing.
 */
public final class RecordedWorkload implements Workload {
  /** Bounds the tasks that can be held: 2^29. */
  public static final int MAX_TASKS = 1 << 29;

  private final String name;
  private final List<String> applications;
  private final WorkloadSummary summary;
  private final LongColumn arrivals;
  private final LongColumn sizes;

  /** Holds deadline minus arrival, which is often the same for all. */
  private final LongColumn slacks;

  private final LongColumn owners;
  private final LongColumn weights;

  private RecordedWorkload(Builder b, WorkloadSummary summary) {
    name = b.name;
    applications = b.applications;
    this.summary = summary;
    arrivals = b.arrivals;
    sizes = b.sizes;
    slacks = b.slacks;
    owners = b.owners;
    weights = b.weights;
  }

  /**
   * Records all tasks of a workload: time and memory O(tasks).
   *
   * @throws InvalidInputException if it has more than {@link #MAX_TASKS} tasks, or a task that is
   *     out of range
   */
  public static RecordedWorkload of(Workload workload) {
    if (workload instanceof RecordedWorkload recorded) {
      return recorded;
    }
    Builder builder = builder(workload.name(), workload.applications(), workload.horizonNanos());
    for (ArrivalSource task = workload.open(); task.advance(); ) {
      builder.add(
          task.arrivalNanos(),
          task.sizeNanos(),
          task.deadlineNanos(),
          task.application(),
          task.weight());
    }
    return builder.build();
  }

  /**
   * Starts to collect explicit tasks.
   *
   * @param name for reports
   * @param applications names of the applications, at least one
   * @param horizonNanos time before which all tasks arrive, at least 1
   * @throws InvalidInputException if there is no application, a name repeats, or the horizon is not
   *     positive
   */
  public static Builder builder(String name, List<String> applications, long horizonNanos) {
    return new Builder(name, applications, horizonNanos);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> applications() {
    return applications;
  }

  @Override
  public long horizonNanos() {
    return summary.horizonNanos();
  }

  @Override
  public WorkloadSummary summary() {
    return summary;
  }

  /** Returns the number of tasks. */
  public int tasks() {
    return (int) summary.tasks();
  }

  /** Returns when a task arrives; tasks are numbered from 0 in the order of arrival. */
  public long arrivalNanos(int task) {
    return arrivals.get(checked(task));
  }

  /** Returns the service time of a task on the reference worker. */
  public long sizeNanos(int task) {
    return sizes.get(checked(task));
  }

  /** Returns the latest finish of a task that is on time. */
  public long deadlineNanos(int task) {
    return arrivals.get(checked(task)) + slacks.get(task);
  }

  /** Returns the index of a task's application in {@link #applications()}. */
  public int application(int task) {
    return (int) owners.get(checked(task));
  }

  /** Returns the weight of a task. */
  public int weight(int task) {
    return (int) weights.get(checked(task));
  }

  private int checked(int task) {
    return Objects.checkIndex(task, tasks());
  }

  @Override
  public ArrivalSource open() {
    return new Cursor();
  }

  /** Walks over the columns. */
  private final class Cursor implements ArrivalSource {
    private final int last = tasks() - 1;
    private int task = -1;

    @Override
    public boolean advance() {
      if (task >= last) {
        return false;
      }
      task++;
      return true;
    }

    @Override
    public long arrivalNanos() {
      return arrivals.get(task);
    }

    @Override
    public long sizeNanos() {
      return sizes.get(task);
    }

    @Override
    public long deadlineNanos() {
      return arrivals.get(task) + slacks.get(task);
    }

    @Override
    public int application() {
      return (int) owners.get(task);
    }

    @Override
    public int weight() {
      return (int) weights.get(task);
    }
  }

  /** Collects explicit tasks in any order. */
  public static final class Builder {
    private final String name;
    private final List<String> applications;
    private final long horizonNanos;
    private LongColumn arrivals = new LongColumn();
    private LongColumn sizes = new LongColumn();
    private LongColumn slacks = new LongColumn();
    private LongColumn owners = new LongColumn();
    private LongColumn weights = new LongColumn();
    private int tasks;
    private long workNanos;
    private boolean sorted = true;
    private boolean built;

    private Builder(String name, List<String> applications, long horizonNanos) {
      this.name = name;
      this.applications = List.copyOf(applications);
      this.horizonNanos = horizonNanos;
      if (applications.isEmpty()
          || this.applications.stream().distinct().count() < applications.size()) {
        throw InvalidInputException.of(
            "workload " + name + " applications",
            applications,
            "must be at least one, each with a name of its own",
            "name the applications");
      }
      if (horizonNanos < 1) {
        throw InvalidInputException.of(
            "workload " + name + " horizon (ns)",
            horizonNanos,
            "must be at least 1",
            "give the time before which all tasks arrive");
      }
    }

    /** Adds a task of the first application with weight 1; see the other form for the errors. */
    public Builder add(long arrivalNanos, long sizeNanos, long deadlineNanos) {
      return add(arrivalNanos, sizeNanos, deadlineNanos, 0, 1);
    }

    /**
     * Adds a task.
     *
     * @param arrivalNanos from 0, before the horizon
     * @param sizeNanos service time on the reference worker, 0 to {@link Task#MAX_SIZE_NANOS}
     * @param deadlineNanos latest finish, not before the arrival; {@link Task#NO_DEADLINE} for none
     * @param application index of its application
     * @param weight at least 1
     * @throws InvalidInputException if a value is out of range, naming the task by its number, or
     *     {@link #MAX_TASKS} are held already
     */
    public Builder add(
        long arrivalNanos, long sizeNanos, long deadlineNanos, int application, int weight) {
      if (built) {
        throw new IllegalStateException("workload " + name + " is built; use a new builder");
      }
      require(tasks < MAX_TASKS, "number", tasks, "must be below " + MAX_TASKS);
      require(
          arrivalNanos >= 0 && arrivalNanos < horizonNanos,
          "arrival (ns)",
          arrivalNanos,
          "must be in [0, " + horizonNanos + ")");
      require(
          sizeNanos >= 0 && sizeNanos <= Task.MAX_SIZE_NANOS,
          "size (ns)",
          sizeNanos,
          "must be between 0 and " + Task.MAX_SIZE_NANOS);
      require(
          deadlineNanos >= arrivalNanos,
          "deadline (ns)",
          deadlineNanos,
          "must not be before its arrival");
      require(
          application >= 0 && application < applications.size(),
          "application",
          application,
          "must be in [0, " + applications.size() + ")");
      require(weight >= 1, "weight", weight, "must be at least 1");
      sorted = sorted && (tasks == 0 || follows(arrivalNanos, deadlineNanos));
      arrivals.add(arrivalNanos);
      sizes.add(sizeNanos);
      slacks.add(deadlineNanos - arrivalNanos);
      owners.add(application);
      weights.add(weight);
      workNanos = WorkloadSummary.plus(name, workNanos, sizeNanos);
      tasks++;
      return this;
    }

    private void require(boolean holds, String what, long value, String limit) {
      if (!holds) {
        throw InvalidInputException.of(
            "workload " + name + " task " + tasks + " " + what, value, limit, "correct it");
      }
    }

    private boolean follows(long arrivalNanos, long deadlineNanos) {
      long before = arrivals.get(tasks - 1);
      return before < arrivalNanos
          || (before == arrivalNanos && before + slacks.get(tasks - 1) <= deadlineNanos);
    }

    /**
     * Builds the workload, once.
     *
     * <p>Tasks are sorted by arrival, deadline and the order they were added in: O(n log n), or
     * nothing if they came in that order.
     */
    public RecordedWorkload build() {
      if (built) {
        throw new IllegalStateException("workload " + name + " is built; use a new builder");
      }
      built = true;
      if (!sorted) {
        sort();
      }
      for (LongColumn column : List.of(arrivals, sizes, slacks, owners, weights)) {
        column.trim();
      }
      return new RecordedWorkload(this, new WorkloadSummary(tasks, workNanos, horizonNanos));
    }

    private void sort() {
      Integer[] order = new Integer[tasks];
      Arrays.setAll(order, i -> i);
      LongColumn when = arrivals;
      LongColumn slack = slacks;
      // At equal arrivals the order of slacks is the order of deadlines; the sort is stable.
      Arrays.sort(
          order,
          Comparator.comparingLong((Integer i) -> when.get(i))
              .thenComparingLong(i -> slack.get(i)));
      arrivals = arrivals.reordered(order);
      sizes = sizes.reordered(order);
      slacks = slacks.reordered(order);
      owners = owners.reordered(order);
      weights = weights.reordered(order);
    }
  }
}
