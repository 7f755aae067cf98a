package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Capability;
import dev.muster.api.EnergyReading;
import dev.muster.api.Hal;
import dev.muster.api.Task;
import dev.muster.api.Variant;
import dev.muster.api.Worker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Breaks one rule of the HALs' contract at a time and checks that only its test fails. */
final class BrokenHalsTest {
  /** Passes everything on; subclasses break one thing. */
  private static class Layer implements Hal, Hal.Events {
    final Hal hal;
    @Nullable Events up;
    boolean closed;

    Layer(Hal hal) {
      this.hal = hal;
    }

    Events up() {
      Events events = up;
      if (events == null) {
        throw new IllegalStateException("not open");
      }
      return events;
    }

    @Override
    public String name() {
      return hal.name();
    }

    @Override
    public Set<Capability> capabilities() {
      return hal.capabilities();
    }

    @Override
    public String deviceId(Worker worker) {
      return hal.deviceId(worker);
    }

    @Override
    public void open(Events events) {
      up = events;
      hal.open(this);
    }

    @Override
    public void provision(Worker worker) {
      hal.provision(worker);
    }

    @Override
    public void load(Worker worker, Variant variant) {
      hal.load(worker, variant);
    }

    @Override
    public void run(Worker worker, Task task, Variant variant, long runId) {
      hal.run(worker, task, variant, runId);
    }

    @Override
    public void cancel(Worker worker, long runId) {
      hal.cancel(worker, runId);
    }

    @Override
    public void release(Worker worker) {
      hal.release(worker);
    }

    @Override
    public List<String> close(Duration timeout) {
      List<String> left = hal.close(timeout);
      closed = true;
      return left;
    }

    @Override
    public void ready(Worker worker) {
      up().ready(worker);
    }

    @Override
    public void loaded(Worker worker) {
      up().loaded(worker);
    }

    @Override
    public void loadFailed(Worker worker, Throwable cause) {
      up().loadFailed(worker, cause);
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      up().completed(worker, runId, result, energy);
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      up().failed(worker, runId, cause);
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      up().lost(worker, cause);
    }

    @Override
    public void released(Worker worker) {
      up().released(worker);
    }
  }

  private static final class AnswersTwice extends Layer {
    AnswersTwice(Hal hal) {
      super(hal);
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      super.completed(worker, runId, result, energy);
      super.completed(worker, runId, result, energy);
    }
  }

  private static final class WorksAfterClose extends Layer {
    WorksAfterClose(Hal hal) {
      super(hal);
    }

    @Override
    public void load(Worker worker, Variant variant) {
      if (!closed) {
        super.load(worker, variant);
      }
    }
  }

  private static final class LoadsUnderRuns extends Layer {
    LoadsUnderRuns(Hal hal) {
      super(hal);
    }

    @Override
    public void load(Worker worker, Variant variant) {
      if (worker.state() == Worker.State.BUSY) {
        loaded(worker);
      } else {
        super.load(worker, variant);
      }
    }
  }

  private static final class AnswersEachCancel extends Layer {
    private final Set<Long> cancelled = new HashSet<>();

    AnswersEachCancel(Hal hal) {
      super(hal);
    }

    @Override
    public void cancel(Worker worker, long runId) {
      super.cancel(worker, runId);
      if (!cancelled.add(runId)) {
        failed(worker, runId, new IllegalStateException("cancelled"));
      }
    }
  }

  private static final class GivesOutputAfterAll extends Layer {
    GivesOutputAfterAll(Hal hal) {
      super(hal);
    }

    @Override
    public void failed(Worker worker, long runId, Throwable cause) {
      super.failed(worker, runId, cause);
      super.completed(worker, runId, "late", null);
    }
  }

  private static final class TalksAfterLoss extends Layer {
    TalksAfterLoss(Hal hal) {
      super(hal);
    }

    @Override
    public void lost(Worker worker, Throwable cause) {
      super.lost(worker, cause);
      super.ready(worker);
    }
  }

  private static final class NamesByIndex extends Layer {
    NamesByIndex(Hal hal) {
      super(hal);
    }

    @Override
    public String deviceId(Worker worker) {
      return Long.toString(worker.id());
    }
  }

  private static final class LeavesDevices extends Layer {
    LeavesDevices(Hal hal) {
      super(hal);
    }

    @Override
    public List<String> close(Duration timeout) {
      return closed ? List.of("card-1") : super.close(timeout);
    }
  }

  private static final class MixesWorkersUp extends Layer {
    private @Nullable Worker other;

    MixesWorkersUp(Hal hal) {
      super(hal);
    }

    @Override
    public void completed(
        Worker worker, long runId, @Nullable Object result, @Nullable EnergyReading energy) {
      Worker wrong = other;
      other = worker;
      if (wrong != null && wrong.id() != worker.id()) {
        super.completed(wrong, runId, result, energy);
      }
      super.completed(worker, runId, result, energy);
    }
  }

  private static List<String> failing(Function<Hal, Hal> layer) {
    return Rules.failing(
        DeviceContract.class,
        new SimHalContract() {
          @Override
          public Hal hal() {
            return layer.apply(super.hal());
          }
        });
  }

  @Test
  void aSoundHalPassesAllRules() {
    assertThat(failing(hal -> hal)).isEmpty();
  }

  @Test
  void dev1RejectsASecondAnswer() {
    assertThat(failing(AnswersTwice::new))
        .containsExactly("dev1_answersEachRunOnceWithSoundEnergy");
  }

  @Test
  void dev2RejectsWorkAfterClose() {
    assertThat(failing(WorksAfterClose::new)).containsExactly("dev2_refusesCommandsAfterClose");
  }

  @Test
  void dev3RejectsALoadUnderARun() {
    assertThat(failing(LoadsUnderRuns::new)).containsExactly("dev3_neverLoadsUnderARun");
  }

  @Test
  void dev4RejectsAnAnswerToEachCancel() {
    assertThat(failing(AnswersEachCancel::new)).containsExactly("dev4_cancelIsIdempotent");
  }

  @Test
  void dev5RejectsLateOutput() {
    assertThat(failing(GivesOutputAfterAll::new))
        .containsExactly("dev5_endsOverrunsWithAStatusAndNoOutput");
  }

  @Test
  void dev6RejectsReportsAfterALoss() {
    assertThat(failing(TalksAfterLoss::new)).containsExactly("dev6_reportsALossOnceThenIsSilent");
  }

  @Test
  void dev7RejectsBareIndices() {
    assertThat(failing(NamesByIndex::new)).containsExactly("dev7_namesDevicesByStableIds");
  }

  @Test
  void dev8RejectsASecondCloseThatDiffers() {
    assertThat(failing(LeavesDevices::new)).containsExactly("dev8_closesWithNothingLeft");
  }

  @Test
  void dev9RejectsMixedUpWorkers() {
    assertThat(failing(MixesWorkersUp::new)).containsExactly("dev9_holdsUnderStress");
  }
}
