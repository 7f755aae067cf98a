package dev.muster.hal.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Holds the laws of workloads and trace readers. */
class WorkloadProperties {
  @Property
  void bModelSplitsConserveTheLoad(
      @ForAll @IntRange(min = 0, max = 9) int levels,
      @ForAll @DoubleRange(min = 0.5, max = 0.95) double bias,
      @ForAll long seed) {
    double[] shares = BModel.shares(1 << levels, bias, RandomStreams.of(seed).stream("x"));
    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
    assertThat(Arrays.stream(shares).max().orElseThrow())
        .isCloseTo(Math.pow(bias, levels), within(1e-12));
  }

  @Property(tries = 200)
  void syntheticArrivalsAreOrderedAndTheSameWheneverOpened(
      @ForAll @DoubleRange(min = 0.5, max = 0.8) double bias,
      @ForAll @IntRange(min = 1, max = 9) int minutes,
      @ForAll long seed) {
    Workload workload =
        SyntheticWorkload.builder().bias(bias).minutes(minutes).meanWorkers(0.5).seed(seed).build();
    List<long[]> first = read(workload);
    List<long[]> second = read(workload);
    assertThat(first.toArray(new long[0][])).isDeepEqualTo(second.toArray(new long[0][]));
    long before = 0;
    for (long[] task : first) {
      assertThat(task[0]).isBetween(before, workload.horizonNanos() - 1);
      assertThat(task[2]).isEqualTo(task[0] + 10 * task[1]);
      before = task[0];
    }
  }

  @Property(tries = 200)
  void explicitTasksAreSortedAndNoneIsLost(
      @ForAll @Size(max = 50) List<@IntRange(max = 100) Integer> arrivals) {
    long[] times = arrivals.stream().mapToLong(Integer::longValue).toArray();
    long[] sizes = new long[times.length];
    long[] deadlines = new long[times.length];
    for (int i = 0; i < times.length; i++) {
      sizes[i] = i;
      deadlines[i] = times[i] + (i * 7 % 5);
    }
    List<long[]> read = read(Workloads.of("x", times, sizes, deadlines, 101));
    assertThat(read.stream().mapToLong(task -> task[1]).sorted().toArray()).isEqualTo(sizes);
    for (int i = 1; i < read.size(); i++) {
      assertThat(Arrays.compare(key(read.get(i - 1)), key(read.get(i)))).isNegative();
    }
  }

  @Property
  void aDamagedTraceIsEitherReadOrRefused(
      @ForAll @IntRange(min = 0, max = 40) int position, @ForAll byte replacement)
      throws IOException {
    byte[] bytes =
        "function,avg_ms,m0,m1\nf,20.5,1,2\n\"g,h\",3,0,4\n".getBytes(StandardCharsets.UTF_8);
    bytes[position] = replacement;
    try {
      MinuteTrace.read("t", new ByteArrayInputStream(bytes));
    } catch (InvalidInputException refused) {
      assertThat(refused).hasMessageContaining("trace t");
    }
  }

  private static long[] key(long[] task) {
    return new long[] {task[0], task[2], task[1]};
  }

  private static List<long[]> read(Workload workload) {
    List<long[]> tasks = new ArrayList<>();
    ArrivalSource source = workload.open();
    while (source.advance()) {
      tasks.add(new long[] {source.arrivalNanos(), source.sizeNanos(), source.deadlineNanos()});
    }
    return tasks;
  }
}
