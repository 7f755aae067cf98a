package dev.muster.hal.cpu;

import dev.muster.api.Hal;
import dev.muster.api.HalProvider;
import dev.muster.api.InvalidInputException;
import dev.muster.api.TaskBody;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Creates CPU HALs by the name {@code "cpu"}, for tasks whose payload is the code to call.
 *
 * <p>Options: {@code cores}, the core budget; {@code timeLimitMillis}, the time limit of runs;
 * {@code affinity}, {@code true} to pin threads to cores; {@code meter}, {@code true} to read the
 * machine's energy counters where possible.
 */
public final class CpuHalProvider implements HalProvider {
  private static final Set<String> OPTIONS =
      Set.of("cores", "timeLimitMillis", "affinity", "meter");

  /** Creates the provider; for {@link java.util.ServiceLoader}. */
  public CpuHalProvider() {}

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Hal create(Map<String, String> options) {
    CpuHal.Builder builder = CpuHal.builder(TaskBody.Registry.ofCallables());
    for (Map.Entry<String, String> option : options.entrySet()) {
      String value = option.getValue();
      switch (option.getKey()) {
        case "cores" -> builder.coreBudget((int) number("cores", value, Integer.MAX_VALUE));
        case "timeLimitMillis" ->
            builder.timeLimit(
                Duration.ofMillis(number("timeLimitMillis", value, Integer.MAX_VALUE)));
        case "affinity" -> {
          if (isTrue("affinity", value)) {
            builder.affinity();
          }
        }
        case "meter" -> {
          if (isTrue("meter", value)) {
            builder.meterIfReadable();
          }
        }
        default ->
            throw InvalidInputException.of(
                "option of the CPU HAL",
                '"' + option.getKey() + '"',
                "must be one of " + OPTIONS.stream().sorted().toList(),
                "correct the name");
      }
    }
    return builder.build();
  }

  private static long number(String option, String value, long max) {
    if (value.matches("[0-9]{1,10}") && Long.parseLong(value) <= max) {
      return Long.parseLong(value);
    }
    throw InvalidInputException.of(
        "option " + option + " of the CPU HAL",
        '"' + value + '"',
        "must be a whole number from 1 to " + max,
        "correct it");
  }

  private static boolean isTrue(String option, String value) {
    if (value.equals("true") || value.equals("false")) {
      return value.equals("true");
    }
    throw InvalidInputException.of(
        "option " + option + " of the CPU HAL",
        '"' + value + '"',
        "must be true or false",
        "correct it");
  }
}
