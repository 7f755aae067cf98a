package dev.muster.examples.cli;

import dev.muster.api.InvalidInputException;
import dev.muster.api.WorkerType;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads worker types from a properties file; {@link #defaultText()} is a commented one with all
 * keys. Unknown and repeated keys are refused, so that a slip cannot pass for a setting.
 */
final class FleetFile {
  private static final long MAX_BYTES = 1 << 20;
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ns|us|ms|s|min)");
  private static final Pattern RATIO = Pattern.compile("(\\d{1,9})(?:/(\\d{1,9}))?");
  private static final Map<String, BigDecimal> UNIT_NANOS =
      Map.of(
          "ns", BigDecimal.ONE,
          "us", BigDecimal.valueOf(1_000),
          "ms", BigDecimal.valueOf(1_000_000),
          "s", BigDecimal.valueOf(1_000_000_000),
          "min", BigDecimal.valueOf(60_000_000_000L));
  private static final Set<String> KEYS =
      Set.of(
          "spin-up",
          "spin-down",
          "idle-timeout",
          "load",
          "speedup",
          "busy-watts",
          "idle-watts",
          "dollars-per-hour",
          "max-workers");

  private final String source;
  private final Map<String, String> values;

  private FleetFile(String source, Map<String, String> values) {
    this.source = source;
    this.values = values;
  }

  /** Returns the commented file with the default fleet. */
  static String defaultText() {
    try (InputStream in = FleetFile.class.getResourceAsStream("fleet.properties")) {
      if (in == null) {
        throw new IllegalStateException("fleet.properties is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the types of a file. */
  static List<WorkerType> read(Path file) {
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
        throw InvalidInputException.of(
            "fleet file", file, "must be a file of at most 1 MiB", "check the path");
      }
      return parse(file.getFileName().toString(), Files.readString(file));
    } catch (IOException e) {
      throw InvalidInputException.of(
          "fleet file", file, "cannot be read: " + e.getMessage(), "check that it is UTF-8 text");
    }
  }

  static List<WorkerType> parse(String source, String text) {
    Map<String, String> values = new HashMap<>();
    try (Reader reader = new StringReader(text)) {
      new StrictProperties(source, values).load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw InvalidInputException.of(
          "fleet " + source,
          String.valueOf(e.getMessage()),
          "is not a properties file",
          "correct it");
    }
    return new FleetFile(source, values).types();
  }

  /** Refuses a key that comes twice. */
  private static final class StrictProperties extends Properties {
    private static final long serialVersionUID = 1L;
    private final transient Map<String, String> values;
    private final String source;

    StrictProperties(String source, Map<String, String> values) {
      this.source = source;
      this.values = values;
    }

    @Override
    public synchronized Object put(Object key, Object value) {
      if (values.put((String) key, ((String) value).strip()) != null) {
        throw InvalidInputException.of(
            "fleet " + source + " key", key, "is given twice", "remove one of the lines");
      }
      return super.put(key, value);
    }
  }

  private List<WorkerType> types() {
    String list = values.remove("types");
    if (list == null || list.isBlank()) {
      throw InvalidInputException.of(
          "fleet " + source, "no types", "must list the worker types", "add: types = cpu, fpga");
    }
    List<WorkerType> types = new ArrayList<>();
    for (String name : list.split(",", -1)) {
      types.add(type(name.strip()));
    }
    if (!values.isEmpty()) {
      throw InvalidInputException.of(
          "fleet " + source + " keys",
          new TreeSet<>(values.keySet()),
          "are unknown",
          "use TYPE.KEY with a listed type and one of " + new TreeSet<>(KEYS));
    }
    return types;
  }

  private WorkerType type(String name) {
    WorkerType.Builder builder = WorkerType.builder(name);
    Duration spinUp = time(name, "spin-up", Duration.ZERO);
    Matcher speed =
        match(RATIO, name, "speedup", "1", "must be a whole number or a ratio like 3/2");
    String denominator = speed.group(2);
    builder
        .spinUp(spinUp)
        .spinDown(time(name, "spin-down", Duration.ZERO))
        .idleTimeout(time(name, "idle-timeout", spinUp))
        .load(time(name, "load", Duration.ZERO))
        .speedup(
            Integer.parseInt(speed.group(1)),
            denominator == null ? 1 : Integer.parseInt(denominator))
        .power(number(name, "busy-watts"), number(name, "idle-watts"))
        .price(number(name, "dollars-per-hour"));
    String limit = values.remove(name + ".max-workers");
    if (limit != null) {
      builder.maxWorkers(
          (int) Math.min(Integer.MAX_VALUE, (long) parse(name, "max-workers", limit)));
    }
    return builder.build();
  }

  private Duration time(String type, String key, Duration fallback) {
    if (!values.containsKey(type + "." + key)) {
      return fallback;
    }
    Matcher matcher = match(TIME, type, key, "", "must be a number and a unit: ns, us, ms, s, min");
    BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(UNIT_NANOS.get(matcher.group(2)));
    if (nanos.compareTo(BigDecimal.valueOf(WorkerType.MAX_LATENCY.toNanos())) > 0) {
      throw invalid(type, key, matcher.group(), "must be at most " + WorkerType.MAX_LATENCY);
    }
    return Duration.ofNanos(nanos.longValue());
  }

  private Matcher match(Pattern pattern, String type, String key, String fallback, String limit) {
    String removed = values.remove(type + "." + key);
    String text = removed == null ? fallback : removed;
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw invalid(type, key, text, limit);
    }
    return matcher;
  }

  private double number(String type, String key) {
    String text = values.remove(type + "." + key);
    return text == null ? 0 : parse(type, key, text);
  }

  private double parse(String type, String key, String text) {
    try {
      double value = Double.parseDouble(text);
      if (value >= 0 && value < Double.POSITIVE_INFINITY) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below, together with numbers out of range
    }
    throw invalid(type, key, text, "must be a finite number, at least 0");
  }

  private InvalidInputException invalid(String type, String key, String value, String limit) {
    return InvalidInputException.of(
        "fleet " + source + " key " + type + "." + key,
        '"' + value + '"',
        limit,
        "see ./muster simulate --print-fleet");
  }
}
