package dev.muster.hal.sim.joblog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class JobReaderTest {
  private static final String SWF =
      """
      ; Computer: example
      ;

        1   100  10 31405   4 31405.75  -1   8  37980 2048  1  3   7  5 2  1 -1 -1
      2 90 -1 -7 30 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 {9,9} q_2w 1:ppn=12
      """;

  @Test
  void readsTheStandardColumns() throws IOException {
    try (JobReader reader = swf(SWF)) {
      JobRecord first = reader.next();
      assertThat(first.submitted())
          .isEqualTo(new SubmittedJob(1, 100, 8, 37980, 2048, 3, 7, 5, 2, 1));
      assertThat(first.outcome()).isEqualTo(new JobOutcome(10, 31405, 4, 1));
      assertThat(first.endSeconds()).isEqualTo(100 + 10 + 31405);
    }
  }

  @Test
  void readsUnknownExtraAndFaultyColumns() throws IOException {
    try (JobReader reader = swf(SWF)) {
      reader.next();
      JobRecord second = reader.next();
      assertThat(second.submitted())
          .isEqualTo(new SubmittedJob(2, 90, 30, -1, -1, -1, -1, -1, -1, -1));
      assertThat(second.outcome().ran()).isFalse();
      assertThat(reader.hasNext()).isFalse();
    }
  }

  @Test
  void sortsBySubmission() throws IOException {
    try (JobReader reader = swf(SWF)) {
      assertThat(reader.readAll()).extracting(job -> job.submitted().id()).containsExactly(2L, 1L);
    }
  }

  @Test
  void readsGzip() throws IOException {
    try (JobReader reader = JobReader.swf(new ByteArrayInputStream(gzip(SWF)), "log.gz")) {
      assertThat(reader.readAll()).hasSize(2);
    }
  }

  @Test
  void refusesADamagedGzipFile() throws IOException {
    byte[] packed = gzip(SWF.repeat(5000));
    InputStream cut = new ByteArrayInputStream(Arrays.copyOf(packed, packed.length - 20));
    try (JobReader reader = JobReader.swf(cut, "log.gz")) {
      assertThatThrownBy(reader::readAll)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("not a whole gzip file");
    }
  }

  @Test
  void namesLineAndColumnOfBadNumbers() throws IOException {
    try (JobReader reader = swf("; a\n1 100 x 5 1 1 1 1 1 1 1 1 1 1 1\n")) {
      assertThatThrownBy(reader::readAll)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("job log test line 2, column 3 (wait): \"x\"");
    }
    try (JobReader reader = swf("1 -1 1 5 1 1 1 1 1 1 1 1 1 1 1\n")) {
      assertThatThrownBy(reader::readAll).hasMessageContaining("column 2 (submit)");
    }
    try (JobReader reader = swf("1 99999999999999999999 1 5 1 1 1 1 1 1 1 1 1 1 1\n")) {
      assertThatThrownBy(reader::readAll).hasMessageContaining("below 2^53");
    }
    try (JobReader reader = swf("1 2 3\n")) {
      assertThatThrownBy(reader::readAll).hasMessageContaining("line 1: 3 numbers");
    }
  }

  @Test
  void refusesEndlessLines() throws IOException {
    try (JobReader reader = swf("1".repeat(JobReader.MAX_LINE + 1))) {
      assertThatThrownBy(reader::hasNext).hasMessageContaining("too long");
    }
  }

  @Test
  void readsAlcfStyle() throws IOException {
    String csv =
        """
        JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,USERNAME_GENID,\
        QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED
        a,17,theta,2022-01-01 00:00:10.000000,2022-01-01 00:01:00,99,default,3600.0,1800.5,128,128
        b,18,theta,2022-01-01T00:00:20,,98,debug,,,,8
        """;
    try (JobReader reader = csv(csv, CsvColumns.alcf())) {
      List<JobRecord> jobs = reader.readAll();
      long midnight = 1_640_995_200L;
      assertThat(jobs.get(0))
          .isEqualTo(
              new JobRecord(
                  new SubmittedJob(17, midnight + 10, 128, 3600, -1, 99, -1, -1, 0, 0),
                  new JobOutcome(50, 1800, 128, -1)));
      assertThat(jobs.get(1).submitted().queue()).isEqualTo(1);
      assertThat(jobs.get(1).outcome().ran()).isFalse();
    }
  }

  @Test
  void readsSuperCloudStyle() throws IOException {
    String csv =
        """
        id_job,time_submit,time_start,time_end,cpus_req,timelimit,mem_req,id_user,partition
        5,1000,1010,1310,40,1440,9000,77,xeon
        """;
    try (JobReader reader = csv(csv, CsvColumns.superCloud())) {
      JobRecord job = reader.next();
      assertThat(job.submitted())
          .isEqualTo(new SubmittedJob(5, 1000, 40, 86_400, 9000, 77, -1, -1, -1, 0));
      assertThat(job.outcome().runSeconds()).isEqualTo(300);
    }
  }

  @Test
  void readsBlueWatersStyle() throws IOException {
    String csv =
        """
        jobid,ctime,start,end,resources_used.walltime,Resource_List.nodect,\
        Resource_List.walltime,user,queue,node_type
        123.bw,500,600,4200,01:00:00,16,1-02:00:00,u1,normal,xk
        """;
    try (JobReader reader = csv(csv, CsvColumns.blueWaters())) {
      JobRecord job = reader.next();
      assertThat(job.submitted().id()).isEqualTo(2);
      assertThat(job.submitted().requestedSeconds()).isEqualTo(26 * 3600);
      assertThat(job.outcome().runSeconds()).isEqualTo(3600);
    }
  }

  @Test
  void convertsCoreHours() throws IOException {
    CsvColumns map =
        CsvColumns.builder()
            .column(CsvColumns.Field.SUBMIT, "when", CsvColumns.Form.TIME)
            .column(CsvColumns.Field.CORE_HOURS, "core-hours", CsvColumns.Form.NUMBER)
            .column(CsvColumns.Field.ALLOCATED, "cores", CsvColumns.Form.NUMBER)
            .build();
    try (JobReader reader = csv("when,cores,core-hours\n7,64,96\n", map)) {
      assertThat(reader.next().outcome().runSeconds()).isEqualTo(5400);
    }
  }

  @Test
  void namesLineAndColumnOfBadCells() throws IOException {
    String csv = "time_submit,time_start,time_end\n1,2,3\n1,x,3\n";
    try (JobReader reader = csv(csv, CsvColumns.superCloud())) {
      assertThatThrownBy(reader::readAll)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("line 3, column time_start: \"x\"");
    }
    try (JobReader reader = csv("a,b\n1,2\n", CsvColumns.superCloud())) {
      assertThatThrownBy(reader::hasNext).hasMessageContaining("must cover SUBMIT");
    }
  }

  @Test
  void generatesTheSameLogAgain() {
    DriftingLog log = DriftingLog.builder().jobs(2000).seed(5).build();
    assertThat(log.generate()).isEqualTo(log.generate()).hasSize(2000);
    assertThat(log.generate())
        .isNotEqualTo(DriftingLog.builder().jobs(2000).seed(6).build().generate());
  }

  @Test
  void driftsByTheSetAmount() {
    assertThat(spread(0)).isLessThan(0.05);
    assertThat(spread(0.25)).isGreaterThan(0.1);
  }

  /**
   * Returns how far the mean of log(run/requested) lies apart between a log's first and last tenth.
   */
  private static double spread(double sigma) {
    List<JobRecord> log =
        DriftingLog.builder().jobs(20_000).sigma(sigma).seed(3).build().generate();
    return Math.abs(meanLog(log.subList(0, 2000)) - meanLog(log.subList(18_000, 20_000)));
  }

  private static double meanLog(List<JobRecord> jobs) {
    return jobs.stream()
        .mapToDouble(
            job ->
                Math.log((double) job.outcome().runSeconds() / job.submitted().requestedSeconds()))
        .average()
        .orElseThrow();
  }

  @Test
  void makesRowsOfWhatIsKnownAtSubmission() {
    SubmittedJob job = new SubmittedJob(1, 86_400 * 8 + 5400, 64, 7200, -1, 3, -1, -1, 2, -1);
    assertThat(JobFeatures.six().row(job)).containsExactly(64, 2, 3, 2, Float.NaN, 1.5f);
    assertThat(JobFeatures.all().row(job)).hasSize(10);
  }

  private static JobReader swf(String text) throws IOException {
    return JobReader.swf(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)), "test");
  }

  private static JobReader csv(String text, CsvColumns columns) throws IOException {
    return JobReader.csv(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test", columns);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    return bytes.toByteArray();
  }
}
