package dev.muster.hal.sim.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Checks that logs are read as they were written, and that no bytes break the reader. */
final class SwfReaderProperties {
  @Property
  void readsWhatWasWritten(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<JobRecord> written = new ArrayList<>();
    StringBuilder text = new StringBuilder("; comment\n\n");
    for (int i = 0; i < 20; i++) {
      long[] v = new long[18];
      for (int column = 0; column < v.length; column++) {
        v[column] = random.nextInt(5) == 0 && column > 1 ? -1 : random.nextLong(1L << 40);
        text.append(" ".repeat(random.nextInt(3))).append(' ').append(v[column]);
      }
      text.append(random.nextBoolean() ? " extra {1,2}\r\n" : "\n");
      written.add(
          new JobRecord(
              new SubmittedJob(
                  v[0],
                  v[1],
                  v[7] > 0 ? v[7] : v[4],
                  v[8],
                  v[9],
                  v[11],
                  v[12],
                  v[13],
                  v[14],
                  v[15]),
              new JobOutcome(v[2], v[3], v[4], v[10])));
    }
    List<JobRecord> read = new ArrayList<>();
    try (JobReader reader = open(text.toString().getBytes(StandardCharsets.US_ASCII))) {
      reader.forEachRemaining(read::add);
    }
    assertThat(read).isEqualTo(written);
  }

  @Property
  void anyBytesAreReadOrRefused(@ForAll byte[] bytes) throws IOException {
    try (JobReader reader = open(bytes)) {
      reader.forEachRemaining(job -> assertThat(job.submitted().submitSeconds()).isNotNegative());
    } catch (InvalidInputException refused) {
      assertThat(refused).hasMessageContaining("job log bytes");
    }
  }

  private static JobReader open(byte[] bytes) throws IOException {
    return JobReader.swf(new ByteArrayInputStream(bytes), "bytes");
  }
}
