package dev.muster.core.live;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.api.Variant;
import dev.muster.api.WorkerType;
import java.time.Duration;

/**
 * Turns worker types, variants and names into fields of an event file and back.
 *
 * <p>An event file is UTF-8 text, one record a line, fields separated by tabs. The head names the
 * run: {@code muster-events 1}, {@code policy} name, {@code limits} open tasks, attempts; then
 * {@code type} records, {@code ahead} with how many runs each type takes in advance, {@code app}
 * and {@code variant} records. Then follow events, {@code time letter fields}, each with the
 * decisions ({@link DecisionLines}) that it led to: {@code S} application, size, deadline, weight
 * (submitted); {@code C} task (cancel); {@code T} (timers); {@code E} (end of an instant); {@code
 * D} (drain); {@code V} application, variant, fixed time, speed (calibrated); and from the HAL
 * {@code r} worker (ready), {@code l} worker (loaded), {@code x} worker, kind (load failed), {@code
 * c} worker, run (completed), {@code f} worker, run, kind (failed), {@code g} worker, kind (lost),
 * {@code d} worker (released). The file ends with {@code end}.
 */
public final class EventLines {
  /** Starts every event file. */
  public static final String HEADER = "muster-events\t1";

  /** Stands for a failure that is not of the hardware's. */
  public static final String OTHER_FAILURE = "-";

  private EventLines() {}

  /** Appends a name, with tab, line ends and the percent sign escaped. */
  static StringBuilder appendName(StringBuilder to, String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || c == '%') {
        to.append('%')
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      } else {
        to.append(c);
      }
    }
    return to;
  }

  /** Reads a name back; the inverse of what is written. */
  public static String name(String field) {
    if (field.indexOf('%') < 0) {
      return field;
    }
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '%') {
        if (i + 2 >= field.length()) {
          throw invalid("name", field, "must have two digits after each %");
        }
        int high = Character.digit(field.charAt(i + 1), 16);
        int low = Character.digit(field.charAt(i + 2), 16);
        if (high < 0 || low < 0) {
          throw invalid("name", field, "must have two hexadecimal digits after each %");
        }
        name.append((char) (high << 4 | low));
        i += 2;
      } else {
        name.append(c);
      }
    }
    return name.toString();
  }

  static StringBuilder append(StringBuilder to, WorkerType type) {
    appendName(to.append("type\t"), type.name());
    to.append('\t').append(type.spinUpNanos());
    to.append('\t').append(type.spinDownNanos());
    to.append('\t').append(type.idleTimeoutNanos());
    to.append('\t').append(type.loadNanos());
    to.append('\t').append(type.speedupNumerator());
    to.append('\t').append(type.speedupDenominator());
    to.append('\t').append(type.busyPowerMilliwatts());
    to.append('\t').append(type.idlePowerMilliwatts());
    to.append('\t').append(type.priceMicrodollarsPerHour());
    to.append('\t').append(type.maxWorkers());
    return append(to, type.capacity());
  }

  /** Reads a worker type from the fields after {@code type}. */
  public static WorkerType workerType(String[] f) {
    requireFields(f, 17);
    return WorkerType.builder(name(f[1]))
        .spinUp(Duration.ofNanos(number(f[2])))
        .spinDown(Duration.ofNanos(number(f[3])))
        .idleTimeout(Duration.ofNanos(number(f[4])))
        .load(Duration.ofNanos(number(f[5])))
        .speedup(integer(f[6]), integer(f[7]))
        .power(number(f[8]) / 1e3, number(f[9]) / 1e3)
        .price(number(f[10]) / 1e6)
        .maxWorkers(integer(f[11]))
        .capacity(footprint(f, 12))
        .build();
  }

  static StringBuilder append(StringBuilder to, Variant variant) {
    appendName(to.append("variant\t"), variant.id());
    appendName(to.append('\t'), variant.workerType());
    to.append('\t').append(variant.fixedNanos());
    to.append('\t').append(variant.inheritsSpeedup() ? 0 : variant.speedupNumerator());
    to.append('\t').append(variant.speedupDenominator());
    to.append('\t').append(variant.powerMilliwatts().orElse(-1));
    to.append('\t').append(variant.units());
    append(to, variant.footprint());
    to.append('\t');
    String image = variant.image();
    return image == null ? to : appendName(to.append('i'), image);
  }

  /** Reads a variant from the fields after {@code variant}. */
  public static Variant variant(String[] f) {
    requireFields(f, 14);
    Variant.Builder builder =
        Variant.builder(name(f[1]), name(f[2]))
            .fixed(Duration.ofNanos(number(f[3])))
            .units(integer(f[7]))
            .footprint(footprint(f, 8));
    if (integer(f[4]) != 0) {
      builder.speedup(integer(f[4]), integer(f[5]));
    }
    if (number(f[6]) >= 0) {
      builder.powerWatts(number(f[6]) / 1e3);
    }
    if (f[13].startsWith("i")) {
      builder.image(name(f[13].substring(1)));
    }
    return builder.build();
  }

  private static StringBuilder append(StringBuilder to, Footprint value) {
    to.append('\t').append(value.lut()).append('\t').append(value.ff());
    to.append('\t').append(value.bram()).append('\t').append(value.dsp());
    return to.append('\t').append(value.uram());
  }

  private static Footprint footprint(String[] f, int from) {
    return new Footprint(
        number(f[from]),
        number(f[from + 1]),
        number(f[from + 2]),
        number(f[from + 3]),
        number(f[from + 4]));
  }

  /** Reads a whole number. */
  public static long number(String field) {
    try {
      return Long.parseLong(field);
    } catch (NumberFormatException e) {
      throw invalid("field", field, "must be a whole number");
    }
  }

  /** Reads a whole number that fits an int. */
  public static int integer(String field) {
    long value = number(field);
    if (value != (int) value) {
      throw invalid("field", field, "must be between -2^31 and 2^31-1");
    }
    return (int) value;
  }

  /** Checks how many fields a record has. */
  public static void requireFields(String[] f, int count) {
    if (f.length != count) {
      throw invalid("record \"" + f[0] + '"', f.length + " fields", "must have " + count);
    }
  }

  private static InvalidInputException invalid(String what, String value, String limit) {
    return InvalidInputException.of(what, value, limit, "record the run again");
  }
}
