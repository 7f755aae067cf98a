package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.sos.SosParameters.Structure;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Holds the SOS engine, with both structures, and the tests' oracle against the golden cases. */
class SosGoldenTest {
  @TestFactory
  Stream<DynamicTest> suffixSums() {
    return cases("suffix sums", c -> check(c, SosInstance.of(c).run(Structure.SUFFIX_SUMS)));
  }

  @TestFactory
  Stream<DynamicTest> scan() {
    return cases("scan", c -> check(c, SosInstance.of(c).run(Structure.SCAN)));
  }

  @TestFactory
  Stream<DynamicTest> oracle() {
    return cases("oracle", c -> check(c, NaiveSos.run(SosInstance.of(c))));
  }

  /** Checks one case. */
  private interface Check {
    void run(JsonNode c);
  }

  private static Stream<DynamicTest> cases(String what, Check check) {
    return GoldenFiles.in("sos", ".jsonl.gz").stream()
        .flatMap(GoldenFiles::lines)
        .map(
            c ->
                DynamicTest.dynamicTest(c.get("name").asString() + " " + what, () -> check.run(c)));
  }

  private static void check(JsonNode c, SosInstance.Outcome outcome) {
    JsonNode expected = c.get("expected");
    assertThat(outcome.machine)
        .isEqualTo(expected.get("machine").valueStream().mapToInt(JsonNode::asInt).toArray());
    assertThat(outcome.admitTick).isEqualTo(SosInstance.longs(expected.get("admitTick")));
    assertThat(outcome.cost).isEqualTo(SosInstance.longs(expected.get("cost")));
    assertThat(outcome.releaseTick).isEqualTo(SosInstance.longs(expected.get("releaseTick")));
    assertThat(outcome.releaseOrder)
        .isEqualTo(expected.get("releaseOrder").valueStream().map(SosGoldenTest::row).toList());
    checkExecution(SosInstance.of(c), expected, outcome.releaseOrder);
  }

  private static List<Long> row(JsonNode node) {
    return node.valueStream().map(JsonNode::asLong).toList();
  }

  /** Runs each machine's released jobs in order, one at a time. */
  private static void checkExecution(
      SosInstance instance, JsonNode expected, List<List<Long>> order) {
    long[] start = new long[instance.jobs().size()];
    long[] finish = new long[start.length];
    long[] free = new long[instance.machines()];
    for (List<Long> release : order) {
      int machine = release.get(1).intValue();
      int job = release.get(2).intValue();
      start[job] = Math.max(release.get(0), free[machine]);
      finish[job] = start[job] + instance.jobs().get(job).rpt()[machine];
      free[machine] = finish[job];
    }
    assertThat(start).isEqualTo(SosInstance.longs(expected.get("start")));
    assertThat(finish).isEqualTo(SosInstance.longs(expected.get("finish")));
  }
}
