package dev.muster.hal.sim.workload;

import dev.muster.core.dpfair.PlanPiece;
import dev.muster.core.dpfair.PlanPolicy;
import java.util.List;

/**
 * Submits the pieces of a plan, all of a slice at its start.
 *
 * <p>The pieces of a slice are asked for when the ones before have arrived, so that a plan which
 * the policy made anew takes effect. One workload belongs to one run of its policy.
 */
public final class PlanArrivals implements Workload {
  private final PlanPolicy policy;
  private final List<String> tasks;
  private final int slices;

  private PlanArrivals(PlanPolicy policy, List<String> tasks, int slices) {
    this.policy = policy;
    this.tasks = tasks;
    this.slices = slices;
  }

  /**
   * Creates the arrivals of the first slices.
   *
   * @param policy the policy that carries out the plan
   * @param tasks ids of the periodic tasks, the names of their applications
   * @param slices how many slices to run
   */
  public static PlanArrivals of(PlanPolicy policy, List<String> tasks, int slices) {
    return new PlanArrivals(policy, List.copyOf(tasks), slices);
  }

  @Override
  public String name() {
    return "plan";
  }

  @Override
  public List<String> applications() {
    return tasks;
  }

  @Override
  public long horizonNanos() {
    return policy.sliceStartNanos(slices);
  }

  @Override
  public ArrivalSource open() {
    return new ArrivalSource() {
      private List<PlanPiece> pieces = List.of();
      private int next = -1;
      private long slice = -1;

      @Override
      public boolean advance() {
        next++;
        while (next >= pieces.size()) {
          if (++slice >= slices) {
            return false;
          }
          pieces = policy.pieces(slice);
          next = 0;
        }
        return true;
      }

      @Override
      public long arrivalNanos() {
        // What runs first in slice 0 may have to be loaded before the slice starts.
        return slice == 0 ? 0 : policy.sliceStartNanos(slice);
      }

      @Override
      public long sizeNanos() {
        return pieces.get(next).runNanos();
      }

      @Override
      public long deadlineNanos() {
        return pieces.get(next).sliceEndNanos();
      }

      @Override
      public int application() {
        return tasks.indexOf(pieces.get(next).taskId());
      }

      @Override
      public int weight() {
        return pieces.get(next).weight();
      }

      @Override
      public PlanPiece payload() {
        return pieces.get(next);
      }
    };
  }
}
