package dev.muster.hal.sim.workload;

import dev.muster.api.InvalidInputException;
import java.util.List;

/**
 * Lists tasks of several applications that bring a deadline and no size: what a variant needs for
 * one run is all there is to know.
 *
 * @param name for reports
 * @param applications names that {@link Job#application} refers to
 * @param jobs by arrival; tasks of one instant are submitted in this order
 */
public record DeadlineJobs(String name, List<String> applications, List<Job> jobs)
    implements Workload {
  /**
   * Creates a workload.
   *
   * @throws InvalidInputException if the jobs are not in order or a value is out of range
   */
  public DeadlineJobs {
    applications = List.copyOf(applications);
    jobs = List.copyOf(jobs);
    long before = 0;
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      if (job.arrivalNanos < before || job.qosNanos < 0) {
        throw InvalidInputException.of(
            "workload " + name + " job " + i,
            job,
            "must arrive in order, at or after 0, and allow a time >= 0",
            "sort the jobs by arrival");
      }
      if (job.application < 0 || job.application >= applications.size()) {
        throw InvalidInputException.of(
            "workload " + name + " job " + i + " application",
            job.application,
            "must be an index into " + applications,
            "correct it");
      }
      before = job.arrivalNanos;
    }
  }

  /**
   * Describes one task.
   *
   * @param application index of the application
   * @param arrivalNanos when it arrives
   * @param qosNanos the longest time from arrival to finish that is on time
   */
  public record Job(int application, long arrivalNanos, long qosNanos) {}

  @Override
  public long horizonNanos() {
    return jobs.isEmpty() ? 0 : jobs.get(jobs.size() - 1).arrivalNanos + 1;
  }

  @Override
  public ArrivalSource open() {
    return new ArrivalSource() {
      private int next = -1;

      @Override
      public boolean advance() {
        return ++next < jobs.size();
      }

      @Override
      public long arrivalNanos() {
        return jobs.get(next).arrivalNanos;
      }

      @Override
      public long sizeNanos() {
        return 0;
      }

      @Override
      public long deadlineNanos() {
        return Math.addExact(jobs.get(next).arrivalNanos, jobs.get(next).qosNanos);
      }

      @Override
      public int application() {
        return jobs.get(next).application;
      }
    };
  }
}
