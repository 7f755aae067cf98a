package dev.muster.hal.sim.device;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads device models from text: a key, an equals sign and a value a line, comments after a hash.
 *
 * <p>Every key must be there once, unknown keys are refused, and at most {@value #MAX_CHARACTERS}
 * characters are read.
 */
public final class DevicePresets {
  /** Limits the length of a file. */
  public static final int MAX_CHARACTERS = 65_536;

  /** Names the presets. */
  public static final List<String> NAMES = List.of("u50", "u200", "u250", "u55c", "cpu-host");

  private DevicePresets() {}

  /** Returns a preset's model. */
  public static DeviceModel preset(String name) {
    return parse(text(name), "preset " + name);
  }

  /** Returns a preset's commented text, to copy and edit. */
  public static String text(String name) {
    if (!NAMES.contains(name)) {
      throw InvalidInputException.of(
          "device preset", name, "must be one of " + NAMES, "choose one");
    }
    try (InputStream in = DevicePresets.class.getResourceAsStream(name + ".device")) {
      if (in == null) {
        throw new IllegalStateException("preset " + name + " is missing from the archive");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a model.
   *
   * @param text the file's contents
   * @param source the name that messages use
   */
  public static DeviceModel parse(String text, String source) {
    KernelModel.require("characters of " + source, text.length(), 1, MAX_CHARACTERS);
    Values v = new Values(source);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      v.add(i + 1, lines.get(i));
    }
    DeviceModel model =
        new DeviceModel(
            v.text("name"),
            v.number("clock.khz"),
            v.number("pcie.latency.nanos"),
            v.number("pcie.mbytes.per.second"),
            v.flag("pcie.full.duplex"),
            v.count("memory.banks"),
            v.number("memory.bank.mbytes.per.second"),
            v.number("reconfigure.fixed.nanos"),
            v.number("reconfigure.mbytes.per.second"),
            v.number("reconfigure.image.bytes"),
            v.flag("reconfigure.per.region"),
            v.number("power.static.milliwatts"),
            v.number("power.unit.milliwatts"),
            v.number("power.transfer.picojoules.per.byte"),
            v.number("power.reconfigure.milliwatts"),
            v.count("cores"),
            new Footprint(
                v.number("lut"),
                v.number("ff"),
                v.number("bram18"),
                v.number("dsp"),
                v.number("uram")));
    v.requireAllUsed();
    return model;
  }

  /** Holds the keys of a file with the lines they come from. */
  private static final class Values {
    private final String source;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    Values(String source) {
      this.source = source;
    }

    void add(int line, String raw) {
      int hash = raw.indexOf('#');
      String text = (hash < 0 ? raw : raw.substring(0, hash)).strip();
      if (text.isEmpty()) {
        return;
      }
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw invalid(line, text, "must be a key, an equals sign and a value");
      }
      String key = text.substring(0, equals).strip();
      if (values.put(key, text.substring(equals + 1).strip()) != null) {
        throw invalid(line, key, "must be given once");
      }
      lines.put(key, line);
    }

    String text(String key) {
      String value = values.remove(key);
      if (value == null) {
        throw InvalidInputException.of(
            source, key, "is missing", "copy the line from a preset and edit it");
      }
      return value;
    }

    long number(String key) {
      String value = text(key);
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw invalid(lineOf(key), key + " = " + value, "must be a whole number");
      }
    }

    int count(String key) {
      long value = number(key);
      if (value < 0 || value > Integer.MAX_VALUE) {
        throw invalid(lineOf(key), key + " = " + value, "must be between 0 and 2^31 - 1");
      }
      return (int) value;
    }

    boolean flag(String key) {
      String value = text(key);
      if (!value.equals("true") && !value.equals("false")) {
        throw invalid(lineOf(key), key + " = " + value, "must be true or false");
      }
      return value.equals("true");
    }

    void requireAllUsed() {
      if (!values.isEmpty()) {
        String key = new ArrayList<>(values.keySet()).get(0);
        throw invalid(lineOf(key), key, "is not a known key");
      }
    }

    private int lineOf(String key) {
      return lines.getOrDefault(key, 0);
    }

    private InvalidInputException invalid(int line, String value, String limit) {
      return InvalidInputException.of(source + " line " + line, value, limit, "correct the line");
    }
  }
}
