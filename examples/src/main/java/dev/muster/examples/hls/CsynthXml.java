package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.Origin;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the synthesis report of Vitis HLS or Vivado HLS, {@code *_csynth.xml}.
 *
 * <p>Any root element will do; DSPs are {@code DSP} or, before 2020, {@code DSP48E}; URAM may be
 * absent; latencies may be {@code undef}. A document type is refused, so there are no entities.
 */
public final class CsynthXml {
  private static final int MAX_DEPTH = 64;

  private CsynthXml() {}

  /** Reads a file. */
  public static DesignReport read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /**
   * Parses a report.
   *
   * @throws InvalidInputException if the text is not such a report; the message says what is wrong
   *     or missing
   */
  public static DesignReport parse(String text, String source) {
    Map<String, String> fields = fields(text, source);
    String unit = fields.getOrDefault("UserAssignments/unit", "ns");
    if (!unit.equals("ns")) {
      throw InvalidInputException.of(
          source + " UserAssignments/unit", unit, "must be ns", "report times in nanoseconds");
    }
    String latency = "PerformanceEstimates/SummaryOfOverallLatency/Worst-caseLatency";
    String clock =
        fields.containsKey("UserAssignments/TargetClockPeriod")
            ? "UserAssignments/TargetClockPeriod"
            : "PerformanceEstimates/SummaryOfTimingAnalysis/EstimatedClockPeriod";
    return new DesignReport(
        source,
        required(fields, "UserAssignments/TopModelName", source),
        fields.get("UserAssignments/Part"),
        OptionalLong.of(
            requirePositive(
                ReportText.scaled(required(fields, clock, source), 3, source, clock),
                source,
                clock)),
        ReportText.countOrUnknown(required(fields, latency, source), source, latency),
        footprint(fields, "AreaEstimates/Resources/", source),
        fields.containsKey("AreaEstimates/AvailableResources/LUT")
            ? footprint(fields, "AreaEstimates/AvailableResources/", source)
            : null,
        Origin.HLS_ESTIMATE);
  }

  private static long requirePositive(long value, String source, String what) {
    if (value == 0) {
      throw InvalidInputException.of(
          source + ' ' + what, value, "must be > 0", "use an unedited report");
    }
    return value;
  }

  private static Footprint footprint(Map<String, String> fields, String prefix, String source) {
    String dsp = fields.containsKey(prefix + "DSP") ? "DSP" : "DSP48E";
    return new Footprint(
        count(fields, prefix + "LUT", source),
        count(fields, prefix + "FF", source),
        count(fields, prefix + "BRAM_18K", source),
        count(fields, prefix + dsp, source),
        fields.containsKey(prefix + "URAM") ? count(fields, prefix + "URAM", source) : 0);
  }

  private static long count(Map<String, String> fields, String path, String source) {
    return ReportText.count(required(fields, path, source), source, path);
  }

  private static String required(Map<String, String> fields, String path, String source) {
    String value = fields.get(path);
    if (value == null || value.isEmpty()) {
      throw InvalidInputException.of(
          source, path, "is missing", "run C synthesis again and use its csynth.xml");
    }
    return value;
  }

  /** Collects the text of leaf elements by their path below the root; the first one counts. */
  private static Map<String, String> fields(String text, String source) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    Map<String, String> fields = new HashMap<>();
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
      Deque<String> path = new ArrayDeque<>();
      StringBuilder content = new StringBuilder();
      while (xml.hasNext()) {
        switch (xml.next()) {
          case XMLStreamConstants.DTD ->
              throw InvalidInputException.of(
                  source + " line " + xml.getLocation().getLineNumber(),
                  "<!DOCTYPE",
                  "must not be there",
                  "remove the document type");
          case XMLStreamConstants.START_ELEMENT -> {
            path.addLast(xml.getLocalName());
            content.setLength(0);
            if (path.size() > MAX_DEPTH) {
              throw InvalidInputException.of(
                  source, path.size() + " levels", "are too deep", "is it a report?");
            }
          }
          case XMLStreamConstants.CHARACTERS -> content.append(xml.getText());
          case XMLStreamConstants.END_ELEMENT -> {
            String value = content.toString().strip();
            String key = belowRoot(path);
            if (key != null && !value.isEmpty()) {
              fields.putIfAbsent(key, value);
            }
            content.setLength(0);
            path.removeLast();
          }
          default -> {}
        }
      }
      xml.close();
    } catch (XMLStreamException e) {
      throw InvalidInputException.of(
          source
              + " line "
              + e.getLocation().getLineNumber()
              + ", column "
              + e.getLocation().getColumnNumber(),
          firstLine(e),
          "is not well-formed XML",
          "use an unedited report");
    }
    return fields;
  }

  private static String firstLine(XMLStreamException e) {
    String message = e.getMessage();
    return message == null ? "the text" : message.replace('\n', ' ');
  }

  private static @Nullable String belowRoot(Deque<String> path) {
    if (path.size() < 2) {
      return null;
    }
    String joined = String.join("/", path);
    return joined.substring(joined.indexOf('/') + 1);
  }
}
