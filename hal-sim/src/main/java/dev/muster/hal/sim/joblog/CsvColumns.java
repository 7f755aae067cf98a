package dev.muster.hal.sim.joblog;

import dev.muster.api.InvalidInputException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Says which column of a CSV log holds which field, and in which form.
 *
 * <p>Three maps are ready for the styles of ALCF's public job logs, of Slurm's accounting as in the
 * MIT SuperCloud data, and of Torque's accounting as at Blue Waters; name other columns where an
 * export differs. SUBMIT is required, and one of RUN, START with END, or CORE_HOURS with ALLOCATED.
 */
public final class CsvColumns {
  private final Map<Field, Column> columns;

  private CsvColumns(Map<Field, Column> columns) {
    this.columns = Collections.unmodifiableMap(new EnumMap<>(columns));
  }

  /** Names a field of a job. */
  public enum Field {
    /** The job's number; lines are counted where it is missing or no number. */
    ID,
    /** The time of submission. */
    SUBMIT,
    /** The time it started. */
    START,
    /** The time it ended. */
    END,
    /** The wall time it ran. */
    RUN,
    /** The core-hours it used: wall time by the cores in ALLOCATED. */
    CORE_HOURS,
    /** Processors or nodes requested. */
    PROCESSORS,
    /** Processors or nodes it got. */
    ALLOCATED,
    /** The wall time asked for. */
    REQUESTED_TIME,
    /** The memory requested. */
    MEMORY,
    /** The user: a number or a name. */
    USER,
    /** The group or project: a number or a name. */
    GROUP,
    /** The program: a number or a name. */
    EXECUTABLE,
    /** The queue: a number or a name. */
    QUEUE,
    /** The partition or node type: a number or a name. */
    PARTITION,
    /** The completion status: a number or a name. */
    STATUS
  }

  /** Says how a cell is written. */
  public enum Form {
    /** A number, decimals cut off. */
    NUMBER,
    /** Seconds, or a date and time in UTC such as {@code 2022-01-31 09:15:00}. */
    TIME,
    /** Seconds, or {@code hours:minutes:seconds} with days before a dash. */
    SECONDS,
    /** Minutes. */
    MINUTES,
    /** Hours. */
    HOURS,
    /** A name, numbered by first appearance; whole numbers keep their value. */
    NAME
  }

  /**
   * Names a column.
   *
   * @param name its heading
   * @param form how its cells are written
   */
  public record Column(String name, Form form) {}

  /** Creates an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Creates the map for the style of ALCF's DIM_JOB_COMPOSITE files. */
  public static CsvColumns alcf() {
    return builder()
        .column(Field.ID, "COBALT_JOBID", Form.NUMBER)
        .column(Field.SUBMIT, "QUEUED_TIMESTAMP", Form.TIME)
        .column(Field.START, "START_TIMESTAMP", Form.TIME)
        .column(Field.END, "END_TIMESTAMP", Form.TIME)
        .column(Field.RUN, "RUNTIME_SECONDS", Form.SECONDS)
        .column(Field.PROCESSORS, "NODES_REQUESTED", Form.NUMBER)
        .column(Field.ALLOCATED, "NODES_USED", Form.NUMBER)
        .column(Field.REQUESTED_TIME, "WALLTIME_SECONDS", Form.SECONDS)
        .column(Field.USER, "USERNAME_GENID", Form.NAME)
        .column(Field.GROUP, "PROJECT_NAME_GENID", Form.NAME)
        .column(Field.QUEUE, "QUEUE_NAME", Form.NAME)
        .column(Field.PARTITION, "MACHINE_NAME", Form.NAME)
        .column(Field.STATUS, "EXIT_STATUS", Form.NAME)
        .build();
  }

  /** Creates the map for the style of MIT SuperCloud's Slurm log. */
  public static CsvColumns superCloud() {
    return builder()
        .column(Field.ID, "id_job", Form.NUMBER)
        .column(Field.SUBMIT, "time_submit", Form.TIME)
        .column(Field.START, "time_start", Form.TIME)
        .column(Field.END, "time_end", Form.TIME)
        .column(Field.PROCESSORS, "cpus_req", Form.NUMBER)
        .column(Field.ALLOCATED, "nodes_alloc", Form.NUMBER)
        .column(Field.REQUESTED_TIME, "timelimit", Form.MINUTES)
        .column(Field.MEMORY, "mem_req", Form.NUMBER)
        .column(Field.USER, "id_user", Form.NAME)
        .column(Field.GROUP, "id_group", Form.NAME)
        .column(Field.EXECUTABLE, "job_name", Form.NAME)
        .column(Field.PARTITION, "partition", Form.NAME)
        .column(Field.QUEUE, "id_qos", Form.NAME)
        .column(Field.STATUS, "state", Form.NAME)
        .build();
  }

  /** Creates the map for the style of Blue Waters' Torque log. */
  public static CsvColumns blueWaters() {
    return builder()
        .column(Field.ID, "jobid", Form.NUMBER)
        .column(Field.SUBMIT, "ctime", Form.TIME)
        .column(Field.START, "start", Form.TIME)
        .column(Field.END, "end", Form.TIME)
        .column(Field.RUN, "resources_used.walltime", Form.SECONDS)
        .column(Field.PROCESSORS, "Resource_List.nodect", Form.NUMBER)
        .column(Field.ALLOCATED, "unique_node_count", Form.NUMBER)
        .column(Field.REQUESTED_TIME, "Resource_List.walltime", Form.SECONDS)
        .column(Field.USER, "user", Form.NAME)
        .column(Field.GROUP, "account", Form.NAME)
        .column(Field.EXECUTABLE, "jobname", Form.NAME)
        .column(Field.QUEUE, "queue", Form.NAME)
        .column(Field.PARTITION, "node_type", Form.NAME)
        .column(Field.STATUS, "Exit_status", Form.NAME)
        .build();
  }

  /** Returns the columns; fields without one are unknown. */
  public Map<Field, Column> columns() {
    return columns;
  }

  /** Returns a builder that starts from this map. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.columns.putAll(columns);
    return builder;
  }

  /** Collects columns. */
  public static final class Builder {
    private final Map<Field, Column> columns = new EnumMap<>(Field.class);

    private Builder() {}

    /** Puts a field in a column. */
    public Builder column(Field field, String name, Form form) {
      columns.put(field, new Column(name, form));
      return this;
    }

    /** Creates the map. */
    public CsvColumns build() {
      boolean run =
          columns.containsKey(Field.RUN)
              || (columns.containsKey(Field.START) && columns.containsKey(Field.END))
              || (columns.containsKey(Field.CORE_HOURS) && columns.containsKey(Field.ALLOCATED));
      if (!columns.containsKey(Field.SUBMIT) || !run) {
        throw InvalidInputException.of(
            "column map",
            columns.keySet(),
            "must hold SUBMIT, and RUN, START with END, or CORE_HOURS with ALLOCATED",
            "name those columns");
      }
      return new CsvColumns(columns);
    }
  }
}
